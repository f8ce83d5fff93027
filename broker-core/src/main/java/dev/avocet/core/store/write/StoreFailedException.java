package dev.avocet.core.store.write;

import dev.avocet.core.journal.JournalException;

/** Something was given up because the store has failed, of which everybody knows. */
public final class StoreFailedException extends JournalException {
    private static final long serialVersionUID = 1L;

    public StoreFailedException(String message) {
        super(message);
    }
}
