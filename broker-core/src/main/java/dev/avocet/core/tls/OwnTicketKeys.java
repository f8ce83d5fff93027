package dev.avocet.core.tls;

import dev.avocet.core.time.Clock;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;

/**
 * Keys of one broker, which it makes by itself: a new one each hour, while the one before still opens what it has
 * sealed. A stolen key is of no use for what was sealed two hours later. Thread-safe.
 */
public final class OwnTicketKeys implements TicketKeys {
    static final Duration LIFETIME = Duration.ofHours(1);

    private final Clock clock;
    private final SecureRandom random = new SecureRandom();
    private List<TicketKey> keys;
    private long madeNs;

    public OwnTicketKeys(Clock clock) {
        this.clock = clock;
        this.keys = List.of(TicketKey.random(random));
        this.madeNs = clock.nanoTime();
    }

    @Override
    public synchronized List<TicketKey> current() {
        long ageNs = clock.nanoTime() - madeNs;
        if (ageNs >= LIFETIME.toNanos()) {
            TicketKey next = TicketKey.random(random);
            keys = ageNs >= 2 * LIFETIME.toNanos() ? List.of(next) : List.of(next, keys.get(0));
            madeNs = clock.nanoTime();
        }
        return keys;
    }
}
