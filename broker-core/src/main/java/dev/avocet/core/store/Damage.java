package dev.avocet.core.store;

import dev.avocet.core.journal.CorruptJournalException;

/**
 * Something in a file of the store that is not as it was written.
 *
 * @param file its path
 * @param offset of the first byte that makes no sense
 * @param reason what is wrong there, for people
 */
public record Damage(String file, long offset, String reason) {
    static Damage of(CorruptJournalException found) {
        String message = found.getMessage();
        String prefix = found.file() + " is damaged at byte " + found.offset() + ": ";
        String reason = message != null && message.startsWith(prefix) ? message.substring(prefix.length()) : message;
        return new Damage(found.file(), found.offset(), String.valueOf(reason));
    }

    @Override
    public String toString() {
        return file + ", byte " + offset + ": " + reason;
    }
}
