package dev.avocet.bench.mqtt.engine;

import dev.avocet.bench.check.Counter;
import java.util.concurrent.atomic.AtomicReference;

/** What went wrong with connections. The counters are one lane's; the first word of all lanes is kept. */
final class Trouble {
    private final AtomicReference<String> first;
    private final Counter refused = new Counter();
    private final Counter lost = new Counter();

    Trouble(AtomicReference<String> first) {
        this.first = first;
    }

    /** Notes what went wrong, if nothing has before; somebody else counts it. */
    void first(String why) {
        first.compareAndSet("", why);
    }

    void refused(String why) {
        first.compareAndSet("", why);
        refused.increment();
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
