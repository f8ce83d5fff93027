package dev.avocet.dist.fault;

import java.io.IOException;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Publishes the numbers from 0 on at QoS 1, some in flight at a time, and knows which the broker has taken and which it
 * has refused. What is refused is not offered again.
 */
final class Offering extends Party {
    private static final int WINDOW = 20;
    private static final int PAYLOAD_BYTES = 2_048;
    private static final int PAUSE_MS = 10;
    private static final int QUOTA_EXCEEDED = 0x97;

    private final String topic;
    private final byte[] rest = new byte[PAYLOAD_BYTES - Integer.BYTES];
    /** Numbers by packet identifier, in the order of publication. */
    private final Map<Integer, Integer> inFlight = new LinkedHashMap<>();

    private final BitSet accepted = new BitSet();
    private final BitSet refused = new BitSet();
    private int next;
    private int nextPacketId = 1;
    private volatile int acceptedCount;
    private volatile int refusedCount;
    private volatile boolean finishing;

    Offering(int port, String clientId, int protocolLevel, String topic) {
        super(port, clientId, protocolLevel);
        this.topic = topic;
    }

    int acceptedCount() {
        return acceptedCount;
    }

    int refusedCount() {
        return refusedCount;
    }

    /** No new numbers; ends when each in flight is answered. */
    void finish() {
        finishing = true;
    }

    /** Once it has ended. */
    BitSet accepted() {
        return accepted;
    }

    /** Once it has ended. */
    BitSet refused() {
        return refused;
    }

    @Override
    protected void serve(WireClient client) throws IOException {
        for (Map.Entry<Integer, Integer> entry : inFlight.entrySet()) {
            client.publish(topic, 1, true, entry.getKey(), entry.getValue(), rest);
        }
        while (isHere() && !(finishing && inFlight.isEmpty())) {
            while (!finishing && inFlight.size() < WINDOW) {
                publishNext(client);
            }
            client.flush();
            do {
                onReceived(client.read());
            } while (client.hasInput());
            pause(PAUSE_MS);
        }
        if (finishing) {
            stop();
        }
    }

    private void publishNext(WireClient client) throws IOException {
        int packetId = nextPacketId;
        nextPacketId = nextPacketId == 65_535 ? 1 : nextPacketId + 1;
        inFlight.put(packetId, next);
        client.publish(topic, 1, false, packetId, next, rest);
        next++;
    }

    private void onReceived(WireClient.Received packet) {
        Integer number = inFlight.remove(packet.packetId());
        if (packet.type() != WireClient.PUBACK || number == null) {
            complain("received a packet of type " + packet.type() + " for " + packet.packetId());
        } else if (packet.reasonCode() == QUOTA_EXCEEDED) {
            refused.set(number);
            refusedCount++;
        } else if (packet.reasonCode() == 0) {
            accepted.set(number);
            acceptedCount++;
            sessionIsDurable();
        } else {
            complain("was told reason code " + packet.reasonCode());
        }
    }
}
