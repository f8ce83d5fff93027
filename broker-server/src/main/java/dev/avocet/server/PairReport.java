package dev.avocet.server;

import dev.avocet.ha.Lag;
import dev.avocet.ha.PairStatus;
import dev.avocet.ha.log.PairTimes;
import dev.avocet.ha.role.Role;
import dev.avocet.server.admin.PairHealth;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells people and programs of the role of this node: a line on standard output on every change, {@code /health}, and
 * the log. Told by the thread of the pair; any thread may ask.
 */
final class PairReport {
    private static final Logger LOG = LoggerFactory.getLogger(PairReport.class);
    /** A node that waits for the other one for so long says that it is up. */
    private static final long PATIENCE_S = 10;

    /** It leads, and opens the store or the addresses for clients. */
    private static final String OPENING = "becoming active";

    private static final PairStatus UNKNOWN =
            new PairStatus(Role.STARTING, 0, "", new TreeSet<>(), Lag.UNKNOWN, false, "this node starts");

    private final PairConfig pair;
    private final Announcement announcement;
    private final CompletableFuture<Void> settled = new CompletableFuture<>();
    private final PairTimes times = new PairTimes();
    private volatile @Nullable PairStatus status;
    private volatile Supplier<PairStatus> asked = this::toldLast;
    private volatile boolean serves;
    private volatile long roleChanges;
    private String said = "";

    PairReport(PairConfig pair, Announcement announcement) {
        this.pair = pair;
        this.announcement = announcement;
    }

    /** What the node is now. */
    void told(PairStatus now) {
        PairStatus before = status;
        status = now;
        if (before != null && before.role() != now.role()) {
            roleChanges = roleChanges + 1; // one thread tells
        }
        say(now);
        if (before != null && before.role() == Role.ACTIVE && now.role() == Role.ALONE) {
            LOG.warn(
                    "The standby {} is not in sync any more; this node acknowledges alone until it is",
                    pair.members().partnerOf(pair.node()));
        }
        if (before != null && before.role() == Role.ALONE && now.role() == Role.ACTIVE) {
            LOG.info(
                    "The standby {} is in sync: what is acknowledged is on both disks from now on",
                    pair.members().partnerOf(pair.node()));
        }
        if (isSettled(now)) {
            settled.complete(null);
        }
    }

    private PairStatus toldLast() {
        PairStatus last = status;
        return last == null ? UNKNOWN : last;
    }

    /** Clients can connect, or cannot any more. */
    void serving(boolean can) {
        serves = can;
        PairStatus now = status;
        if (can) {
            if (now != null) {
                say(now);
            }
            settled.complete(null);
        }
    }

    /** Returns when it is known whether this node serves clients or follows, or when it has waited for that. */
    void awaitSettled() throws InterruptedException {
        try {
            settled.get(PATIENCE_S, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            LOG.info("This node waits for the other members of the pair");
        } catch (ExecutionException e) {
            throw new IllegalStateException("completed with nothing but null", e);
        }
    }

    PairHealth health() {
        PairStatus now = asked.get();
        return new PairHealth(
                now.role().leads() && !serves ? OPENING : word(now.role()),
                now.epoch(),
                pair.node(),
                now.leader(),
                List.copyOf(now.inSync()),
                now.lag().bytes(),
                now.lag().records(),
                now.lag().ms(),
                now.role() == Role.STANDBY_PAUSED,
                now.diskFull(),
                now.whyNotInSync());
    }

    /** Where the present state is to be found, of which only some changes are told. */
    void ask(Supplier<PairStatus> member) {
        asked = member;
    }

    /** How long the other node takes, since the start of the process. */
    PairTimes times() {
        return times;
    }

    /** Whether clients can connect. */
    boolean serves() {
        return leads() && serves;
    }

    /** How often the role of this node has changed. */
    long roleChanges() {
        return roleChanges;
    }

    /** Whether this node is the one that serves clients. */
    boolean leads() {
        PairStatus now = status;
        return now != null && now.role().leads();
    }

    /** What keeps this node from serving clients, and who does, in a sentence. */
    String whyNot() {
        PairStatus now = status;
        String leader = now == null ? "" : now.leader();
        String role = "this node, " + pair.node() + ", is " + word(now == null ? Role.STARTING : now.role())
                + " in the pair '" + pair.group() + "'";
        return leader.isEmpty() || leader.equals(pair.node())
                ? role + ", and no other one is known to be active"
                : role + "; the active node is " + leader + " on "
                        + pair.members().link(leader).getHostString();
    }

    /** A pair that begins has two standbys and no leader for a moment. */
    private static boolean isSettled(PairStatus now) {
        boolean follows = now.role() == Role.STANDBY_SYNCING || now.role() == Role.STANDBY_IN_SYNC;
        return now.role() == Role.REFUSED || (follows && !now.leader().isEmpty());
    }

    private void say(PairStatus now) {
        if (now.role().leads() && !serves) {
            return; // it is told when clients can connect
        }
        String line = "role " + word(now.role()) + detail(now);
        if (!line.equals(said)) {
            said = line;
            announcement.role(line);
        }
    }

    private static String detail(PairStatus now) {
        return switch (now.role()) {
            case ACTIVE, ALONE, FENCED -> " epoch " + now.epoch();
            case REFUSED -> ": the log of this node says why and what to do";
            case STARTING, STANDBY_SYNCING, STANDBY_IN_SYNC, STANDBY_PAUSED -> "";
        };
    }

    private static String word(Role role) {
        return switch (role) {
            case STARTING -> "starting";
            case ACTIVE, ALONE -> "active";
            case STANDBY_SYNCING -> "standby syncing";
            case STANDBY_IN_SYNC -> "standby in-sync";
            case STANDBY_PAUSED -> "standby paused";
            case FENCED -> "fenced";
            case REFUSED -> "refused";
        };
    }
}
