package dev.avocet.bench.mqtt.engine;

import dev.avocet.bench.check.Counter;
import java.util.concurrent.atomic.AtomicReference;

/** What went wrong with connections. The counters are one lane's; the first word of all lanes is kept. */
final class Trouble {
    private final AtomicReference<String> first;
    private final Counter refused = new Counter();
    private final Counter lost = new Counter();
    private volatile String unreachable = "";

    Trouble(AtomicReference<String> first) {
        this.first = first;
    }

    /** Notes what went wrong, if nothing has before; the caller counts it. */
    void first(String why) {
        first.compareAndSet("", why);
    }

    void refused(String why) {
        first.compareAndSet("", why);
        refused.increment();
    }

    /** A connection was not even begun, as the target does not answer; it is counted elsewhere. */
    void unreachable(String why) {
        unreachable = why;
    }

    /** Why a connection could not be made; empty when that is not so. Any thread. */
    String unreachable() {
        return unreachable;
    }

    void lost(String why) {
        first.compareAndSet("", why);
        lost.increment();
    }

    long refusedCount() {
        return refused.value();
    }

    long lostCount() {
        return lost.value();
    }
}
