package dev.avocet.core.queue.transit;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageRun;
import dev.avocet.core.message.QualityOfService;
import org.jspecify.annotations.Nullable;

/** The one who takes messages from queues. Implemented by front ends; called on the consumer's loop only. */
public interface Consumer {
    /**
     * Takes a message, or says that it cannot now.
     *
     * @param options how to deliver when several subscriptions of the client matched, or for a retained message; null
     *     for the consumer's own
     * @param reference the number of the message's reference in a durable queue, to be named when it is settled or
     *     given back; {@link DeliverySource#NOT_STORED} where nothing of it is on disk
     */
    Delivery deliver(DeliverySource source, Message message, @Nullable DeliveryOptions options, long reference);

    /**
     * How many messages can be {@linkplain #deliver(DeliverySource, MessageRun) delivered} in one run now, each in the
     * consumer's own way and at the quality of service with which they were published.
     */
    default int runRoom(QualityOfService qos) {
        return 0;
    }

    /**
     * Takes a run of messages: settled at once at QoS 0, in flight at QoS 1. Of no more than there is
     * {@linkplain #runRoom room} for.
     */
    default void deliver(DeliverySource source, MessageRun run) {
        throw new UnsupportedOperationException("a consumer that takes no runs");
    }

    /**
     * Much has passed this consumer by while it kept what it has without a single acknowledgement. It should be
     * disconnected.
     */
    void onNeverAcknowledging();

    /** The queue has ended and the consumer with it, though its owner had not taken it away before. */
    default void onQueueClosed() {}
}
