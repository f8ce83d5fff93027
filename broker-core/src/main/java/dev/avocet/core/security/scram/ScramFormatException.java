package dev.avocet.core.security.scram;

/** A SCRAM message that cannot be read. Has no stack trace: the client is at fault, not the code. */
final class ScramFormatException extends Exception {
    private static final long serialVersionUID = 1L;

    private final ScramReply.Reason reason;

    ScramFormatException(ScramReply.Reason reason) {
        super(reason.name(), null, false, false);
        this.reason = reason;
    }

    ScramReply.Reason reason() {
        return reason;
    }
}
