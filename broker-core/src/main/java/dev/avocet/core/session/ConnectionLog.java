package dev.avocet.core.session;

import dev.avocet.core.time.Clock;
import dev.avocet.core.time.LogPace;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says in the log why connections were closed and requests refused: one line a minute for each cause, with the number of
 * those that went unsaid. So a thousand broken clients cannot fill a disk. Thread-safe.
 */
public final class ConnectionLog {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionLog.class);
    private static final Logger SECURITY_LOG = LoggerFactory.getLogger("SecurityLog");
    private static final int SHOWN_CHARS = 300;
    private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}|\\p{Cf}");

    private final Clock clock;
    private final Set<String> securityCauses;
    /** As many entries as there are causes: constants of the code, and classes of exceptions. */
    private final ConcurrentMap<String, LogPace> paces = new ConcurrentHashMap<>();

    /** @param securityCauses those about who somebody is and what he may do; they go to the security log */
    public ConnectionLog(Clock clock, Set<String> securityCauses) {
        this.clock = clock;
        this.securityCauses = Set.copyOf(securityCauses);
    }

    /**
     * A connection was closed.
     *
     * @param cause a fixed text, the same for all of a kind
     * @param who client identifier and address, as far as known
     */
    public void closed(String cause, String who, String detail) {
        say("Closed", cause, who, detail);
    }

    /** Something was refused and the connection goes on. */
    public void refused(String what, String who, String detail) {
        say("Refused", what, who, detail);
    }

    /** Whether connections are told of that begin and end in an ordinary way. */
    public boolean tellsOfEvery() {
        return LOG.isDebugEnabled();
    }

    /** A client has connected. */
    public void connected(String who, String how) {
        LOG.debug("Connected {}: {}", printable(who), printable(how));
    }

    /** A connection has ended, whoever wanted that. */
    public void ended(String who) {
        LOG.debug("Ended: {}", printable(who));
    }

    private void say(String verb, String cause, String who, String detail) {
        Logger log = securityCauses.contains(cause) ? SECURITY_LOG : LOG;
        long unsaid = paceOf(verb + cause).turn();
        String client = printable(who);
        String explanation = printable(detail);
        if (unsaid == LogPace.NOT_NOW) {
            log.debug("{} {}: {}: {}", verb, client, cause, explanation);
        } else if (unsaid == 0) {
            log.warn("{} {}: {}: {}", verb, client, cause, explanation);
        } else {
            log.warn(
                    "{} {}: {}: {} ({} more since the last line about this)", verb, client, cause, explanation, unsaid);
        }
    }

    /** The broker itself did something wrong on a connection. */
    public void failed(String who, Throwable cause) {
        long unsaid = paceOf(cause.getClass().getName()).turn();
        if (unsaid == LogPace.NOT_NOW) {
            LOG.debug("Internal error on the connection of {}; it is closed", printable(who), cause);
        } else {
            LOG.error(
                    "Internal error on the connection of {}; it is closed ({} like it before)",
                    printable(who),
                    unsaid,
                    cause);
        }
    }

    /** What clients choose must neither forge a line of the log nor fill it. */
    private static String printable(String text) {
        String shown = text.length() <= SHOWN_CHARS ? text : text.substring(0, SHOWN_CHARS) + "…";
        return CONTROL.matcher(shown).replaceAll("?");
    }

    private LogPace paceOf(String cause) {
        return paces.computeIfAbsent(cause, key -> new LogPace(clock));
    }
}
