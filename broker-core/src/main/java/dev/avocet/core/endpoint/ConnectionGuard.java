package dev.avocet.core.endpoint;

import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.time.Clock;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Decides whether another connection may come in, before a single byte of it is read: not more than so many at a time,
 * not more than so many that have yet to say who they are, not faster than so many a second. One for all endpoints.
 * Thread-safe.
 */
public final class ConnectionGuard {
    private static final int UNACCEPTED_WHILE_SHORT = 64;

    private volatile Limits limits;
    private final MemoryGuard memory;
    private final Clock clock;
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger unaccepted = new AtomicInteger();
    /** The moment up to which the allowed rate is used up; a burst of one second may run ahead of the clock. */
    private final AtomicLong paidUntilNs;

    public ConnectionGuard(Limits limits, MemoryGuard memory, Clock clock) {
        this.limits = limits;
        this.memory = memory;
        this.clock = clock;
        this.paidUntilNs = new AtomicLong(clock.nanoTime());
    }

    /** What holds for the next connection; those that are open stay. */
    public void limits(Limits next) {
        limits = next;
    }

    /** Counts a new connection in; false, and nothing is counted, when it must be closed at once. */
    boolean admit() {
        if (isCrowdedWhileShort() || !payForOne()) {
            return false;
        }
        if (open.incrementAndGet() > limits.maxConnections()) {
            open.decrementAndGet();
            return false;
        }
        if (unaccepted.incrementAndGet() > limits.maxUnaccepted()) {
            unaccepted.decrementAndGet();
            open.decrementAndGet();
            return false;
        }
        return true;
    }

    void accepted() {
        unaccepted.decrementAndGet();
    }

    void closed(boolean wasAccepted) {
        open.decrementAndGet();
        if (!wasAccepted) {
            unaccepted.decrementAndGet();
        }
    }

    /** Connections that are open now. */
    public int openCount() {
        return open.get();
    }

    /**
     * While no new clients are wanted a few may still say who they are: perhaps they come for the messages that fill
     * the memory.
     */
    private boolean isCrowdedWhileShort() {
        return !memory.acceptsClients() && unaccepted.get() >= UNACCEPTED_WHILE_SHORT;
    }

    private boolean payForOne() {
        int perSecond = limits.connectionsPerSecond();
        if (perSecond == 0) {
            return true;
        }
        long priceNs = TimeUnit.SECONDS.toNanos(1) / perSecond;
        while (true) {
            long nowNs = clock.nanoTime();
            long paid = paidUntilNs.get();
            long next = Math.max(paid, nowNs - TimeUnit.SECONDS.toNanos(1)) + priceNs;
            if (next - nowNs > 0) {
                return false;
            }
            if (paidUntilNs.compareAndSet(paid, next)) {
                return true;
            }
        }
    }

    /**
     * How many connections.
     *
     * @param maxConnections open at a time
     * @param maxUnaccepted of those, how many may have yet to say who they are
     * @param connectionsPerSecond new ones; 0 for no limit
     */
    public record Limits(int maxConnections, int maxUnaccepted, int connectionsPerSecond) {
        /** Files that the broker needs for itself: journal, logs, listeners, jars. */
        private static final int RESERVED_FILES = 256;

        /** What the process's limit of open files allows. */
        public static Limits ofOpenFiles(long maxOpenFiles) {
            int connections = (int) Math.min(Integer.MAX_VALUE, Math.max(64, maxOpenFiles - RESERVED_FILES));
            return new Limits(connections, Math.max(64, connections / 2), 0);
        }
    }
}
