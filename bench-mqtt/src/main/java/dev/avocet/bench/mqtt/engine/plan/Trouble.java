package dev.avocet.bench.mqtt.engine.plan;

import dev.avocet.bench.check.Counter;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.util.concurrent.atomic.AtomicReference;

/** What went wrong with connections. The counters are one lane's; the first word of all lanes is kept. */
public final class Trouble {
    private final AtomicReference<String> first;
    private final Counter refused = new Counter();
    private final Counter lost = new Counter();
    private volatile String unreachable = "";

    public Trouble(AtomicReference<String> first) {
        this.first = first;
    }

    /** Notes what went wrong, if nothing has before; the caller counts it. */
    public void first(String why) {
        first.compareAndSet("", why);
    }

    public void refused(String why) {
        first.compareAndSet("", why);
        refused.increment();
    }

    /** A connection was not even begun; it is counted elsewhere. */
    public void connectFailed(Throwable cause) {
        if (cause instanceof ConnectException || cause instanceof NoRouteToHostException) {
            String why = String.valueOf(cause.getMessage());
            unreachable =
                    why.replaceFirst("^.*failed with error\\(-?[0-9]+\\): ", "").replace(": /", ": ");
        }
    }

    /** Why a connection could not be made; empty when that is not so. Any thread. */
    public String unreachable() {
        return unreachable;
    }

    public void lost(String why) {
        first.compareAndSet("", why);
        lost.increment();
    }

    public long refusedCount() {
        return refused.value();
    }

    public long lostCount() {
        return lost.value();
    }
}
