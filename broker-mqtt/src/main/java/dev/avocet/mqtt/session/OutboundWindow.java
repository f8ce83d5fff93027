package dev.avocet.mqtt.session;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.queue.DeliverySource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The QoS 1 and QoS 2 deliveries of a session that the client has yet to complete, by packet identifier.
 *
 * <p>Identifiers are given out in turn, 1 to 65535, skipping those still in use, and a slot is found by the identifier's low bits;
 * so opening and closing cost a few instructions and no allocation once the table has grown to the window in use. Nothing is
 * allocated before the first delivery.
 */
public final class OutboundWindow {
    private static final int FIRST_CAPACITY = 16;
    private static final int MAX_CAPACITY = 1 << 16;
    private static final int MAX_PACKET_ID = 65_535;
    private static final InFlight[] NONE = {};

    private InFlight[] slots = NONE;
    private int size;
    private int nextPacketId = 1;

    /** Deliveries in flight. */
    public int size() {
        return size;
    }

    /** Opens a delivery under a packet identifier that is not in use [MQTT-2.2.1-4]. The caller keeps {@code size} below 65535. */
    public InFlight open(Message message, DeliveryOptions options, DeliverySource source, long reference) {
        if (size >= slots.length - (slots.length >> 2)) {
            grow();
        }
        InFlight slot;
        int packetId;
        do {
            packetId = nextPacketId;
            nextPacketId = packetId == MAX_PACKET_ID ? 1 : packetId + 1;
            slot = slots[packetId & (slots.length - 1)];
        } while (slot.isOpen());
        slot.open(packetId, message, options, source, reference);
        size++;
        return slot;
    }

    /** The delivery under this packet identifier, or null. */
    public @Nullable InFlight find(int packetId) {
        if (size == 0) {
            return null;
        }
        InFlight slot = slots[packetId & (slots.length - 1)];
        return slot.packetId() == packetId && packetId != 0 ? slot : null;
    }

    /** The client has completed the delivery; its message, if still there, is settled. */
    public void complete(InFlight delivery) {
        delivery.settle();
        drop(delivery);
    }

    /** Forgets a delivery without settling its message, which the caller gives back. */
    public void drop(InFlight delivery) {
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
        open.sort(Comparator.comparingInt(slot -> (slot.packetId() - nextPacketId) & MAX_PACKET_ID));
        return open;
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
}
