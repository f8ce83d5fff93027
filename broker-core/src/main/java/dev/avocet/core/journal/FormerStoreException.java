package dev.avocet.core.journal;

import java.nio.file.Path;

/** A store was written in an earlier format, which {@code broker store upgrade} converts. Nothing was changed. */
public final class FormerStoreException extends JournalException {
    private static final long serialVersionUID = 1;

    /** @param file in which it shows */
    public FormerStoreException(Path file) {
        super(file + " was written by an earlier version of the broker, in a format that this one only converts:"
                + " run 'broker store upgrade' once; it keeps the store as it is beside the new one."
                + " Nothing was changed");
    }
}
