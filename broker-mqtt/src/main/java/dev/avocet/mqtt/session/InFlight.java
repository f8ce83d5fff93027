package dev.avocet.mqtt.session;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.queue.DeliverySource;
import org.jspecify.annotations.Nullable;

/** A delivery that the client has yet to complete. Reused by its window once it is over. */
public final class InFlight {
    private int packetId;
    private @Nullable Message message;
    private @Nullable DeliveryOptions options;
    private @Nullable DeliverySource source;
    private long reference;
    private boolean awaitingCompletion;
    private boolean outstanding;

    void open(int packetId, Message message, DeliveryOptions options, DeliverySource source, long reference) {
        this.packetId = packetId;
        this.message = message;
        this.options = options;
        this.source = source;
        this.reference = reference;
        this.awaitingCompletion = false;
        this.outstanding = true;
    }

    void close() {
        packetId = 0;
        message = null;
        options = null;
        source = null;
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

    /** The number of the message's reference where it came from. */
    public long reference() {
        return reference;
    }

    public @Nullable DeliveryOptions options() {
        return options;
    }

    /** The level of this delivery. Only while the message is there. */
    public QualityOfService qos() {
        return message == null || options == null
                ? QualityOfService.EXACTLY_ONCE
                : message.qos().min(options.qos());
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

    /** True when this is where the message came from. */
    public boolean isFrom(DeliverySource candidate) {
        return source == candidate;
    }

    /** The client has the message [MQTT-4.3.3-4]: it is settled, and PUBREL follows until PUBCOMP. */
    public void received() {
        awaitingCompletion = true;
        settle();
    }

    /** Tells the queue that the message may be forgotten; once. */
    void settle() {
        if (source != null && message != null) {
            source.settle(message, reference);
        }
        message = null;
        options = null;
        source = null;
    }
}
