package dev.avocet.core.store.transfer;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.queue.SubscriptionQueue;
import dev.avocet.core.queue.line.UnstoredSnapshot;
import dev.avocet.core.queue.reference.QueueSnapshot;
import dev.avocet.core.queue.transit.DeliverySource;
import dev.avocet.core.session.ClientSession;
import dev.avocet.core.session.ProtocolState;
import dev.avocet.core.store.entry.StoredSession;
import dev.avocet.core.store.entry.StoredSubscription;
import dev.avocet.core.time.Clock;
import dev.avocet.core.topic.Subscription;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A stored session as it goes into an export. What its front end keeps is taken in one turn of its home loop, as it is
 * bounded; its subscriptions and the queues of its own in as many turns as that takes, while the loop serves its
 * clients in between. A queue is seen at one moment, and looked through afterwards on the thread that exports.
 */
final class SessionCapture {
    /** After this the loop goes on with its clients. */
    private static final long TURN_NS = 1_000_000;

    private final ClientSession session;
    private final Clock clock;
    private final StoredSession described;
    private final long disconnectedAtNs;
    private final Iterator<String> keys;
    private final List<StoredSubscription> subscriptions = new ArrayList<>();
    private final List<byte[]> protocol = new ArrayList<>();
    private final List<Waiting> own = new ArrayList<>();
    private final int staying;
    private boolean connected;

    private SessionCapture(ClientSession session, Clock clock) {
        this.session = session;
        this.clock = clock;
        described = StoredSession.of(session, clock);
        disconnectedAtNs = session.disconnectedAtNs();
        keys = List.copyOf(session.subscriptionsByKey().keySet()).iterator();
        ProtocolState state = session.client() == null ? session.protocolState() : null;
        if (state != null) {
            state.snapshot(protocol::add);
        }
        staying = state == null ? 0 : state.unstoredInFlight();
    }

    /** Begins with a session; {@link #gather} goes on until it has all of it. Home loop of the session. */
    static SessionCapture begin(ClientSession session, Clock clock) {
        return new SessionCapture(session, clock);
    }

    /**
     * Takes some more; when its client has come, nothing more is told. Home loop of the session.
     *
     * @return true when there is more, for a later turn of the loop
     */
    boolean gather() {
        connected |= session.client() != null || session.disconnectedAtNs() != disconnectedAtNs;
        long beganNs = clock.nanoTime();
        boolean hasTime = true;
        while (!connected && hasTime && keys.hasNext()) {
            take(keys.next());
            hasTime = clock.nanoTime() - beganNs < TURN_NS;
        }
        return !connected && keys.hasNext();
    }

    private void take(String key) {
        Subscription subscription = session.subscription(key);
        if (subscription == null) {
            return; // an administrator has taken it away meanwhile
        }
        subscriptions.add(StoredSubscription.of(key, subscription));
        SubscriptionQueue queue = subscription.queue();
        if (!subscription.isShared() && queue.durableId() != DeliverySource.NOT_STORED) {
            own.add(Waiting.of(queue));
        }
    }

    boolean isOf(ClientSession other) {
        return session == other;
    }

    /** Whether its client was here meanwhile; then it says nothing else. */
    boolean isConnected() {
        return connected;
    }

    StoredSession session() {
        return described;
    }

    List<StoredSubscription> subscriptions() {
        return subscriptions;
    }

    List<byte[]> protocol() {
        return protocol;
    }

    /** The queues of its own subscriptions. */
    List<Waiting> own() {
        return own;
    }

    /** Messages in flight that are in memory alone. */
    int staying() {
        return staying;
    }

    /**
     * A queue and what it held.
     *
     * @param stored where the messages in the store lay
     * @param unstored those in memory alone
     */
    record Waiting(SubscriptionQueue queue, QueueSnapshot stored, UnstoredSnapshot unstored) {
        /** Little work, however much the queue holds. Home loop of the queue. */
        static Waiting of(SubscriptionQueue queue) {
            return new Waiting(queue, queue.snapshot(), queue.unstored());
        }

        /** Places of the messages in the store, by reference. Any one thread but a loop's, as it takes its time. */
        List<QueueReferences.Place> places() {
            return QueueReferences.of(stored);
        }

        /** Those in memory alone, by where they stand among the others. Any one thread but a loop's, likewise. */
        List<Unstored> unstoredInOrder() {
            List<Unstored> sorted = new ArrayList<>();
            unstored.forEach((before, message, options) -> sorted.add(new Unstored(before, message, options)));
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
