package dev.avocet.core.store.transfer;

import dev.avocet.core.journal.JournalException;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.StoredMessage;
import dev.avocet.core.queue.transit.DeliverySource;
import dev.avocet.core.session.ClientSession;
import dev.avocet.core.session.ProtocolState;
import dev.avocet.core.session.ProtocolState.ReferenceMap;
import dev.avocet.core.session.ShareMismatchException;
import dev.avocet.core.session.Subscribed;
import dev.avocet.core.session.SubscriptionRequest;
import dev.avocet.core.store.entry.StoredSession;
import dev.avocet.core.store.entry.StoredSubscription;
import dev.avocet.core.store.transfer.QueueReferences.Place;
import dev.avocet.core.store.write.RunningStore;
import dev.avocet.core.store.write.StoredParts;
import dev.avocet.core.time.Clock;
import dev.avocet.core.topic.Subscription;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A session of an export on its way into the broker. Its client, when it connects, waits until it is complete; a broker
 * that is killed before forgets it. Each method is for the session's home loop.
 */
final class ImportedSession {
    private final StoredParts parts;
    private final RunningStore store;
    private final Clock clock;
    private final IoLoop home;
    private final StoredSession described;
    private @Nullable ClientSession session;

    ImportedSession(StoredParts parts, RunningStore store, Clock clock, IoLoop home, StoredSession described) {
        this.parts = parts;
        this.store = store;
        this.clock = clock;
        this.home = home;
        this.described = described;
    }

    String clientId() {
        return described.clientId();
    }

    IoLoop home() {
        return home;
    }

    /**
     * Makes the session with its subscriptions.
     *
     * @param queues by their numbers in the export; those of the session are added
     * @return what is in the way, or null
     */
    @Nullable String open(List<StoredSubscription> subscriptions, Map<Long, ImportedQueue> queues) {
        ClientSession made;
        try {
            made = parts.sessions().beginImport(described.clientId(), home);
        } catch (IllegalStateException e) {
            return String.valueOf(e.getMessage());
        }
        session = made;
        made.userName(described.userName());
        store.beginSession(made);
        try {
            for (StoredSubscription subscription : subscriptions) {
                Subscribed subscribed = parts.subscriptions().prepare(made, request(subscription));
                queues.computeIfAbsent(
                        subscription.queueId(),
                        id -> new ImportedQueue(subscribed.subscription().queue(), subscribed.isNew(), store));
            }
        } catch (ShareMismatchException e) {
            abandon();
            return String.valueOf(e.getMessage());
        }
        return null;
    }

    private static SubscriptionRequest request(StoredSubscription exported) {
        return new SubscriptionRequest(
                exported.key(),
                exported.filter(),
                exported.group(),
                exported.options(),
                exported.noLocal(),
                exported.limits(),
                exported.takes(),
                exported.selector());
    }

    /** What the front end kept. */
    void restore(List<byte[]> protocol, ProtocolState state, Map<Long, ImportedQueue> queues) throws JournalException {
        ReferenceMap map = new ReferenceMap() {
            @Override
            public long queueId(long there) {
                ImportedQueue queue = queues.get(there);
                return queue == null ? DeliverySource.NOT_STORED : queue.queue().durableId();
            }

            @Override
            public long reference(long queueIdThere, long there) {
                ImportedQueue queue = queues.get(queueIdThere);
                return queue == null ? DeliverySource.NOT_STORED : queue.reference(there);
            }
        };
        for (byte[] entry : protocol) {
            state.replay(entry, 0, entry.length, map);
        }
        open().protocolState(state);
    }

    /** The deliveries of shared subscriptions that only this session may complete. */
    static List<Bound> bound(ProtocolState state, Map<Long, ImportedQueue> queues) {
        Map<Long, ImportedQueue> byId = new HashMap<>();
        queues.values().forEach(each -> byId.put(each.queue().durableId(), each));
        List<Bound> all = new ArrayList<>();
        state.forEachBound((delivery, queueId, reference) -> {
            ImportedQueue queue = byId.get(queueId);
            Place place = queue == null ? null : queue.takeBound(reference);
            if (place != null) {
                all.add(new Bound(delivery, queue, place));
            }
        });
        return all;
    }

    /** A delivery is in flight again. */
    void deliver(Bound one, StoredMessage message, ProtocolState state) {
        state.restoreInFlight(one.delivery(), one.queue().queue(), message, optionsOf(one));
    }

    @SuppressWarnings("ReferenceEquality") // it is this very queue
    private DeliveryOptions optionsOf(Bound one) {
        DeliveryOptions own = open().subscriptions().stream()
                .filter(each -> each.queue() == one.queue().queue())
                .map(Subscription::options)
                .findFirst()
                .orElseThrow();
        return DeliveryOptions.orOwn(one.place().options(), own);
    }

    /** Everything is there: writes what makes it survive. The answer completes when the client may have it. */
    void complete(CompletableFuture<Boolean> answer) {
        ClientSession made = open();
        if (made.hasEnded()) {
            answer.complete(false);
            return;
        }
        ProtocolState state = made.protocolState();
        if (state != null) {
            state.onRestored(made);
            state.snapshot(entry -> Objects.requireNonNull(made.log()).write(entry, 0, entry.length));
        }
        long awayMs = Math.max(0, clock.wallTimeMs() - described.disconnectedWallMs());
        long awaySinceNs = clock.nanoTime() - TimeUnit.MILLISECONDS.toNanos(awayMs);
        parts.sessions().describeImported(made, described.expirySeconds(), described.will(), awaySinceNs);
        store.writer(home).afterCommit(position -> {
            if (!made.hasEnded()) {
                parts.subscriptions().activate(made);
                parts.sessions().release(made);
            }
            answer.complete(true);
        });
    }

    /** Takes away what is there of it. */
    void abandon() {
        ClientSession made = session;
        if (made != null && !made.hasEnded()) {
            parts.subscriptions().activate(made); // so that others who share stay with their messages
            made.will(null);
            parts.sessions().delete(made);
        }
    }

    private ClientSession open() {
        ClientSession made = session;
        if (made == null) {
            throw new IllegalStateException(described.clientId() + " has no session yet");
        }
        return made;
    }

    /** @param delivery what the session calls it */
    record Bound(int delivery, ImportedQueue queue, Place place) {}
}
