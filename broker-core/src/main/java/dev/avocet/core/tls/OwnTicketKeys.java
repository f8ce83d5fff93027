package dev.avocet.core.tls;

import dev.avocet.core.time.Clock;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;

/**
 * Keys of one broker, which it makes by itself: a new one after each interval, while the one before still opens what it
 * has sealed. A stolen key is of no use for what was sealed two intervals later. Thread-safe.
 */
public final class OwnTicketKeys implements TicketKeys {
    /** What most endpoints want. */
    static final Duration USUAL_INTERVAL = Duration.ofHours(1);

    private final Duration interval;
    private final Clock clock;
    private final SecureRandom random = new SecureRandom();
    private List<TicketKey> keys;
    private long madeNs;

    /** @param interval after which there is a new key */
    public OwnTicketKeys(Duration interval, Clock clock) {
        this.interval = interval;
        this.clock = clock;
        this.keys = List.of(TicketKey.random(random));
        this.madeNs = clock.nanoTime();
    }

    @Override
    public synchronized List<TicketKey> current() {
        long ageNs = clock.nanoTime() - madeNs;
        if (ageNs >= interval.toNanos()) {
            TicketKey next = TicketKey.random(random);
            keys = ageNs >= 2 * interval.toNanos() ? List.of(next) : List.of(next, keys.get(0));
            madeNs = clock.nanoTime();
        }
        return keys;
    }
}
