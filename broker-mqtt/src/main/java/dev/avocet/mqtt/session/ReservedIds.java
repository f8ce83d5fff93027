package dev.avocet.mqtt.session;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The packet identifiers that wait for their references to be delivered again. A queue delivers the references of an
 * earlier life in their order and before all others: once it has come to a later one, those before are over and their
 * identifiers are free.
 *
 * <p>Owned by the session's home loop.
 */
final class ReservedIds {
    private final Map<Integer, ReservedId> byPacketId = new HashMap<>();
    /** In the order of their references; made with the first delivery, when no more are added. */
    private @Nullable Map<Long, Deque<ReservedId>> byQueue;

    void add(ReservedId reserved) {
        byPacketId.put(reserved.packetId(), reserved);
        byQueue = null;
    }

    void remove(int packetId) {
        byPacketId.remove(packetId);
    }

    @Nullable ReservedId get(int packetId) {
        return byPacketId.get(packetId);
    }

    boolean contains(int packetId) {
        return byPacketId.containsKey(packetId);
    }

    boolean isEmpty() {
        return byPacketId.isEmpty();
    }

    int size() {
        return byPacketId.size();
    }

    Collection<ReservedId> inOrder() {
        List<ReservedId> all = new ArrayList<>(byPacketId.values());
        all.sort(Comparator.comparingLong(ReservedId::queueId).thenComparingLong(ReservedId::reference));
        return all;
    }

    /** The identifier of a reference that its queue is about to deliver; those of earlier references are given up. */
    @Nullable ReservedId find(long queueId, long reference) {
        Deque<ReservedId> waiting = byQueue().get(queueId);
        if (waiting == null) {
            return null;
        }
        for (ReservedId next = waiting.peek(); next != null; next = waiting.peek()) {
            boolean isCurrent = next.equals(byPacketId.get(next.packetId()));
            if (isCurrent && next.reference() >= reference) {
                return next.reference() == reference ? next : null;
            }
            waiting.poll();
            if (isCurrent) {
                byPacketId.remove(next.packetId());
            }
        }
        byQueue().remove(queueId);
        return null;
    }

    /** Gives up the identifiers of all other queues than these. */
    void retainQueues(Set<Long> queueIds) {
        byPacketId.values().removeIf(reserved -> !queueIds.contains(reserved.queueId()));
    }

    /** Gives up the identifiers of a queue. */
    void removeQueue(long queueId) {
        byPacketId.values().removeIf(reserved -> reserved.queueId() == queueId);
    }

    /** Gives one identifier up, as no other is left; there must be one. */
    void giveUpOne() {
        Iterator<ReservedId> any = byPacketId.values().iterator();
        any.next();
        any.remove();
    }

    private Map<Long, Deque<ReservedId>> byQueue() {
        Map<Long, Deque<ReservedId>> present = byQueue;
        if (present == null) {
            present = new HashMap<>();
            for (ReservedId reserved : inOrder()) {
                present.computeIfAbsent(reserved.queueId(), id -> new ArrayDeque<>())
                        .add(reserved);
            }
            byQueue = present;
        }
        return present;
    }
}
