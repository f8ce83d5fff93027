package dev.avocet.server.certificates;

/** A SecurityProfile by which no client can be served. The message says what to do. Has no stack trace. */
public final class UnusableProfileException extends Exception {
    private static final long serialVersionUID = 1L;

    UnusableProfileException(String message) {
        super(message, null, false, false);
    }
}
