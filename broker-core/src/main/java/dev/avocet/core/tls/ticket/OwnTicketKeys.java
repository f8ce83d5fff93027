package dev.avocet.core.tls.ticket;

import dev.avocet.core.time.Clock;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keys of one broker, which it makes by itself: a new one after each interval, while the one before still opens what it
 * has sealed. A stolen key is of no use for what was sealed two intervals later. Thread-safe.
 */
public final class OwnTicketKeys implements TicketKeys {
    /** What most endpoints want. */
    public static final Duration USUAL_INTERVAL = Duration.ofHours(1);

    private final Duration interval;
    private final Clock clock;
    private final Runnable onChange;
    private final SecureRandom random = new SecureRandom();
    private List<TicketKey> keys;
    private long madeNs;
    private long madeAtMs;

    /** @param interval after which there is a new key */
    public OwnTicketKeys(Duration interval, Clock clock) {
        this(interval, clock, null, () -> {});
    }

    /**
     * Goes on with keys of another broker, as long as they count.
     *
     * @param before null where there are none
     * @param onChange runs, by the thread that asks, when there is a new key
     */
    OwnTicketKeys(Duration interval, Clock clock, @Nullable AgedKeys before, Runnable onChange) {
        this.interval = interval;
        this.clock = clock;
        this.onChange = onChange;
        long nowMs = clock.wallTimeMs();
        this.keys = before == null ? List.of(TicketKey.random(random)) : before.keys();
        this.madeAtMs = before == null ? nowMs : Math.min(nowMs, before.madeAtMs()); // the other clock may be ahead
        this.madeNs = clock.nanoTime() - TimeUnit.MILLISECONDS.toNanos(nowMs - madeAtMs);
        var unused = renewed();
    }

    @Override
    public List<TicketKey> current() {
        if (renewed()) {
            onChange.run();
        }
        synchronized (this) {
            return keys;
        }
    }

    /** With their age, for another broker. */
    synchronized AgedKeys aged() {
        return new AgedKeys(madeAtMs, keys);
    }

    private synchronized boolean renewed() {
        long ageNs = clock.nanoTime() - madeNs;
        if (ageNs < interval.toNanos()) {
            return false;
        }
        TicketKey next = TicketKey.random(random);
        keys = ageNs >= 2 * interval.toNanos() ? List.of(next) : List.of(next, keys.get(0));
        madeNs = clock.nanoTime();
        madeAtMs = clock.wallTimeMs();
        return true;
    }
}
