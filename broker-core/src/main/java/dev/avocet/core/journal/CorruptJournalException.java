package dev.avocet.core.journal;

import java.nio.file.Path;

/** A record that had been durable is damaged: what follows cannot be trusted without an administrator's decision. */
public final class CorruptJournalException extends JournalException {
    private static final long serialVersionUID = 1L;

    private final String file;
    private final long offset;

    /** @param reason what is wrong there, for people */
    public CorruptJournalException(Path file, long offset, String reason) {
        super(file + " is damaged at byte " + offset + ": " + reason);
        this.file = file.toString();
        this.offset = offset;
    }

    public String file() {
        return file;
    }

    /** Byte offset in the file of the first record that is damaged. */
    public long offset() {
        return offset;
    }
}
