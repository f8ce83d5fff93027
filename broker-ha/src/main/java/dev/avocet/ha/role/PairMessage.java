package dev.avocet.ha.role;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What the nodes of a pair say to each other. Of one link they arrive in the order in which they were sent. */
public sealed interface PairMessage {
    /**
     * From a node that does not lead: what it has.
     *
     * @param request tells the answer to this from the answers to those before
     * @param end of its log; 0 is an empty one
     */
    record Follow(long request, String storeId, EpochStarts starts, long end) implements PairMessage {}

    /**
     * From the leader: cut back to there; what follows comes next.
     *
     * @param request that of the {@link Follow} which it answers
     */
    record Sync(long request, long epoch, long cut, String storeId) implements PairMessage {}

    /**
     * From the leader to a node that cannot follow, as its store is another one and not empty, or lacks more than the
     * leader still has.
     *
     * @param why one line for people: what is wrong and what to do
     */
    record Refuse(long epoch, String storeId, String why) implements PairMessage {}

    /**
     * From the leader: records.
     *
     * @param epoch of the leader; a record may be of an earlier one
     * @param from position of the first one
     * @param end position behind the last one
     * @param records as the log gave them
     */
    record Records(long epoch, long from, long end, Object records) implements PairMessage {}

    /**
     * From the leader to a node that lacks more than the leader's log has: parts of a checkpoint come next, then
     * {@link Records} with holes between them where nothing is alive, then {@link Whole}.
     *
     * @param request that of the {@link Follow} which it answers
     * @param checkpoint position of the checkpoint: from there on the log has no hole
     * @param starts of the leader's log
     */
    record Start(long request, long epoch, String storeId, long checkpoint, EpochStarts starts)
            implements PairMessage {}

    /**
     * From the leader: a part of the checkpoint.
     *
     * @param content as the log gave it
     */
    record Part(long epoch, Object content) implements PairMessage {}

    /** From the leader: the store that began with {@link Start} is whole, and its log ends there. */
    record Whole(long epoch, long end) implements PairMessage {}

    /** From a follower: everything before that position is on its disk. */
    record Confirm(long epoch, long position) implements PairMessage {}

    /**
     * From the leader.
     *
     * @param sentNs by its own clock, which means nothing to the other node
     * @param committed everything before that position is committed
     */
    record Heartbeat(long epoch, long sentNs, long committed) implements PairMessage {}

    /** From a follower, which will not be promoted for a while: the time of the heartbeat that it answers. */
    record Echo(long epoch, long sentNs) implements PairMessage {}

    /** To a node that speaks of an older epoch: there is this one. */
    record Fenced(long epoch) implements PairMessage {}

    /** From a leader that has stopped, as it was asked to: take over, with everything before that position. */
    record HandOver(long epoch, long end) implements PairMessage {}

    /**
     * From the leader: the configuration that both nodes have.
     *
     * @param number counts those of the epoch
     */
    record Configuration(long epoch, long number, byte[] archive) implements PairMessage {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Configuration that
                    && epoch == that.epoch
                    && number == that.number
                    && Arrays.equals(archive, that.archive);
        }

        @Override
        public int hashCode() {
            return Long.hashCode(epoch) * 31 + Long.hashCode(number);
        }

        @Override
        public String toString() {
            return "Configuration " + number + " of epoch " + epoch + ", " + archive.length + " bytes";
        }
    }

    /**
     * From a follower: it has that configuration on its disk.
     *
     * @param number that of the {@link Configuration}
     * @param problem why it could not keep it; empty otherwise
     */
    record ConfigurationKept(long epoch, long number, String problem) implements PairMessage {}

    /**
     * From a follower that is paused, has no room on its disk, or gives its store up: it asks to be left out of those
     * in sync, and for no more records.
     *
     * @param forGood it gives its store up, and will need all of the leader's
     */
    record Leave(long epoch, boolean forGood) implements PairMessage {}

    /**
     * From the leader to a follower that gives its store up: the register does not name it any more.
     */
    record Left(long epoch) implements PairMessage {}

    /** From a leader that has given up its role. */
    record Resign(long epoch) implements PairMessage {}
}
