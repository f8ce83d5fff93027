package dev.avocet.mqtt.session;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.queue.transit.DeliverySource;
import org.jspecify.annotations.Nullable;

/**
 * A delivery that the client has yet to complete. Reused by its window once it is over; source and options stay until
 * then, as the next delivery mostly has the same, and a reference that is stored costs more than a comparison.
 */
public final class InFlight {
    private int packetId;
    private @Nullable Message message;
    private @Nullable DeliveryOptions options;
    private @Nullable DeliverySource source;
    private long reference;
    /**
     * Of the quality of service. The message has it too, but is no longer in the processor's cache when the client
     * answers.
     */
    private byte level;

    private boolean awaitingCompletion;
    private boolean outstanding;
    private boolean sent;
    private boolean kept;
    private long batch;

    @SuppressWarnings("ReferenceEquality") // equal ones are not worth a look
    void open(int packetId, Message message, DeliveryOptions options, DeliverySource source, long reference) {
        this.packetId = packetId;
        this.message = message;
        if (this.options != options) {
            this.options = options;
        }
        if (this.source != source) {
            this.source = source;
        }
        this.reference = reference;
        this.level = (byte) message.qos().min(options.qos()).level();
        this.awaitingCompletion = false;
        this.outstanding = true;
        this.sent = false;
        this.kept = false;
        this.batch = StateLog.NO_BATCH;
    }

    /** A delivery of an earlier life whose message the client has. */
    void restoreReceived(int ofPacketId) {
        packetId = ofPacketId;
        awaitingCompletion = true;
        outstanding = false;
        sent = true;
        kept = true;
        batch = StateLog.NO_BATCH;
    }

    void close() {
        packetId = 0;
        batch = StateLog.NO_BATCH;
        message = null;
    }

    /** False once it is over, until it is used again. */
    public boolean isOpen() {
        return packetId != 0;
    }

    public int packetId() {
        return packetId;
    }

    /** The message, or null when the client has it and only the exchange of packet identifiers goes on. */
    public @Nullable Message message() {
        return message;
    }

    /** The number of the message's reference where it came from. Only while the message is there. */
    public long reference() {
        return reference;
    }

    /** How to deliver it. Only while the message is there. */
    public @Nullable DeliveryOptions options() {
        return options;
    }

    /** The level of this delivery. Only while the message is there. */
    public QualityOfService qos() {
        return message == null ? QualityOfService.EXACTLY_ONCE : QualityOfService.of(level);
    }

    /** True after PUBREC: PUBREL was sent and PUBCOMP is awaited. */
    public boolean isAwaitingCompletion() {
        return awaitingCompletion;
    }

    /** True when it was sent on the present connection, so that it counts against the receive maximum there. */
    public boolean isOutstanding() {
        return outstanding;
    }

    public void outstanding(boolean sentHere) {
        this.outstanding = sentHere;
    }

    /**
     * True when the client may have seen it, on whatever connection, so that it is a duplicate the next time
     * [MQTT-3.3.1-1].
     */
    public boolean wasSent() {
        return sent;
    }

    public void sent() {
        sent = true;
    }

    /** True when this is where the message came from. */
    public boolean isFrom(DeliverySource candidate) {
        return message != null && source == candidate;
    }

    /** Where the message came from, if it is there and nothing of it is on disk. */
    public @Nullable DeliverySource unstoredSource() {
        return message == null || reference != DeliverySource.NOT_STORED ? null : source;
    }

    /** The queue that its reference is noted with; only while the message is there. */
    long queueId() {
        return message == null || source == null ? DeliverySource.NOT_STORED : source.durableId();
    }

    /** The last batch that something of it was written with, which {@link MqttSession#isCommitted} knows. */
    public long batch() {
        return batch;
    }

    void writtenWith(long writtenBatch) {
        batch = writtenBatch;
        kept = true;
    }

    /** True when it is known to survive the broker. */
    boolean isKept() {
        return kept;
    }

    void keep() {
        kept = true;
    }

    /** The client has the message [MQTT-4.3.3-4]: it is settled, and PUBREL follows until PUBCOMP. */
    void received() {
        awaitingCompletion = true;
        settle();
    }

    /** Tells the queue that the message may be forgotten; once. */
    void settle() {
        if (source != null && message != null) {
            source.settle(message, reference);
        }
        message = null;
    }
}
