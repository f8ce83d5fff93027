package dev.avocet.mqtt.connection;

import dev.avocet.core.time.Clock;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.ReasonCode;
import java.util.Set;
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
public final class ConnectionLog {
    /** The cause of what is refused by policies while the connection goes on. */
    static final String NOT_AUTHORIZED = "not authorized";

    private static final Logger LOG = LoggerFactory.getLogger(ConnectionLog.class);
    private static final Logger SECURITY_LOG = LoggerFactory.getLogger("SecurityLog");
    /** What is about who somebody is and what he may do. */
    private static final Set<String> SECURITY_CAUSES = Set.of(
            NOT_AUTHORIZED,
            ReasonCode.NOT_AUTHORIZED.name(),
            ReasonCode.BAD_USER_NAME_OR_PASSWORD.name(),
            ReasonCode.BAD_AUTHENTICATION_METHOD.name(),
            ReasonCode.CONNECTION_RATE_EXCEEDED.name());

    private static final long INTERVAL_NS = TimeUnit.MINUTES.toNanos(1);
    private static final long NOT_NOW = -1;
    private static final int SHOWN_CHARS = 300;
    private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}|\\p{Cf}");

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
        say("Closed", cause, who, detail);
    }

    /** Something was refused and the connection goes on. */
    void refused(String what, String who, String detail) {
        say("Refused", what, who, detail);
    }

    /** Whether connections are told of that begin and end in an ordinary way. */
    boolean tellsOfEvery() {
        return LOG.isDebugEnabled();
    }

    /** A client has connected. */
    void connected(String who, ProtocolVersion version, boolean sessionPresent) {
        LOG.debug("Connected {}: {}, {}", printable(who), version, sessionPresent ? "session resumed" : "new session");
    }

    /** A connection has ended, whoever wanted that. */
    void ended(String who) {
        LOG.debug("Ended: {}", printable(who));
    }

    private void say(String verb, String cause, String who, String detail) {
        long unsaid = turnOf(verb + cause);
        Logger log = SECURITY_CAUSES.contains(cause) ? SECURITY_LOG : LOG;
        String client = printable(who);
        String explanation = printable(detail);
        if (unsaid == NOT_NOW) {
            log.debug("{} {}: {}: {}", verb, client, cause, explanation);
        } else if (unsaid == 0) {
            log.warn("{} {}: {}: {}", verb, client, cause, explanation);
        } else {
            log.warn(
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
