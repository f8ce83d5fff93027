package dev.avocet.server.broker.endpoint;

/** An endpoint that is a configuration object asks for something that this broker cannot do. Has no stack trace. */
final class CannotServeException extends Exception {
    private static final long serialVersionUID = 1L;

    CannotServeException(String message) {
        super(message, null, false, false);
    }
}
