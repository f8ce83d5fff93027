package dev.avocet.server.objects;

import org.jspecify.annotations.Nullable;

/**
 * The configuration cannot be read or written; the message says which file and what to do. Has no stack trace of its
 * own.
 */
public final class ConfigurationStoreException extends Exception {
    private static final long serialVersionUID = 1L;

    ConfigurationStoreException(String message, @Nullable Throwable cause) {
        super(message, cause, false, false);
    }
}
