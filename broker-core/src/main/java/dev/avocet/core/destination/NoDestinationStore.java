package dev.avocet.core.destination;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.queue.MessageQueue;
import org.jspecify.annotations.Nullable;

/** Keeps nothing: no reference is stored, so none stands otherwise or goes elsewhere. */
final class NoDestinationStore implements DestinationStore {
    @Override
    public void begun(String name, QueueKind kind, MessageQueue queue) {}

    @Override
    public void ended(MessageQueue queue) {}

    @Override
    public void restood(
            long queueId,
            long reference,
            long position,
            int storedBytes,
            long expiryDeadlineNs,
            @Nullable DeliveryOptions options,
            IoLoop caller) {
        throw new IllegalStateException("nothing is stored");
    }

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
            Runnable then) {
        throw new IllegalStateException("nothing is stored");
    }
}
