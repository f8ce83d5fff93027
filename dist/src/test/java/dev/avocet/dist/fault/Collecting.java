package dev.avocet.dist.fault;

import java.io.IOException;
import java.util.BitSet;

/**
 * Receives the numbers of one topic at QoS 1 and knows which have come. Those that come for the first time must ascend;
 * some may be missing.
 */
final class Collecting extends Party {
    private final String topic;
    private final BitSet received = new BitSet();
    private boolean subscribed;
    private volatile int receivedCount;
    private volatile boolean ready;

    Collecting(int port, String clientId, String topic) {
        super(port, clientId);
        this.topic = topic;
    }

    boolean isReady() {
        return ready;
    }

    /** Different numbers. */
    int receivedCount() {
        return receivedCount;
    }

    /** Once nothing comes any more. */
    BitSet received() {
        return received;
    }

    @Override
    protected void serve(WireClient client) throws IOException {
        if (!subscribed) {
            client.subscribe(topic, 1);
        }
        while (isHere()) {
            do {
                onReceived(client, client.read());
            } while (client.hasInput());
            client.flush();
        }
    }

    private void onReceived(WireClient client, WireClient.Received packet) throws IOException {
        if (packet.type() == WireClient.SUBACK) {
            subscribed = true;
            ready = true;
            sessionIsDurable();
            return;
        }
        int number = packet.number();
        if (!received.get(number)) {
            if (number < received.length()) {
                complain(number + " came behind " + (received.length() - 1));
            }
            received.set(number);
            receivedCount++;
        }
        client.acknowledge(WireClient.PUBACK, packet.packetId());
    }
}
