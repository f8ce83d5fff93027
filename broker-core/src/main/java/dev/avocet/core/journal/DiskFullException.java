package dev.avocet.core.journal;

import java.io.IOException;

/** A file cannot grow: the disk has no room. */
public final class DiskFullException extends IOException {
    private static final long serialVersionUID = 1L;

    public DiskFullException(String message) {
        super(message);
    }

    public DiskFullException(String message, Throwable cause) {
        super(message, cause);
    }
}
