package dev.avocet.dist.fault;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Publishes the numbers from 0 on to one topic, some in flight at a time, and knows of each what the broker has
 * acknowledged.
 */
public final class Publishing extends Party {
    private static final int WINDOW = 40;
    private static final int PAIRED_WINDOW = 10;
    private static final int PAIRED_PAUSE_MS = 5;

    private final String topic;
    private final int qos;
    private final int window;
    private final int pauseMs;
    /** By packet identifier, in the order of publication. */
    private final Map<Integer, Sent> inFlight = new LinkedHashMap<>();

    private int nextPacketId = 1;
    private volatile int next;
    private volatile int acknowledged;
    private volatile boolean finishing;

    Publishing(int port, String clientId, String topic, int qos) {
        super(port, clientId);
        this.topic = topic;
        this.qos = qos;
        window = WINDOW;
        pauseMs = 0;
    }

    /** To whichever of several brokers serves, with pauses, so that others have time as well. */
    public Publishing(int[] ports, String clientId, String topic, int qos, int timeoutMs) {
        super(ports, clientId, timeoutMs);
        this.topic = topic;
        this.qos = qos;
        window = PAIRED_WINDOW;
        pauseMs = PAIRED_PAUSE_MS;
    }

    /** No new numbers: what is in flight is completed. */
    public void finish() {
        finishing = true;
    }

    public boolean isFinished() {
        return finishing && acknowledged == next;
    }

    /** How many numbers were published, each of which is acknowledged once it is finished. */
    public int published() {
        return next;
    }

    public int acknowledged() {
        return acknowledged;
    }

    @Override
    protected void serve(WireClient client) throws IOException {
        sendAgain(client);
        while (isHere() && !isFinished()) {
            while (!finishing && inFlight.size() < window) {
                publishNext(client);
            }
            client.flush();
            do {
                onReceived(client, client.read());
            } while (client.hasInput());
            if (pauseMs > 0) {
                pause(pauseMs);
            }
        }
        if (isFinished()) {
            stop();
        }
    }

    private void sendAgain(WireClient client) throws IOException {
        for (Map.Entry<Integer, Sent> entry : inFlight.entrySet()) {
            if (entry.getValue().received) {
                client.acknowledge(WireClient.PUBREL, entry.getKey());
            } else {
                client.publish(topic, qos, true, entry.getKey(), entry.getValue().number);
            }
        }
    }

    private void publishNext(WireClient client) throws IOException {
        while (inFlight.containsKey(nextPacketId)) {
            nextPacketId = nextPacketId == 65_535 ? 1 : nextPacketId + 1;
        }
        int packetId = nextPacketId;
        nextPacketId = nextPacketId == 65_535 ? 1 : nextPacketId + 1;
        int number = next;
        inFlight.put(packetId, new Sent(number));
        next = number + 1;
        client.publish(topic, qos, false, packetId, number);
    }

    private void onReceived(WireClient client, WireClient.Received packet) throws IOException {
        Sent sent = inFlight.get(packet.packetId());
        switch (packet.type()) {
            case WireClient.PUBACK, WireClient.PUBCOMP -> complete(packet.packetId());
            case WireClient.PUBREC -> {
                if (sent != null) {
                    sent.received = true;
                }
                client.acknowledge(WireClient.PUBREL, packet.packetId());
            }
            default -> complain("received a packet of type " + packet.type());
        }
    }

    private void complete(int packetId) {
        if (inFlight.remove(packetId) != null) {
            sessionIsDurable();
            acknowledged++;
        }
    }

    private static final class Sent {
        final int number;
        boolean received;

        Sent(int number) {
            this.number = number;
        }
    }
}
