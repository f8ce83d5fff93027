package dev.avocet.server.broker.endpoint;

/**
 * Users or certificates that cannot be used. The message says which and why. Has no stack trace: the files are at
 * fault.
 */
public final class CannotSecureException extends Exception {
    private static final long serialVersionUID = 1L;

    /** @param why says everything */
    public CannotSecureException(String why) {
        super(why, null, false, false);
    }

    /** @param cause whose message says everything */
    public CannotSecureException(String what, Exception cause) {
        super(what + ": " + cause.getMessage(), null, false, false);
    }
}
