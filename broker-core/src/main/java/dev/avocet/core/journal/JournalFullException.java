package dev.avocet.core.journal;

/** There is no room on the disk for another segment. */
public final class JournalFullException extends JournalException {
    private static final long serialVersionUID = 1L;

    public JournalFullException(String message) {
        super(message);
    }
}
