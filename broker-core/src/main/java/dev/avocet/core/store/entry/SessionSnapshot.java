package dev.avocet.core.store.entry;

import dev.avocet.core.journal.record.RecordBuffer;
import dev.avocet.core.queue.reference.QueueSnapshot;
import dev.avocet.core.queue.transit.DeliverySource;
import dev.avocet.core.session.ClientSession;
import dev.avocet.core.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A stored session at one moment.
 *
 * @param entries its session, subscription and protocol entries, behind each other
 * @param queues of its own subscriptions
 */
public record SessionSnapshot(byte[] entries, List<QueueSnapshot> queues) {
    private static final int USUAL_BYTES = 512;

    /** Home loop of the session. */
    public static SessionSnapshot of(ClientSession session, Clock clock) {
        List<StoredSubscription> subscriptions =
                new ArrayList<>(session.subscriptions().size());
        List<QueueSnapshot> queues = new ArrayList<>(session.subscriptions().size());
        session.subscriptionsByKey().forEach((key, subscription) -> {
            subscriptions.add(StoredSubscription.of(key, subscription));
            if (!subscription.isShared() && subscription.queue().durableId() != DeliverySource.NOT_STORED) {
                queues.add(subscription.queue().snapshot());
            }
        });
        RecordBuffer buffer = new RecordBuffer(USUAL_BYTES);
        SessionEntries.all(
                session.storeId(),
                StoredSession.of(session, clock),
                subscriptions,
                session.protocolState(),
                new EntryWriter(buffer));
        return new SessionSnapshot(Arrays.copyOf(buffer.array(), buffer.length()), queues);
    }
}
