package dev.avocet.server;

/** The broker cannot start, for a reason that the person who starts it can mend. Has no stack trace. */
final class StartException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int exitCode;

    StartException(int exitCode, String message) {
        super(message, null, false, false);
        this.exitCode = exitCode;
    }

    int exitCode() {
        return exitCode;
    }
}
