package dev.avocet.core.queue;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.DeliveryOptions;
import org.jspecify.annotations.Nullable;

/** The other queues, and what of a queue by name is written besides its messages and acknowledgements. Any loop. */
public interface QueueNeighbours {
    /** A queue by name; null when there is none. */
    @Nullable RankedQueue find(String name);

    /**
     * A stored reference stands otherwise in its queue from now on. Written with the present batch of the caller.
     *
     * @param expiryDeadlineNs as of {@link dev.avocet.core.message.Message#expiryDeadlineNs}
     */
    void restood(
            long queueId,
            long reference,
            long position,
            int storedBytes,
            long expiryDeadlineNs,
            @Nullable DeliveryOptions options,
            IoLoop caller);

    /**
     * A stored message goes from one queue to another: its reference in the first one is over and there is one in the
     * second, both or neither. The message stays where it lies.
     *
     * @param expiryDeadlineNs of the new reference; a dead letter does not expire
     * @param then on the caller's loop when that is durable
     */
    void transferred(
            long fromQueueId,
            long fromReference,
            long toQueueId,
            long toReference,
            long position,
            int storedBytes,
            long expiryDeadlineNs,
            @Nullable DeliveryOptions options,
            IoLoop caller,
            Runnable then);
}
