package dev.avocet.core.queue.transit;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import org.jspecify.annotations.Nullable;

/**
 * A message on its way to a durable queue's home loop.
 *
 * @param message null when it is on disk only
 * @param reference its number in the queue
 * @param position where it lies in the store
 * @param storedBytes how many bytes it takes there
 * @param deadlineNs when the reference expires
 */
public record StoredEntry(
        @Nullable Message message,
        @Nullable DeliveryOptions options,
        long reference,
        long position,
        int storedBytes,
        long deadlineNs) {}
