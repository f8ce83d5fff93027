package dev.avocet.core.store;

import dev.avocet.core.journal.JournalException;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.StoredMessage;
import dev.avocet.core.queue.SubscriptionQueue;
import dev.avocet.core.session.ClientSession;
import dev.avocet.core.session.ProtocolState;
import dev.avocet.core.store.place.DamagedMessageException;
import dev.avocet.core.store.place.MessageReads;
import dev.avocet.core.store.replay.RecoveredSession;
import dev.avocet.core.store.replay.RecoveredState;
import dev.avocet.core.store.write.StoredParts;
import dev.avocet.core.topic.Subscription;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The references of shared subscriptions that an earlier life has begun to deliver to one member, in a way that only
 * this member may complete [MQTT-4.8.2-5]. Each is in flight again as though that member had gone away just now: its
 * session settles it, also when it ends, and no other client gets it.
 *
 * <p>Used by the thread that restores, and by all loops on its behalf.
 */
final class BoundDeliveries {
    private static final int PER_READ = 256;

    private final Map<Long, Map<Long, Owner>> byQueue = new HashMap<>();
    private final List<Found> found = Collections.synchronizedList(new ArrayList<>());

    /** What the sessions of a recovered state say. */
    static BoundDeliveries of(RecoveredState state) {
        BoundDeliveries all = new BoundDeliveries();
        for (RecoveredSession session : state.sessions()) {
            ProtocolState protocol = session.protocolState();
            if (protocol != null) {
                protocol.forEachBound((delivery, queueId, reference) -> all.byQueue
                        .computeIfAbsent(queueId, id -> new HashMap<>())
                        .put(reference, new Owner(session.clientId(), delivery)));
            }
        }
        return all;
    }

    /** Takes a reference that the queue comes to, if it is one of these. Home loop of the queue. */
    boolean take(
            SubscriptionQueue queue,
            long reference,
            long position,
            int storedBytes,
            long deadlineNs,
            @Nullable DeliveryOptions options) {
        Map<Long, Owner> owners = byQueue.get(queue.durableId());
        Owner owner = owners == null ? null : owners.get(reference);
        if (owner == null) {
            return false;
        }
        queue.restoreInFlight(reference, position, storedBytes, deadlineNs, options);
        found.add(new Found(owner, queue, reference, position, storedBytes, options));
        return true;
    }

    /**
     * Reads the messages of what was taken and gives them to the sessions, all of which are there. Waits for the loops.
     */
    void deliver(StoredParts parts, MessageReads reads) throws JournalException {
        for (int from = 0; from < found.size(); from += PER_READ) {
            List<Found> some = found.subList(from, Math.min(found.size(), from + PER_READ));
            @Nullable StoredMessage[] messages = read(some, reads);
            for (int i = 0; i < messages.length; i++) {
                Found one = some.get(i);
                StoredMessage message = messages[i];
                if (message == null) {
                    Restoration.await(
                            one.queue().home(), () -> one.queue().loseInFlight(one.reference(), one.position()));
                    continue;
                }
                ClientSession session =
                        Objects.requireNonNull(parts.sessions().find(one.owner().clientId()));
                Restoration.await(session.home(), () -> one.giveTo(session, message));
            }
        }
    }

    private static @Nullable StoredMessage[] read(List<Found> some, MessageReads reads) throws JournalException {
        @Nullable StoredMessage[] messages = new StoredMessage[some.size()];
        long[] positions = some.stream().mapToLong(Found::position).toArray();
        int[] storedBytes = some.stream().mapToInt(Found::storedBytes).toArray();
        List<JournalException> failures = new ArrayList<>(0);
        reads.read(positions, storedBytes, messages.length, messages, (position, cause) -> {
            if (!(cause instanceof DamagedMessageException)) {
                failures.add(cause);
            }
        });
        if (!failures.isEmpty()) {
            throw failures.get(0);
        }
        return messages;
    }

    /** @param delivery what its session calls the delivery */
    private record Owner(String clientId, int delivery) {}

    private record Found(
            Owner owner,
            SubscriptionQueue queue,
            long reference,
            long position,
            int storedBytes,
            @Nullable DeliveryOptions options) {

        /** Home loop of the session. */
        void giveTo(ClientSession session, StoredMessage message) {
            ProtocolState state = session.protocolState();
            if (state != null) {
                state.restoreInFlight(owner.delivery, queue, message, optionsFor(session));
            }
        }

        @SuppressWarnings("ReferenceEquality") // it is this very queue
        private DeliveryOptions optionsFor(ClientSession session) {
            for (Subscription subscription : session.subscriptions()) {
                if (subscription.queue() == queue) {
                    return DeliveryOptions.orOwn(options, subscription.options());
                }
            }
            // unsubscribed since: what it was sent it still completes
            return options == null
                    ? new DeliveryOptions(QualityOfService.EXACTLY_ONCE, false, false, DeliveryOptions.NO_IDENTIFIERS)
                    : options;
        }
    }
}
