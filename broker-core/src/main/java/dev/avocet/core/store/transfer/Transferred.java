package dev.avocet.core.store.transfer;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.queue.transit.DeliverySource;
import dev.avocet.core.store.entry.StoredSession;
import dev.avocet.core.store.entry.StoredSubscription;
import org.jspecify.annotations.Nullable;

/** A record of an export of sessions, read. Immutable. */
sealed interface Transferred {
    /** A session begins. */
    record Session(StoredSession session) implements Transferred {}

    /** It has a subscription. */
    record Subscribed(StoredSubscription subscription) implements Transferred {}

    /**
     * A message waits in a queue.
     *
     * @param reference {@link DeliverySource#NOT_STORED} for one that waits in memory alone
     * @param bound whether it is in flight to one of those who share the queue, and only that one may complete it
     */
    record Waiting(
            long queueId,
            long reference,
            boolean bound,
            @Nullable DeliveryOptions options,
            Message message) implements Transferred {
        boolean isStored() {
            return reference != DeliverySource.NOT_STORED;
        }
    }

    /** What the front end keeps of the session. */
    record Protocol(byte[] entry) implements Transferred {}

    /** The session is complete. */
    record SessionEnd() implements Transferred {}

    /** A topic's retained message. */
    record Retained(Message message) implements Transferred {}

    /** That was all. */
    record End(TransferCounts counts) implements Transferred {}
}
