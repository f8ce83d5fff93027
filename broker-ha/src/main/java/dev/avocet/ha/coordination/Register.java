package dev.avocet.ha.coordination;

import java.util.Collections;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What a pair has agreed on. It changes by compare-and-set only, and only the node that a value names as its leader
 * writes that value; so a writer that did not hear the answer recognizes its own value when it reads.
 *
 * @param revision counts the changes; 0 before the first one
 * @param epoch counts the leaderships; each start of an active node takes a new one, so that no two lives of any node
 *     write records of the same epoch
 * @param leader the node that may be active; empty before the first one
 * @param inSync the nodes each of which has, on its disk, everything that was acknowledged; the leader is one of them
 * @param storeId names the store that is replicated: a node whose disk was replaced is in sync by name only
 */
public record Register(long revision, long epoch, String leader, SortedSet<String> inSync, String storeId) {
    /** By so much the epoch grows where an administrator has forced a node to lead. */
    private static final int FORCED = 2;

    /** Before the first node led. */
    public static final Register NONE = new Register(0, 0, "", Collections.emptySortedSet(), "");

    public Register {
        inSync = Collections.unmodifiableSortedSet(new TreeSet<>(inSync));
        Objects.requireNonNull(storeId);
        if (revision < 0 || epoch < 0) {
            throw new IllegalArgumentException("revision and epoch are not negative: " + revision + ", " + epoch);
        }
        if (revision == 0 ? !leader.isEmpty() || !inSync.isEmpty() : !inSync.contains(leader)) {
            throw new IllegalArgumentException("the leader " + leader + " is not in sync: " + inSync);
        }
    }

    /** The next value: that node leads, in a new epoch, and those are in sync. */
    public Register ledBy(String node, SortedSet<String> nodesInSync) {
        return new Register(revision + 1, epoch + 1, node, nodesInSync, storeId);
    }

    /**
     * The next value: an administrator has that node lead although it may lack what was acknowledged. An epoch is left
     * out, by which such a value is known.
     */
    public Register forcedBy(String node) {
        return new Register(revision + 1, epoch + FORCED, node, only(node), storeId);
    }

    /** The first value: that node leads with its store. */
    public Register foundedBy(String node, String store) {
        return foundedBy(node, store, epoch + 1);
    }

    /** The first value, of a store that has records of earlier epochs already. */
    public Register foundedBy(String node, String store, long firstEpoch) {
        return new Register(revision + 1, firstEpoch, node, Collections.unmodifiableSortedSet(only(node)), store);
    }

    /** The next value: the leader has admitted a node. */
    public Register with(String node) {
        SortedSet<String> nodes = new TreeSet<>(inSync);
        nodes.add(node);
        return new Register(revision + 1, epoch, leader, nodes, storeId);
    }

    /** The next value: the leader has done without a node. */
    public Register without(String node) {
        SortedSet<String> nodes = new TreeSet<>(inSync);
        nodes.remove(node);
        return new Register(revision + 1, epoch, leader, nodes, storeId);
    }

    public boolean isInSync(String node) {
        return inSync.contains(node);
    }

    /** Whether this value may follow that one. A coordinator refuses what may not, whatever a client asks for. */
    public boolean mayFollow(Register before) {
        boolean storeStays = before.revision == 0 || storeId.equals(before.storeId);
        boolean isForced = before.revision > 0 && epoch == before.epoch + FORCED && inSync.equals(only(leader));
        boolean leads = before.revision == 0 && epoch > 0
                || isForced
                || epoch == before.epoch + 1
                || epoch == before.epoch && leader.equals(before.leader);
        boolean knowsAll = before.revision == 0 || isForced || epoch == before.epoch || before.isInSync(leader);
        return revision == before.revision + 1 && storeStays && leads && knowsAll;
    }

    private static SortedSet<String> only(String node) {
        SortedSet<String> nodes = new TreeSet<>();
        nodes.add(node);
        return nodes;
    }
}
