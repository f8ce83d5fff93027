package dev.avocet.jms.client.wire;

import java.util.concurrent.TimeUnit;

/** How closely things of a kind follow each other. Any thread; a lost update does no harm. */
final class Pace {
    private static final long ALONE_NS = TimeUnit.MICROSECONDS.toNanos(50);

    private volatile long lastNs;

    /** Notes one, and tells whether it came alone: then it is of no use to wait for others that go with it. */
    boolean isAlone(final long nowNs) {
        final boolean alone = nowNs - lastNs > ALONE_NS;
        lastNs = nowNs;
        return alone;
    }
}
