package dev.avocet.jms.client.message;

/** The four kinds of destination, in the order of their numbers in x-opt-jms-dest and x-opt-jms-reply-to. */
public enum DestinationKind {
    QUEUE("queue"),
    TOPIC("topic"),
    TEMPORARY_QUEUE("temporary-queue"),
    TEMPORARY_TOPIC("temporary-topic");

    private static final DestinationKind[] KINDS = values();

    private final String capability;

    DestinationKind(final String capability) {
        this.capability = capability;
    }

    /** The capability of the terminus that stands for it. */
    public String capability() {
        return capability;
    }

    public boolean isTopic() {
        return this == TOPIC || this == TEMPORARY_TOPIC;
    }

    public boolean isTemporary() {
        return this == TEMPORARY_QUEUE || this == TEMPORARY_TOPIC;
    }

    /** The kind with this number, or {@code fallback} where there is none. */
    static DestinationKind of(final int code, final DestinationKind fallback) {
        return code >= 0 && code < KINDS.length ? KINDS[code] : fallback;
    }
}
