package dev.avocet.bench.mqtt.engine;

import java.util.List;

/** How many arrivals are still to come for certain, over all lanes, a moment late. Any thread may ask. */
final class Outstanding {
    private final long window;
    private volatile Lane[] lanes = {};
    private volatile long givenUp;
    private volatile long elsewhere;

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
        long count = elsewhere - givenUp;
        for (Lane lane : lanes) {
            count += lane.expected.value() - lane.cutOff.arrivals.value();
            count -= lane.received.received() - lane.received.duplicates();
        }
        return Math.max(0, count);
    }

    /** @param messages of the run's other parties; may be negative */
    void elsewhere(long messages) {
        elsewhere = messages;
    }

    /** What has not come by now shall not hold up the others. */
    void giveUp() {
        givenUp += count();
    }
}
