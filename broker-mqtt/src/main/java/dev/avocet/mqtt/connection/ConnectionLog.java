package dev.avocet.mqtt.connection;

import dev.avocet.core.time.Clock;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says in the log why connections were closed: one line a minute for each cause, with the number of those that went unsaid. So a
 * thousand broken clients cannot fill a disk. Thread-safe.
 */
public final class ConnectionLog {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionLog.class);
    private static final long INTERVAL_NS = TimeUnit.MINUTES.toNanos(1);
    private static final long NOT_NOW = -1;

    private final Clock clock;
    /** As many entries as there are causes: constants of the code, and classes of exceptions. */
    private final ConcurrentMap<String, Cause> causes = new ConcurrentHashMap<>();

    public ConnectionLog(Clock clock) {
        this.clock = clock;
    }

    /**
     * A connection was closed.
     *
     * @param cause a fixed text, the same for all of a kind
     * @param who client identifier and address, as far as known
     */
    void closed(String cause, String who, String detail) {
        long unsaid = turnOf(cause);
        if (unsaid == NOT_NOW) {
            LOG.debug("Closed {}: {}: {}", who, cause, detail);
        } else if (unsaid == 0) {
            LOG.warn("Closed {}: {}: {}", who, cause, detail);
        } else {
            LOG.warn("Closed {}: {}: {} ({} more since the last line about this)", who, cause, detail, unsaid);
        }
    }

    /** The broker itself did something wrong on a connection. */
    void failed(String who, Throwable cause) {
        long unsaid = turnOf(cause.getClass().getName());
        if (unsaid == NOT_NOW) {
            LOG.debug("Internal error on the connection of {}; it is closed", who, cause);
        } else {
            LOG.error("Internal error on the connection of {}; it is closed ({} like it before)", who, unsaid, cause);
        }
    }

    /** How many of this cause went unsaid, if one may be said now. */
    private long turnOf(String cause) {
        Cause seen = causes.computeIfAbsent(cause, key -> new Cause(clock.nanoTime() - INTERVAL_NS));
        long nowNs = clock.nanoTime();
        long lastNs = seen.lastNs.get();
        if (nowNs - lastNs < INTERVAL_NS || !seen.lastNs.compareAndSet(lastNs, nowNs)) {
            seen.unsaid.incrementAndGet();
            return NOT_NOW;
        }
        return seen.unsaid.getAndSet(0);
    }

    private static final class Cause {
        final AtomicLong lastNs;
        final AtomicLong unsaid = new AtomicLong();

        Cause(long lastNs) {
            this.lastNs = new AtomicLong(lastNs);
        }
    }
}
