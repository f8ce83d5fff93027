package dev.avocet.core.queue.line;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import org.jspecify.annotations.Nullable;

/** Sees the messages of a queue that wait in memory and are not in the store, in the order of the queue. */
@FunctionalInterface
public interface UnstoredVisitor {
    /** In place of a reference, for a message that no stored one waits behind. */
    long AT_END = Long.MAX_VALUE;

    /** @param before the reference of the stored message that waits next behind it, or {@link #AT_END} */
    void onUnstored(long before, Message message, @Nullable DeliveryOptions options);
}
