package dev.avocet.jms.connection;

import dev.avocet.core.time.Clock;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says in the log why connections were closed and requests refused: one line a minute for each cause, with the number of those that went unsaid. So a
 * thousand broken clients cannot fill a disk. Thread-safe.
 */
final class ConnectionLog {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionLog.class);
    private static final long INTERVAL_NS = TimeUnit.MINUTES.toNanos(1);
    private static final long NOT_NOW = -1;
    private static final int SHOWN_CHARS = 300;
    private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}|\\p{Cf}");

    private final Clock clock;
    /** As many entries as there are causes: constants of the code, and classes of exceptions. */
    private final ConcurrentMap<String, Cause> causes = new ConcurrentHashMap<>();

    ConnectionLog(Clock clock) {
        this.clock = clock;
    }

    /**
     * A connection was closed.
     *
     * @param cause a fixed text, the same for all of a kind
     * @param who client identifier and address, as far as known
     */
    void closed(String cause, String who, String detail) {
        say("Closed", cause, who, detail);
    }

    /** Something was refused and the connection goes on. */
    void refused(String what, String who, String detail) {
        say("Refused", what, who, detail);
    }

    private void say(String verb, String cause, String who, String detail) {
        long unsaid = turnOf(verb + cause);
        String client = printable(who);
        String explanation = printable(detail);
        if (unsaid == NOT_NOW) {
            LOG.debug("{} {}: {}: {}", verb, client, cause, explanation);
        } else if (unsaid == 0) {
            LOG.warn("{} {}: {}: {}", verb, client, cause, explanation);
        } else {
            LOG.warn(
                    "{} {}: {}: {} ({} more since the last line about this)", verb, client, cause, explanation, unsaid);
        }
    }

    /** What clients choose must neither forge a line of the log nor fill it. */
    private static String printable(String text) {
        String shown = text.length() <= SHOWN_CHARS ? text : text.substring(0, SHOWN_CHARS) + "…";
        return CONTROL.matcher(shown).replaceAll("?");
    }

    /** The broker itself did something wrong on a connection. */
    void failed(String who, Throwable cause) {
        long unsaid = turnOf(cause.getClass().getName());
        if (unsaid == NOT_NOW) {
            LOG.debug("Internal error on the connection of {}; it is closed", printable(who), cause);
        } else {
            LOG.error(
                    "Internal error on the connection of {}; it is closed ({} like it before)",
                    printable(who),
                    unsaid,
                    cause);
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
