package dev.avocet.server.process;

/** The broker cannot start, for a reason that the person who starts it can mend. Has no stack trace. */
public final class StartException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int exitCode;

    public StartException(int exitCode, String message) {
        super(message, null, false, false);
        this.exitCode = exitCode;
    }

    public int exitCode() {
        return exitCode;
    }
}
