package dev.avocet.server.export;

/** An export cannot be read or used. The message is for people; has no stack trace. */
public final class ExportException extends Exception {
    private static final long serialVersionUID = 1L;

    ExportException(String message) {
        super(message, null, false, false);
    }
}
