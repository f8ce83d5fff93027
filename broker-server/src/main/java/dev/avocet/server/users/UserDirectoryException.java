package dev.avocet.server.users;

/**
 * A change of users or groups that was refused; nothing has changed. The message is for administrators. Has no stack
 * trace.
 */
public final class UserDirectoryException extends Exception {
    private static final long serialVersionUID = 1L;

    /** What kind of refusal it is, for the code that answers a request. */
    public enum Reason {
        /** A name, a password or a list of groups that cannot be. */
        INVALID,
        /** There is one of that name already. */
        EXISTS,
        /** There is none of that name. */
        NOT_FOUND,
        /** Others refer to it. */
        IN_USE,
        /** The file cannot be read or written. */
        FILE_FAILED
    }

    private final Reason reason;

    UserDirectoryException(Reason reason, String message) {
        super(message, null, false, false);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
