package dev.avocet.core.queue;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageRun;
import org.jspecify.annotations.Nullable;

/** Somebody who takes messages from queues. Implemented by front ends; called on the consumer's loop only. */
public interface Consumer {
    /**
     * Takes a message, or says that it cannot now.
     *
     * @param options how to deliver when several subscriptions of the client matched, or for a retained message; null for the
     *     consumer's own
     * @param reference the number of the message's reference in a durable queue, to be named when it is settled or given back;
     *     {@link DeliverySource#NOT_STORED} where nothing of it is on disk
     */
    Delivery deliver(DeliverySource source, Message message, @Nullable DeliveryOptions options, long reference);

    /**
     * Whether all of a run can be {@linkplain #deliver(DeliverySource, MessageRun) delivered} now, each message in the consumer's own way and
     * at the run's quality of service.
     */
    default boolean takes(MessageRun run) {
        return false;
    }

    /** Takes a run of messages: settled at once at QoS 0, in flight at QoS 1. Only while it {@linkplain #takes takes} it. */
    default void deliver(DeliverySource source, MessageRun run) {
        throw new UnsupportedOperationException("a consumer that takes no runs");
    }

    /**
     * Much has passed this consumer by while it kept what it has without a single acknowledgement. It should be disconnected.
     */
    void onNeverAcknowledging();
}
