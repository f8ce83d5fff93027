package dev.avocet.server.monitor.table;

/** A question that cannot be answered. The message says why, and what can be asked. Has no stack trace. */
public final class MonitorException extends Exception {
    private static final long serialVersionUID = 1L;

    private final Reason reason;

    public MonitorException(Reason reason, String message) {
        super(message, null, false, false);
        this.reason = reason;
    }

    public static MonitorException invalid(String message) {
        return new MonitorException(Reason.INVALID, message);
    }

    /** What kind of a problem it is. */
    public Reason reason() {
        return reason;
    }

    /** Kinds of problems. */
    public enum Reason {
        /** The question is not well formed. */
        INVALID,
        /** What it asks about is not there. */
        NOT_FOUND,
        /** The broker is too busy. */
        NOT_NOW
    }
}
