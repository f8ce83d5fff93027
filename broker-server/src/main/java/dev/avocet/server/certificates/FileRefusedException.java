package dev.avocet.server.certificates;

/** An uploaded file that was not taken, or cannot be deleted. The message is for administrators. Has no stack trace. */
public final class FileRefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    /** What kind of refusal it is, for the code that answers a request. */
    public enum Reason {
        /** A name that no file may have. */
        INVALID,
        /** There is none of that name. */
        NOT_FOUND,
        /** One more than there may be. */
        TOO_MANY,
        /** The disk refused it. */
        DISK_FAILED
    }

    private final Reason reason;

    FileRefusedException(Reason reason, String message) {
        super(message, null, false, false);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
