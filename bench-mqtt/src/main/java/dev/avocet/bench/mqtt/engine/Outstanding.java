package dev.avocet.bench.mqtt.engine;

import java.util.List;

/** How many arrivals are still to come, over all lanes, a moment late. Any thread may ask. */
final class Outstanding {
    private final long window;
    private volatile Lane[] lanes = {};
    private volatile long givenUp;

    /** @param window 0 for any number */
    Outstanding(long window) {
        this.window = window;
    }

    void watch(List<Lane> all) {
        lanes = all.toArray(Lane[]::new);
    }

    boolean isFull() {
        return window > 0 && count() >= window;
    }

    long count() {
        long count = -givenUp;
        for (Lane lane : lanes) {
            count += lane.expected.value() - lane.received.received() + lane.received.duplicates();
        }
        return Math.max(0, count);
    }

    /** What has not come by now shall not hold up the others. */
    void giveUp() {
        givenUp += count();
    }
}
