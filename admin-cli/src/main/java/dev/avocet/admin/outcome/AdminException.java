package dev.avocet.admin.outcome;

/** What was asked cannot be done. The message is for the person who asked; has no stack trace. */
public class AdminException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int exitCode;

    public AdminException(int exitCode, String message) {
        super(message, null, false, false);
        this.exitCode = exitCode;
    }

    public int exitCode() {
        return exitCode;
    }
}
