package dev.avocet.core.message;

import java.util.Objects;

/**
 * What travels. Made once by a front end, shared by every queue that takes it, and never changed: it belongs to
 * no thread in particular.
 */
public sealed class Message permits StoredMessage {
    /** The deadline of a message that never expires. */
    public static final long NEVER = Long.MAX_VALUE;

    /** Estimated heap of a message without payload and properties: object, array header, reference in a ring. */
    private static final int OVERHEAD_BYTES = 80;

    private final TopicName topic;
    private final QualityOfService qos;
    private final boolean retain;
    private final boolean forQueue;
    private final boolean persistent;
    private final boolean delayed;
    private final byte priority;
    private final byte[] body;
    private final MessageProperties properties;
    private final long expiryDeadlineNs;
    private final Object publisher;

    /**
     * @param payload taken over; must not be changed afterwards
     * @param expiryDeadlineNs on the scale of {@code Clock.nanoTime()}, or {@link #NEVER}
     * @param publisher identifies the publishing client for subscriptions that exclude their own messages; compared
     *     with {@code equals}, and kept as long as the message, so an identifier and not a session
     */
    public Message(
            TopicName topic,
            QualityOfService qos,
            boolean retain,
            byte[] payload,
            MessageProperties properties,
            long expiryDeadlineNs,
            Object publisher) {
        this(topic, false, qos, retain, payload, properties, expiryDeadlineNs, publisher);
    }

    /**
     * A message to a topic or to a queue, which may be kept as its protocol encodes it.
     *
     * @param name of the topic or the queue
     * @param forQueue whether it is a queue; then {@code retain} is false
     * @param body what is stored and delivered, bit for bit, to who knows the format of the properties; for everybody
     *     else the properties take the {@link #payload} out of it. Taken over; must not be changed afterwards
     */
    public Message(
            TopicName name,
            boolean forQueue,
            QualityOfService qos,
            boolean retain,
            byte[] body,
            MessageProperties properties,
            long expiryDeadlineNs,
            Object publisher) {
        this.topic = Objects.requireNonNull(name, "name");
        this.qos = Objects.requireNonNull(qos, "qos");
        this.retain = retain;
        this.forQueue = forQueue;
        this.body = Objects.requireNonNull(body, "body");
        this.properties = Objects.requireNonNull(properties, "properties");
        this.persistent = properties.isPersistent();
        this.delayed = properties.deliverAtWallMs() != 0;
        this.priority = (byte) properties.priority();
        this.expiryDeadlineNs = expiryDeadlineNs;
        this.publisher = Objects.requireNonNull(publisher, "publisher");
    }

    /** Where it was published to; of a message {@linkplain #isForQueue for a queue} the name of that. */
    public TopicName topic() {
        return topic;
    }

    /** True when it was sent to a queue, and no subscription gets it. */
    public boolean isForQueue() {
        return forQueue;
    }

    /** False when a crash may lose it: durable queues hold it in memory only. */
    public boolean isPersistent() {
        return persistent;
    }

    /** True when it says {@linkplain MessageProperties#deliverAtWallMs when it may be delivered at the earliest}. */
    public boolean isDelayed() {
        return delayed;
    }

    /** 0 to 9, of which queues deliver the higher first. */
    public int priority() {
        return priority;
    }

    /** The level at which it was published; a delivery may be at a lower one. */
    public QualityOfService qos() {
        return qos;
    }

    /** True when the publisher asked for it to be retained. */
    public boolean retain() {
        return retain;
    }

    /**
     * What was published and is stored, bit for bit: the payload itself, or the whole message as the
     * {@linkplain MessageProperties#format format} of the properties encodes it. For who knows that format. The caller
     * must not change the array.
     */
    public byte[] body() {
        return body;
    }

    /** What the application has to say, whatever the protocol. The caller must not change the array. */
    public byte[] payload() {
        return properties.payloadOf(body);
    }

    public MessageProperties properties() {
        return properties;
    }

    /**
     * The moment after which it must not be delivered, on the scale of {@code Clock.nanoTime()}; {@link #NEVER} for
     * none.
     */
    public long expiryDeadlineNs() {
        return expiryDeadlineNs;
    }

    public boolean expires() {
        return expiryDeadlineNs != NEVER;
    }

    public boolean isExpired(long nowNs) {
        return expiryDeadlineNs != NEVER && nowNs - expiryDeadlineNs >= 0;
    }

    /** The same for a queue in which it is to stay although its time is over; itself where it never expires. */
    public Message withoutExpiry() {
        return expires() ? new Message(topic, forQueue, qos, retain, body, properties, NEVER, publisher) : this;
    }

    /** Who published it; only ever compared. */
    public Object publisher() {
        return publisher;
    }

    /** What the message occupies in memory, roughly, in bytes. */
    public int sizeBytes() {
        return OVERHEAD_BYTES + body.length + properties.sizeBytes();
    }
}
