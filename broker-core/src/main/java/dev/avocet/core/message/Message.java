package dev.avocet.core.message;

import java.util.Objects;

/**
 * What travels. Made once by a front end, shared by every queue that takes it, and never changed: it belongs to nobody's thread.
 */
public sealed class Message permits StoredMessage {
    /** The deadline of a message that never expires. */
    public static final long NEVER = Long.MAX_VALUE;

    /** Estimated heap of a message without payload and properties: object, array header, reference in a ring. */
    private static final int OVERHEAD_BYTES = 80;

    private final TopicName topic;
    private final QualityOfService qos;
    private final boolean retain;
    private final byte[] payload;
    private final MessageProperties properties;
    private final long expiryDeadlineNs;
    private final Object publisher;

    /**
     * @param payload taken over; must not be changed afterwards
     * @param expiryDeadlineNs on the scale of {@code Clock.nanoTime()}, or {@link #NEVER}
     * @param publisher identifies the publishing client for subscriptions that exclude their own messages; compared with
     *     {@code equals}, and kept as long as the message, so an identifier and not a session
     */
    public Message(
            TopicName topic,
            QualityOfService qos,
            boolean retain,
            byte[] payload,
            MessageProperties properties,
            long expiryDeadlineNs,
            Object publisher) {
        this.topic = Objects.requireNonNull(topic, "topic");
        this.qos = Objects.requireNonNull(qos, "qos");
        this.retain = retain;
        this.payload = Objects.requireNonNull(payload, "payload");
        this.properties = Objects.requireNonNull(properties, "properties");
        this.expiryDeadlineNs = expiryDeadlineNs;
        this.publisher = Objects.requireNonNull(publisher, "publisher");
    }

    public TopicName topic() {
        return topic;
    }

    /** The level at which it was published; a delivery may be at a lower one. */
    public QualityOfService qos() {
        return qos;
    }

    /** True when the publisher asked for it to be retained. */
    public boolean retain() {
        return retain;
    }

    /** The payload. The caller must not change the array. */
    public byte[] payload() {
        return payload;
    }

    public MessageProperties properties() {
        return properties;
    }

    /** The moment after which it must not be delivered, on the scale of {@code Clock.nanoTime()}; {@link #NEVER} for none. */
    public long expiryDeadlineNs() {
        return expiryDeadlineNs;
    }

    public boolean expires() {
        return expiryDeadlineNs != NEVER;
    }

    public boolean isExpired(long nowNs) {
        return expiryDeadlineNs != NEVER && nowNs - expiryDeadlineNs >= 0;
    }

    /** Who published it; only ever compared. */
    public Object publisher() {
        return publisher;
    }

    /** What the message occupies in memory, roughly, in bytes. */
    public int sizeBytes() {
        return OVERHEAD_BYTES + payload.length + properties.sizeBytes();
    }
}
