package dev.avocet.admin;

/** What was asked cannot be done. The message is for the person who asked; has no stack trace. */
class AdminException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int exitCode;

    AdminException(int exitCode, String message) {
        super(message, null, false, false);
        this.exitCode = exitCode;
    }

    int exitCode() {
        return exitCode;
    }
}
