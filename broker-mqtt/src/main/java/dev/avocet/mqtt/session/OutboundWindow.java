package dev.avocet.mqtt.session;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.queue.transit.DeliverySource;
import dev.avocet.core.queue.transit.Unsettled;
import dev.avocet.core.session.ProtocolState.BoundVisitor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The QoS 1 and QoS 2 deliveries of a session that the client has yet to complete, by packet identifier.
 *
 * <p>Identifiers are given out in turn, 1 to 65535, skipping those still in use, and a slot is found by the
 * identifier's low bits; so opening and closing cost a few instructions and no allocation once the table has grown to
 * the window in use. Nothing is allocated before the first delivery.
 *
 * <p>Where the session is stored, it notes which reference goes out under which identifier, and what the client says to
 * it.
 */
public final class OutboundWindow {
    private static final int FIRST_CAPACITY = 16;
    private static final int MAX_CAPACITY = 1 << 16;
    private static final int MAX_PACKET_ID = 65_535;
    private static final InFlight[] NONE = {};

    private InFlight[] slots = NONE;
    private int size;
    private int nextPacketId = 1;

    // of a session that is stored
    private @Nullable StateLog log;
    private @Nullable ReservedIds reserved;
    /** Deliveries of an earlier life whose slots others are in. */
    private @Nullable Map<Integer, InFlight> displaced;
    /** Identifiers in use lie among this many before the next one. */
    private int span;

    void log(@Nullable StateLog stateLog) {
        log = stateLog;
    }

    /** Deliveries in flight. */
    public int size() {
        return size;
    }

    /**
     * Opens a delivery under a packet identifier that is not in use [MQTT-2.2.1-4]. The caller keeps {@code size} below
     * 65535.
     */
    public InFlight open(Message message, DeliveryOptions options, DeliverySource source, long reference) {
        if (size >= slots.length - (slots.length >> 2)) {
            grow();
        }
        int packetId;
        InFlight slot;
        int before = nextPacketId;
        if (reserved == null && displaced == null) {
            do {
                packetId = nextPacketId;
                nextPacketId = after(packetId);
                slot = slots[packetId & (slots.length - 1)];
            } while (slot.isOpen());
        } else {
            packetId = nextFree();
            slot = slotFor(packetId);
        }
        span = Math.min(span + ((nextPacketId - before) & MAX_PACKET_ID), MAX_PACKET_ID);
        slot.open(packetId, message, options, source, reference);
        size++;
        return slot;
    }

    /** Opens a delivery that is to survive: its packet identifier is written with its reference. */
    public InFlight openKept(Message message, DeliveryOptions options, DeliverySource source, long reference) {
        InFlight delivery = open(message, options, source, reference);
        noteInFlight(delivery);
        return delivery;
    }

    /**
     * Opens the delivery of a reference that the client may know from an earlier life, under the identifier from then.
     */
    public InFlight open(
            ReservedId reservedId, Message message, DeliveryOptions options, DeliverySource source, long reference) {
        release(reservedId);
        InFlight slot = slotFor(reservedId.packetId());
        slot.open(reservedId.packetId(), message, options, source, reference);
        slot.keep();
        slot.sent();
        size++;
        return slot;
    }

    /** True while packet identifiers are reserved for references that wait in their queues again. */
    public boolean hasReserved() {
        return reserved != null;
    }

    /**
     * The identifier that is reserved for a reference which its queue delivers now, or null. Those of references before
     * it in the queue are free from now on: they would have come first.
     */
    public @Nullable ReservedId reservedFor(long queueId, long reference) {
        ReservedIds ids = reserved;
        if (ids == null) {
            return null;
        }
        ReservedId found = ids.find(queueId, reference);
        dropReservedIfEmpty();
        return found;
    }

    /** The reference comes to its end without being sent. */
    public void release(ReservedId reservedId) {
        if (reserved != null) {
            reserved.remove(reservedId.packetId());
            dropReservedIfEmpty();
        }
    }

    /** A queue is no longer the session's: its references do not come again. */
    public void forgetQueue(long queueId) {
        if (reserved != null) {
            reserved.removeQueue(queueId);
            dropReservedIfEmpty();
        }
    }

    /** The delivery under this packet identifier, or null. */
    public @Nullable InFlight find(int packetId) {
        if (size == 0 || packetId == 0) {
            return null;
        }
        InFlight slot = slots[packetId & (slots.length - 1)];
        if (slot.packetId() == packetId) {
            return slot;
        }
        return displaced == null ? null : displaced.get(packetId);
    }

    /** True when what was written of the delivery is durable, or nothing was: PUBLISH or PUBREL may be sent. */
    public boolean isCommitted(InFlight delivery) {
        return log == null || log.isCommitted(delivery.batch());
    }

    /** The client has the message of a QoS 2 delivery. PUBREL may be sent once that {@link #isCommitted}. */
    public void received(InFlight delivery) {
        boolean isNews = !delivery.isAwaitingCompletion();
        delivery.received();
        if (log != null && isNews) {
            delivery.writtenWith(log.note(StateChange.RECEIVED, delivery.packetId()));
        }
    }

    /** Writes once more what is not durable yet, as it was written on a loop that the session has left. */
    public void noteAgain(InFlight delivery) {
        if (isCommitted(delivery) || log == null) {
            return;
        }
        if (delivery.isAwaitingCompletion()) {
            delivery.writtenWith(log.note(StateChange.RECEIVED, delivery.packetId()));
        } else {
            noteInFlight(delivery);
        }
    }

    /** The client has completed the delivery; its message, if still there, is settled. */
    public void complete(InFlight delivery) {
        if (log != null && delivery.isAwaitingCompletion()) {
            log.note(StateChange.COMPLETED, delivery.packetId());
        }
        delivery.settle();
        drop(delivery);
    }

    /** Forgets a delivery without settling its message, which the caller gives back or settles. */
    public void drop(InFlight delivery) {
        if (displaced != null) {
            displaced.remove(delivery.packetId(), delivery);
            displaced = displaced.isEmpty() ? null : displaced;
        }
        delivery.close();
        size--;
    }

    /** The deliveries in the order in which they were opened. */
    public List<InFlight> inOrder() {
        List<InFlight> open = new ArrayList<>(size);
        for (InFlight slot : slots) {
            if (slot.isOpen()) {
                open.add(slot);
            }
        }
        if (displaced != null) {
            open.addAll(displaced.values());
        }
        open.sort(Comparator.comparingInt(slot -> (slot.packetId() - nextPacketId) & MAX_PACKET_ID));
        return open;
    }

    /**
     * Adds which identifiers have become free, as QoS 1 deliveries end without a word. Costs one step for each that was
     * given out.
     */
    void addCompleted(StateEntryWriter entry) {
        for (; span > 0; span--) {
            int packetId = (nextPacketId - span) & MAX_PACKET_ID;
            if (isTaken(packetId)) {
                return;
            }
            if (packetId != 0) {
                entry.add(StateChange.COMPLETED, packetId);
            }
        }
    }

    void snapshot(StateEntryWriter entry) {
        if (reserved != null) {
            for (ReservedId id : reserved.inOrder()) {
                entry.add(inFlightAt(id.qos()), id.packetId(), id.queueId(), id.reference());
            }
        }
        for (InFlight delivery : inOrder()) {
            if (!delivery.isKept()) {
                continue;
            }
            if (delivery.isAwaitingCompletion()) {
                entry.add(StateChange.RECEIVED, delivery.packetId());
            } else {
                entry.add(inFlightAt(delivery.qos()), delivery.packetId(), delivery.queueId(), delivery.reference());
            }
        }
        if (nextPacketId != 1) {
            entry.add(StateChange.NEXT, nextPacketId); // last, as each delivery in flight has moved it on
        }
    }

    void restoreInFlight(int packetId, QualityOfService qos, long queueId, long reference) {
        restoreCompleted(packetId);
        if (reserved == null) {
            reserved = new ReservedIds();
        }
        reserved.add(new ReservedId(packetId, qos, queueId, reference));
        nextPacketId = after(packetId);
    }

    /** Shows the reservations for deliveries at one level. */
    void forEachReserved(QualityOfService qos, BoundVisitor visitor) {
        if (reserved != null) {
            for (ReservedId id : reserved.inOrder()) {
                if (id.qos() == qos) {
                    visitor.onBound(id.packetId(), id.queueId(), id.reference());
                }
            }
        }
    }

    /** The message of a reserved identifier is here: it is in flight to a client that is away. */
    void restoreMessage(int packetId, DeliverySource source, Message message, DeliveryOptions options) {
        ReservedId id = reserved == null ? null : reserved.get(packetId);
        if (id != null) {
            open(id, message, id.fit(options), source, id.reference()).outstanding(false);
        }
    }

    void restoreReceived(int packetId) {
        restoreCompleted(packetId);
        slotFor(packetId).restoreReceived(packetId);
        size++;
    }

    void restoreCompleted(int packetId) {
        InFlight delivery = find(packetId);
        if (delivery != null) {
            drop(delivery);
        }
        if (reserved != null) {
            reserved.remove(packetId);
            dropReservedIfEmpty();
        }
    }

    void restoreNext(int packetId) {
        nextPacketId = packetId;
    }

    /** Everything is restored, and these queues are the session's. */
    void restored(Set<Long> queueIds) {
        if (reserved != null) {
            reserved.retainQueues(queueIds);
            dropReservedIfEmpty();
        }
        span = 0;
        for (InFlight delivery : inOrder()) {
            include(delivery.packetId());
        }
        if (reserved != null) {
            reserved.inOrder().forEach(id -> include(id.packetId()));
        }
    }

    private void include(int packetId) {
        span = Math.max(span, (nextPacketId - packetId) & MAX_PACKET_ID);
    }

    private void noteInFlight(InFlight delivery) {
        if (log != null) {
            long batch =
                    log.note(inFlightAt(delivery.qos()), delivery.packetId(), delivery.queueId(), delivery.reference());
            // at QoS 1 no exchange waits: lost, it is sent again under another identifier
            delivery.writtenWith(delivery.qos() == QualityOfService.EXACTLY_ONCE ? batch : StateLog.NO_BATCH);
        }
    }

    private static StateChange inFlightAt(QualityOfService qos) {
        return qos == QualityOfService.EXACTLY_ONCE
                ? StateChange.IN_FLIGHT_EXACTLY_ONCE
                : StateChange.IN_FLIGHT_AT_LEAST_ONCE;
    }

    private static int after(int packetId) {
        return packetId == MAX_PACKET_ID ? 1 : packetId + 1;
    }

    private boolean isTaken(int packetId) {
        return find(packetId) != null || (reserved != null && reserved.contains(packetId));
    }

    /** The next identifier that is neither in use nor reserved; where there is none, one reservation is given up. */
    private int nextFree() {
        if (reserved != null && size + reserved.size() >= MAX_PACKET_ID) {
            reserved.giveUpOne();
            dropReservedIfEmpty();
        }
        int packetId;
        do {
            packetId = nextPacketId;
            nextPacketId = after(packetId);
        } while (isTaken(packetId));
        return packetId;
    }

    private void dropReservedIfEmpty() {
        if (reserved != null && reserved.isEmpty()) {
            reserved = null;
        }
    }

    /** A closed slot for this very identifier, where its own is taken one beside the table. */
    private InFlight slotFor(int packetId) {
        if (size >= slots.length - (slots.length >> 2)) {
            grow();
        }
        InFlight slot = slots[packetId & (slots.length - 1)];
        if (!slot.isOpen()) {
            return slot;
        }
        InFlight beside = new InFlight();
        if (displaced == null) {
            displaced = new HashMap<>();
        }
        displaced.put(packetId, beside);
        return beside;
    }

    private void grow() {
        if (slots.length == MAX_CAPACITY) {
            return;
        }
        InFlight[] larger = new InFlight[Math.max(FIRST_CAPACITY, slots.length * 2)];
        for (InFlight slot : slots) {
            if (slot.isOpen()) {
                larger[slot.packetId() & (larger.length - 1)] = slot;
            }
        }
        for (int i = 0; i < larger.length; i++) {
            if (larger[i] == null) {
                larger[i] = new InFlight();
            }
        }
        slots = larger;
    }

    /** A delivery that the client can know of. */
    public @Nullable InFlight findSent(int packetId) {
        InFlight delivery = find(packetId);
        return delivery != null && delivery.wasSent() ? delivery : null;
    }

    /** Removes the QoS 1 deliveries of one source that were not acknowledged, in their order. */
    public List<Unsettled> takeBack(DeliverySource source) {
        List<Unsettled> back = new ArrayList<>();
        for (InFlight delivery : inOrder()) {
            Message message = delivery.message();
            if (message != null && delivery.isFrom(source) && delivery.qos() == QualityOfService.AT_LEAST_ONCE) {
                back.add(new Unsettled(message, delivery.reference(), 1)); // consumers of other protocols count
                drop(delivery);
            }
        }
        return back;
    }
}
