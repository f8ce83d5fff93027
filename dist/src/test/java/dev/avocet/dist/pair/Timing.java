package dev.avocet.dist.pair;

import dev.avocet.dist.fault.Party;
import dev.avocet.dist.fault.WireClient;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Publishes numbers at QoS 1, each until it is acknowledged, to the node that serves, and keeps when that was. */
final class Timing extends Party {
    private static final int TIMEOUT_MS = 20_000;
    private static final int PAUSE_MS = 5;

    private final String topic;
    private final List<Long> acknowledgedNs = new CopyOnWriteArrayList<>();
    private boolean sentBefore;

    Timing(int[] ports, String topic) {
        super(ports, "timer", TIMEOUT_MS);
        this.topic = topic;
    }

    /** How many numbers were acknowledged, from 0 on. */
    int acknowledged() {
        return acknowledgedNs.size();
    }

    /** When that number was acknowledged, by {@link System#nanoTime}. */
    long acknowledgedNs(int number) {
        return acknowledgedNs.get(number);
    }

    @Override
    protected void serve(WireClient client) throws IOException {
        while (isHere()) {
            client.publish(topic, 1, sentBefore, 1, acknowledged());
            sentBefore = true;
            client.flush();
            if (client.read().type() != WireClient.PUBACK) {
                complain("received something else than an acknowledgement");
                return;
            }
            sentBefore = false;
            acknowledgedNs.add(System.nanoTime());
            pause(PAUSE_MS);
        }
    }
}
