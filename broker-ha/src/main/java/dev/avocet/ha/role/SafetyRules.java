package dev.avocet.ha.role;

import dev.avocet.ha.coordination.Register;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The decisions on which safety rests, each of them alone: break any, and an acknowledged message can be lost, or two
 * nodes serve clients at once. They are in one place so that they can be read together, and broken one by one in tests.
 */
class SafetyRules {
    /** A node takes part only in the latest epoch that it knows. */
    boolean isCurrent(long epoch, long latestKnown) {
        return epoch >= latestKnown;
    }

    /** A follower confirms what no loss of power takes away; or, where that is chosen, what it has received. */
    long confirmable(long forced, long end, boolean inMemory) {
        assert forced <= end;
        return inMemory ? end : forced;
    }

    /**
     * What was confirmed in memory may be lost with the process. A new life has all that was acknowledged if it led
     * last, as a leader acknowledges what it has forced; or once a leader that knows what was acknowledged has told it
     * where to go on, as that one has a follower which lacks something left out before.
     */
    boolean hasWhatItConfirmed(boolean inMemory, boolean synced, boolean ledLast) {
        return !inMemory || synced || ledLast;
    }

    /** Who leads alone has on its disk what it has confirmed: else nothing may have it. */
    boolean mayAttempt(long forced, long end, boolean inMemory) {
        return !inMemory || forced == end;
    }

    /** Committed is what is durable here and confirmed by the partner, where the partner counts. */
    long committable(long forced, long end, long confirmed, boolean partnerCounts) {
        assert forced <= end;
        return partnerCounts ? Math.min(forced, confirmed) : forced;
    }

    /**
     * The partner counts as long as any value that is in the register, or may still get there, names it; and from
     * before the attempt to name it.
     */
    boolean partnerCounts(Register known, @Nullable Register attempted, boolean joining, String partner) {
        return known.isInSync(partner) || joining || attempted != null && attempted.isInSync(partner);
    }

    /**
     * A node that has lost what it had, as its disk was replaced, gets it again only when the register names it no
     * more: it would be in sync by name from its first record on.
     */
    boolean mayBeginAnew(boolean partnerCounts) {
        return !partnerCounts;
    }

    /** A follower is named as in sync once it has confirmed all that is committed. */
    boolean mayAdmit(long confirmed, long committed) {
        return confirmed >= committed;
    }

    /** Only a node that has everything that was acknowledged may lead: it is named, and its store is the one meant. */
    boolean mayPromote(Register known, String self, String storeId) {
        return known.isInSync(self) && known.storeId().equals(storeId);
    }

    /**
     * A leader whose partner cannot be promoted before it is silent for long; a new life does not know its promises.
     */
    boolean isSilent(long silentNs, long timeoutNs) {
        return silentNs > timeoutNs;
    }

    /**
     * When this node has last promised not to be promoted, as far as a new life knows: possibly just before it began.
     */
    long lastPromiseNs(long startedNs, long timeoutNs) {
        return startedNs;
    }

    /**
     * An administrator may have a node lead that lacks what was acknowledged, where it does not hear the leader: else
     * the leader goes on, and what it acknowledges until it learns of the other one is lost as well.
     */
    boolean mayForce(long silentNs, long timeoutNs) {
        return silentNs > timeoutNs;
    }

    /** Also by force only a node leads that has a part of the pair's store. */
    boolean mayForceStore(Register known, String storeId) {
        return known.storeId().equals(storeId);
    }

    /** Also a leadership by force has an epoch of its own, and nothing is in sync with it. */
    Register forced(Register known, String self) {
        return known.forcedBy(self);
    }

    /** Each leadership has an epoch of its own, also that of a node that has led before. */
    Register promoted(Register known, String self, Set<String> inSync) {
        SortedSet<String> nodes = new TreeSet<>(inSync);
        nodes.add(self);
        return known.ledBy(self, nodes);
    }

    /** Up to where a follower's log is kept: what the leader has not got was never acknowledged. */
    long cut(EpochStarts leader, long leaderEnd, EpochStarts follower, long followerEnd) {
        return leader.commonEnd(leaderEnd, follower, followerEnd);
    }

    /** The echo of a heartbeat that was sent then keeps the partner from being promoted for longer than this. */
    long leaseEndNs(long heartbeatNs, long leaseNs) {
        return heartbeatNs + leaseNs;
    }

    /** A node that attempts to lead neither confirms nor promises anything to the node that leads. */
    boolean answersLeader(boolean promoting) {
        return !promoting;
    }

    /** An attempt of which nothing is known may have succeeded, or may still succeed. */
    boolean isOver(boolean answered) {
        return answered;
    }

    /**
     * Only an attempt of this life begins a leadership: an earlier life wrote records, and made promises, unknown
     * here.
     */
    boolean begins(boolean attemptedInThisLife) {
        return attemptedInThisLife;
    }

    /** Records follow each other without a gap. */
    boolean follows(long from, long end) {
        return from == end;
    }

    /** A store that is received takes the place of the own one once all of it has come. */
    boolean isWhole(long received, long end) {
        return received == end;
    }

    /** A store that is received has no hole behind the position of its checkpoint. */
    boolean mayLackUpTo(long position, long checkpoint) {
        return position <= checkpoint;
    }

    /** While a checkpoint and the log that goes with it are under way, the log is kept from there on. */
    long keptWhileStarting(long shipped, long checkpoint) {
        return Math.min(shipped, checkpoint);
    }

    /** Where a follower's log ends before its leader sends, after the cut. */
    boolean mustCut(long cut, long end) {
        return cut < end;
    }
}
