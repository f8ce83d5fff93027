package dev.avocet.core.store;

import dev.avocet.core.journal.JournalException;

/** Something was given up because the store has failed, of which everybody knows. */
final class StoreFailedException extends JournalException {
    private static final long serialVersionUID = 1L;

    StoreFailedException(String message) {
        super(message);
    }
}
