package dev.avocet.core.queue;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.DeliveryOptions;
import org.jspecify.annotations.Nullable;

/** No other queues are there, and nothing is written. */
class NoNeighbours implements QueueNeighbours {
    @Override
    public @Nullable RankedQueue find(String name) {
        return null;
    }

    @Override
    public void restood(
            long queueId,
            long reference,
            long position,
            int storedBytes,
            long expiryDeadlineNs,
            @Nullable DeliveryOptions options,
            IoLoop caller) {}

    @Override
    public void transferred(
            long fromQueueId,
            long fromReference,
            long toQueueId,
            long toReference,
            long position,
            int storedBytes,
            long expiryDeadlineNs,
            @Nullable DeliveryOptions options,
            IoLoop caller,
            Runnable then) {}
}
