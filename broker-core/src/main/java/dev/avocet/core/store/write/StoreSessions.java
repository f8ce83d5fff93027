package dev.avocet.core.store.write;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.queue.MessageQueue;
import dev.avocet.core.queue.SubscriptionQueue;
import dev.avocet.core.queue.transit.DeliverySource;
import dev.avocet.core.session.ClientSession;
import dev.avocet.core.session.SessionStore;
import dev.avocet.core.session.SubscriptionRequest;
import dev.avocet.core.store.entry.EntryKind;
import dev.avocet.core.store.entry.EntryWriter;
import dev.avocet.core.store.entry.SessionEntries;
import dev.avocet.core.store.entry.StoredSession;
import dev.avocet.core.store.entry.StoredSubscription;
import dev.avocet.core.topic.Subscription;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Writes the changes of sessions that outlive their connections, and of their subscriptions. A session is stored from
 * the moment on that it has an expiry interval until it ends.
 */
public final class StoreSessions implements SessionStore {
    private final RunningStore store;
    private final AtomicLong nextSessionId;
    private final AtomicLong nextQueueId;

    public StoreSessions(RunningStore store, long nextSessionId, long nextQueueId) {
        this.store = store;
        this.nextSessionId = new AtomicLong(nextSessionId);
        this.nextQueueId = new AtomicLong(nextQueueId);
    }

    /** Higher than any number that a session was given. Any thread. */
    public long nextSessionId() {
        return nextSessionId.get();
    }

    /** Higher than any number that a queue was given. Any thread. */
    public long nextQueueId() {
        return nextQueueId.get();
    }

    /** A number for another queue. Any thread. */
    public long takeQueueId() {
        return nextQueueId.getAndIncrement();
    }

    /** A session is written from now on, whatever its expiry interval is. */
    public void begin(ClientSession session) {
        session.stored(nextSessionId.getAndIncrement(), new StoredSessionLog(store, session));
        changed(session);
    }

    @Override
    public void changed(ClientSession session) {
        if (session.storeId() == 0) {
            if (session.expirySeconds() == 0) {
                return;
            }
            session.stored(nextSessionId.getAndIncrement(), new StoredSessionLog(store, session));
        }
        StoreWriter writer = store.writer(session.home());
        SessionEntries.session(
                session.storeId(), StoredSession.of(session, session.home().clock()), writer.begin(EntryKind.SESSION));
        writer.end();
    }

    @Override
    public void ended(ClientSession session) {
        if (session.storeId() != 0) {
            StoreWriter writer = store.writer(session.home());
            writer.begin(EntryKind.SESSION_ENDED).number(session.storeId());
            writer.end();
        }
    }

    @Override
    public void subscribed(ClientSession session, SubscriptionRequest request, Subscription subscription) {
        if (session.storeId() == 0) {
            return;
        }
        MessageQueue queue = subscription.queue();
        if (queue.durableId() == DeliverySource.NOT_STORED) {
            queue.makeDurable(nextQueueId.getAndIncrement(), store);
        }
        StoreWriter writer = store.writer(session.home());
        SessionEntries.subscription(
                session.storeId(),
                StoredSubscription.of(request.key(), subscription),
                writer.begin(EntryKind.SUBSCRIPTION));
        writer.end();
    }

    @Override
    public void unsubscribed(ClientSession session, String key) {
        if (session.storeId() != 0) {
            StoreWriter writer = store.writer(session.home());
            EntryWriter entry = writer.begin(EntryKind.UNSUBSCRIPTION);
            entry.number(session.storeId());
            entry.putText(key);
            writer.end();
        }
    }

    @Override
    public void queueEnded(SubscriptionQueue queue, IoLoop caller) {
        if (queue.durableId() != DeliverySource.NOT_STORED) {
            StoreWriter writer = store.writer(caller);
            writer.begin(EntryKind.QUEUE_ENDED).number(queue.durableId());
            writer.end();
        }
    }
}
