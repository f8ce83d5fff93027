package dev.avocet.core.journal;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A file cannot grow: the disk has no room. */
public final class DiskFullException extends IOException {
    private static final long serialVersionUID = 1L;

    public DiskFullException(String message) {
        super(message);
    }

    public DiskFullException(String message, Throwable cause) {
        super(message, cause);
    }

    /** Whether that failure, or one that it was caused by, means that a disk is full. */
    public static boolean isCauseOf(Throwable failure) {
        for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof DiskFullException || cause instanceof JournalFullException) {
                return true;
            }
        }
        return false;
    }
}
