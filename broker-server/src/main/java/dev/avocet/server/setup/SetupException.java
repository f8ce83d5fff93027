package dev.avocet.server.setup;

/** A broker cannot be set up. The message is for people; has no stack trace. */
public final class SetupException extends Exception {
    private static final long serialVersionUID = 1L;

    SetupException(String message) {
        super(message, null, false, false);
    }
}
