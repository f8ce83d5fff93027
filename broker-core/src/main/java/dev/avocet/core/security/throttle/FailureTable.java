package dev.avocet.core.security.throttle;

import dev.avocet.core.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * How many logins failed lately, by address or by name: a bucket each, that failures fill and time empties. Bounded:
 * the one that failed least lately goes first. Thread-safe.
 */
final class FailureTable<K> {
    private static final float LOAD_FACTOR = 0.75f;

    private final int maxFailures;
    private final long forgiveAfterNs;
    private final Clock clock;
    private final Map<K, Bucket> buckets;

    FailureTable(LoginThrottleOptions options, Clock clock) {
        this.maxFailures = options.maxFailures();
        this.forgiveAfterNs = TimeUnit.MILLISECONDS.toNanos(options.forgiveAfterMs());
        this.clock = clock;
        this.buckets = new LinkedHashMap<>(16, LOAD_FACTOR, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<K, Bucket> eldest) {
                return size() > options.maxTracked();
            }
        };
    }

    // A map in order of use has no concurrent twin; it is locked for the length of a look-up, at logins only.

    /** Failures that are not forgiven yet. */
    synchronized int failures(K key) {
        Bucket bucket = buckets.get(key);
        return bucket == null ? 0 : afterTime(key, bucket);
    }

    /** Counts a failure and tells how many there are. */
    synchronized int add(K key) {
        Bucket bucket = buckets.get(key);
        int before = bucket == null ? 0 : afterTime(key, bucket);
        Bucket kept = before == 0 ? new Bucket(clock.nanoTime()) : buckets.get(key);
        if (kept == null) {
            throw new IllegalStateException("a bucket with failures is gone");
        }
        kept.failures = Math.min(before + 1, maxFailures);
        buckets.put(key, kept);
        return kept.failures;
    }

    synchronized void forget(K key) {
        buckets.remove(key);
    }

    private int afterTime(K key, Bucket bucket) {
        long forgiven = (clock.nanoTime() - bucket.sinceNs) / forgiveAfterNs;
        if (forgiven >= bucket.failures) {
            buckets.remove(key);
            return 0;
        }
        bucket.failures -= (int) forgiven;
        bucket.sinceNs += forgiven * forgiveAfterNs;
        return bucket.failures;
    }

    private static final class Bucket {
        /** When the time began that forgives the next failure. */
        long sinceNs;

        int failures;

        Bucket(long sinceNs) {
            this.sinceNs = sinceNs;
        }
    }
}
