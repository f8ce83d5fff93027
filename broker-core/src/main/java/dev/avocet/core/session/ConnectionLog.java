package dev.avocet.core.session;

import dev.avocet.core.time.Clock;
import dev.avocet.core.time.LogPace;
import dev.avocet.core.time.LogPaces;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says in the log why connections were closed and requests refused: one line a minute for each cause and object that it
 * is about, with the number of those that went unsaid. A cause has a hundred objects with lines of their own, and one
 * more line for all others. So a thousand broken clients cannot fill a disk, and one of them does not hide the next.
 * Thread-safe.
 */
public final class ConnectionLog {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionLog.class);
    private static final Logger SECURITY_LOG = LoggerFactory.getLogger("SecurityLog");
    private static final int SHOWN_CHARS = 700;
    private static final int SHOWN_NAME_CHARS = 200;
    private static final int OBJECTS_MAX = 100;
    private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}|\\p{Cf}");

    private final Clock clock;
    private final Set<String> securityCauses;
    /** As many entries as there are causes: constants of the code, and classes of exceptions. */
    private final ConcurrentMap<String, LogPaces> paces = new ConcurrentHashMap<>();

    /** @param securityCauses those about who a client is and what it may do; they go to the security log */
    public ConnectionLog(Clock clock, Set<String> securityCauses) {
        this.clock = clock;
        this.securityCauses = Set.copyOf(securityCauses);
    }

    /**
     * A connection was closed.
     *
     * @param cause a fixed text, the same for all of a kind
     * @param object what it is about: the client, a user, a topic; lines about others are not held back by this one
     * @param who client identifier and address, as far as known
     */
    public void closed(String cause, String object, String who, String detail) {
        say("Closed", cause, object, () -> who, () -> detail);
    }

    /**
     * Something was refused and the connection goes on.
     *
     * @param what a fixed text, the same for all of a kind
     * @param object what it is about: a topic, a queue, a filter
     * @param who as for {@link #closed}; asked only when there is a line
     * @param detail asked only when there is a line
     */
    public void refused(String what, String object, Supplier<String> who, Supplier<String> detail) {
        say("Refused", what, object, who, detail);
    }

    /** A name that a client has chosen, short enough to leave room in a line for what else there is to say. */
    public static String shortened(String name) {
        return name.length() <= SHOWN_NAME_CHARS ? name : name.substring(0, SHOWN_NAME_CHARS) + "…";
    }

    /** Whether connections are told of that begin and end in an ordinary way. */
    public boolean tellsOfEvery() {
        return LOG.isDebugEnabled();
    }

    /** A client has connected. */
    public void connected(String who, String how) {
        LOG.debug("Connected {}: {}", printable(who), printable(how));
    }

    /** A connection has ended, whichever side wanted that. */
    public void ended(String who) {
        LOG.debug("Ended: {}", printable(who));
    }

    private void say(String verb, String cause, String object, Supplier<String> who, Supplier<String> detail) {
        Logger log = securityCauses.contains(cause) ? SECURITY_LOG : LOG;
        long unsaid = paceOf(cause, object).turn();
        if (unsaid == LogPace.NOT_NOW) {
            if (log.isDebugEnabled()) {
                log.debug("{} {}: {}: {}", verb, printable(who.get()), cause, printable(detail.get()));
            }
        } else if (unsaid == 0) {
            log.warn("{} {}: {}: {}", verb, printable(who.get()), cause, printable(detail.get()));
        } else {
            log.warn(
                    "{} {}: {}: {} ({} more since the last line about this)",
                    verb,
                    printable(who.get()),
                    cause,
                    printable(detail.get()),
                    unsaid);
        }
    }

    /** The broker itself did something wrong on a connection. */
    public void failed(String who, Throwable cause) {
        long unsaid = paceOf(cause.getClass().getName(), "").turn();
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

    private LogPace paceOf(String cause, String object) {
        return paces.computeIfAbsent(cause, key -> new LogPaces(clock, OBJECTS_MAX))
                .of(shortened(object));
    }
}
