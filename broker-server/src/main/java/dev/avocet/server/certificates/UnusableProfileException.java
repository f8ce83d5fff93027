package dev.avocet.server.certificates;

import org.jspecify.annotations.Nullable;

/** A profile by which no client can be served. The message says what to do. Has no stack trace. */
public final class UnusableProfileException extends Exception {
    private static final long serialVersionUID = 1L;

    UnusableProfileException(String message) {
        this(message, null);
    }

    public UnusableProfileException(String message, @Nullable Throwable cause) {
        super(message, cause, false, false);
    }
}
