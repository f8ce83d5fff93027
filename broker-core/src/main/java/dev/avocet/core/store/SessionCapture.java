package dev.avocet.core.store;

import dev.avocet.core.queue.DeliverySource;
import dev.avocet.core.queue.MessageQueue;
import dev.avocet.core.session.ClientSession;
import dev.avocet.core.session.ProtocolState;
import dev.avocet.core.time.Clock;
import java.util.ArrayList;
import java.util.List;

/**
 * A stored session as it goes into an export, at one moment.
 *
 * @param isConnected whether its client is here; then nothing else is told
 * @param own the queues of its own subscriptions
 */
record SessionCapture(
        boolean isConnected,
        StoredSession session,
        List<StoredSubscription> subscriptions,
        List<byte[]> protocol,
        List<Waiting> own) {
    /** Home loop of the session. */
    static SessionCapture of(ClientSession session, Clock clock) {
        List<StoredSubscription> subscriptions = new ArrayList<>();
        List<byte[]> protocol = new ArrayList<>();
        List<Waiting> own = new ArrayList<>();
        boolean isConnected = session.client() != null;
        if (!isConnected) {
            session.subscriptionsByKey().forEach((key, subscription) -> {
                subscriptions.add(StoredSubscription.of(key, subscription));
                MessageQueue queue = subscription.queue();
                if (!subscription.isShared() && queue.durableId() != DeliverySource.NOT_STORED) {
                    own.add(Waiting.of(queue));
                }
            });
            ProtocolState state = session.protocolState();
            if (state != null) {
                state.snapshot(protocol::add);
            }
        }
        return new SessionCapture(isConnected, StoredSession.of(session, clock), subscriptions, protocol, own);
    }

    /** A queue and what it held. */
    record Waiting(MessageQueue queue, List<QueueReferences.Place> places) {
        /** Home loop of the queue. */
        static Waiting of(MessageQueue queue) {
            return new Waiting(queue, QueueReferences.of(queue.snapshot()));
        }
    }
}
