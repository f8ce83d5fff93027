package dev.avocet.dist.fault;

import java.io.IOException;
import java.util.BitSet;

/**
 * Receives the numbers of one topic and holds them against what must come: at QoS 2 each exactly once and in order; at
 * QoS 1 each at least once, and new ones in order.
 */
public final class Consuming extends Party {
    private final String topic;
    private final int qos;
    private final BitSet received = new BitSet();
    private boolean subscribed;
    private volatile int next;
    private volatile int repeated;

    Consuming(int port, String clientId, String topic, int qos) {
        super(port, clientId);
        this.topic = topic;
        this.qos = qos;
    }

    /** From whichever of several brokers serves. */
    public Consuming(int[] ports, String clientId, String topic, int qos, int timeoutMs) {
        super(ports, clientId, timeoutMs);
        this.topic = topic;
        this.qos = qos;
    }

    /** All numbers below this one have come. */
    public int next() {
        return next;
    }

    /** Numbers that came more than once. */
    public int repeated() {
        return repeated;
    }

    public boolean isSubscribed() {
        return subscribed;
    }

    @Override
    protected void serve(WireClient client) throws IOException {
        if (!subscribed) {
            client.subscribe(topic, qos);
        }
        while (isHere()) {
            do {
                onReceived(client, client.read());
            } while (client.hasInput());
            client.flush();
        }
    }

    private void onReceived(WireClient client, WireClient.Received packet) throws IOException {
        switch (packet.type()) {
            case WireClient.SUBACK -> {
                subscribed = true;
                sessionIsDurable();
            }
            case WireClient.PUBLISH -> onPublish(client, packet);
            case WireClient.PUBREL -> {
                received.clear(packet.packetId());
                client.acknowledge(WireClient.PUBCOMP, packet.packetId());
            }
            default -> complain("received a packet of type " + packet.type());
        }
    }

    private void onPublish(WireClient client, WireClient.Received packet) throws IOException {
        if (packet.qos() == 1) {
            take(packet.number(), true);
            client.acknowledge(WireClient.PUBACK, packet.packetId());
            return;
        }
        if (!received.get(packet.packetId())) {
            received.set(packet.packetId());
            take(packet.number(), false);
        }
        client.acknowledge(WireClient.PUBREC, packet.packetId());
    }

    private void take(int number, boolean mayRepeat) {
        if (number == next) {
            next = number + 1;
        } else if (number > next) {
            complain(number + " came where " + next + " was next");
        } else {
            repeated++;
            if (!mayRepeat) {
                complain(number + " came again, when " + next + " was next");
            }
        }
    }
}
