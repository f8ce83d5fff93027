package dev.avocet.core.queue.reference;

import dev.avocet.core.message.DeliveryOptions;
import org.jspecify.annotations.Nullable;

/** Sees the references of a durable queue, in the queue's order. */
@FunctionalInterface
public interface ReferenceVisitor {
    /**
     * @param reference the number in the queue
     * @param position where the message lies
     * @param storedBytes how many bytes it takes there
     * @param expiryDeadlineNs as of {@link dev.avocet.core.message.Message#expiryDeadlineNs}
     * @param options how to deliver it, or null for the consumer's own way
     */
    void onReference(
            long reference, long position, int storedBytes, long expiryDeadlineNs, @Nullable DeliveryOptions options);
}
