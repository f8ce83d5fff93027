package dev.avocet.core.destination;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.queue.MessageQueue;
import org.jspecify.annotations.Nullable;

/** Keeps the queues that clients know by name beyond the life of the broker. */
public interface DestinationStore {
    /** For a broker that keeps nothing. */
    DestinationStore NONE = new NoDestinationStore();

    /**
     * There is a queue, or its kind has changed. Called before it can be found; makes it durable. What is written
     * is handed over before this returns. Home loop of the queue.
     */
    void begun(String name, QueueKind kind, MessageQueue queue);

    /** A queue is no more, and neither is what it holds. Home loop of the queue. */
    void ended(MessageQueue queue);

    /** As of {@link dev.avocet.core.queue.QueueNeighbours#restood}. */
    void restood(
            long queueId,
            long reference,
            long position,
            int storedBytes,
            long expiryDeadlineNs,
            @Nullable DeliveryOptions options,
            IoLoop caller);

    /** As of {@link dev.avocet.core.queue.QueueNeighbours#transferred}. */
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
