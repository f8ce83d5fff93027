package dev.avocet.core.config.value;

/** A value that a property cannot have; the message says why, and what to write instead. Has no stack trace. */
public final class InvalidValueException extends Exception {
    private static final long serialVersionUID = 1L;

    /** A value refused for that reason. */
    public InvalidValueException(String message) {
        super(message, null, false, false);
    }
}
