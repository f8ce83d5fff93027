package dev.avocet.core.store.checkpoint;

import dev.avocet.core.journal.JournalException;

/** A checkpoint was given up because another part wanted that; those before it stay valid. */
public final class CheckpointGivenUpException extends JournalException {
    private static final long serialVersionUID = 1L;

    CheckpointGivenUpException() {
        super("the checkpoint was given up: the store is needed for something else");
    }
}
