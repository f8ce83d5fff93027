package dev.avocet.server.ltpa;

/** A token that is not good. Has no stack trace. */
final class LtpaRefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    LtpaRefusedException(String message) {
        super(message, null, false, false);
    }
}
