package dev.avocet.server.directory;

import org.jspecify.annotations.Nullable;

/** The LDAP object cannot be used as it is; the message says why and what to do. */
final class UnusableDirectoryException extends Exception {
    private static final long serialVersionUID = 1L;

    UnusableDirectoryException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
