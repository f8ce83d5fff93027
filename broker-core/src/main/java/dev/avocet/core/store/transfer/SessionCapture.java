package dev.avocet.core.store.transfer;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.queue.DeliverySource;
import dev.avocet.core.queue.QueueSnapshot;
import dev.avocet.core.queue.SubscriptionQueue;
import dev.avocet.core.session.ClientSession;
import dev.avocet.core.session.ProtocolState;
import dev.avocet.core.store.entry.StoredSession;
import dev.avocet.core.store.entry.StoredSubscription;
import dev.avocet.core.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A stored session as it goes into an export, at one moment.
 *
 * @param isConnected whether its client is here; then nothing else is told
 * @param own the queues of its own subscriptions
 * @param staying messages in flight that are in memory alone
 */
record SessionCapture(
        boolean isConnected,
        StoredSession session,
        List<StoredSubscription> subscriptions,
        List<byte[]> protocol,
        List<Waiting> own,
        int staying) {
    /** Home loop of the session. */
    static SessionCapture of(ClientSession session, Clock clock) {
        List<StoredSubscription> subscriptions = new ArrayList<>();
        List<byte[]> protocol = new ArrayList<>();
        List<Waiting> own = new ArrayList<>();
        int staying = 0;
        boolean isConnected = session.client() != null;
        if (!isConnected) {
            session.subscriptionsByKey().forEach((key, subscription) -> {
                subscriptions.add(StoredSubscription.of(key, subscription));
                SubscriptionQueue queue = subscription.queue();
                if (!subscription.isShared() && queue.durableId() != DeliverySource.NOT_STORED) {
                    own.add(Waiting.of(queue));
                }
            });
            ProtocolState state = session.protocolState();
            if (state != null) {
                state.snapshot(protocol::add);
                staying = state.unstoredInFlight();
            }
        }
        return new SessionCapture(isConnected, StoredSession.of(session, clock), subscriptions, protocol, own, staying);
    }

    /**
     * A queue and what it held.
     *
     * @param stored where the messages in the store lay
     * @param unstored those in memory alone
     */
    record Waiting(SubscriptionQueue queue, QueueSnapshot stored, List<Unstored> unstored) {
        /** Home loop of the queue. */
        static Waiting of(SubscriptionQueue queue) {
            List<Unstored> unstored = new ArrayList<>();
            queue.forEachUnstored((before, message, options) -> unstored.add(new Unstored(before, message, options)));
            return new Waiting(queue, queue.snapshot(), unstored);
        }

        /** Places of the messages in the store, by reference. Any one thread but a loop's, as it takes its time. */
        List<QueueReferences.Place> places() {
            return QueueReferences.of(stored);
        }

        /** Those in memory alone, by where they stand among the others. Any one thread. */
        List<Unstored> unstoredInOrder() {
            List<Unstored> sorted = new ArrayList<>(unstored);
            sorted.sort(Comparator.comparingLong(Unstored::before));
            return sorted;
        }
    }

    /**
     * A message that is in memory alone.
     *
     * @param before the reference before which it stands
     */
    record Unstored(long before, Message message, @Nullable DeliveryOptions options) {}
}
