package dev.avocet.server.admin;

import java.util.List;

/**
 * What {@code /health} tells of a process that is one of a pair.
 *
 * @param role in the words of the lines that the process prints: {@code active}, {@code standby in-sync}
 * @param epoch counts the leaderships of the pair; 0 while it is not known
 * @param node this one
 * @param leader the active node; empty while there is none
 * @param inSync the nodes that have everything that was acknowledged
 * @param lagBytes how much of the active node's log is not on the standby's disk; -1 where this node does not know it,
 *     here and below
 * @param lagRecords how many records that are
 * @param lagMs how old the oldest of them is, in milliseconds; 0 where there is none
 * @param paused whether this node, a standby, is paused
 * @param diskFull whether the disk of this node, a standby, is full, or it has not been in sync since it was
 * @param whyNotInSync what keeps the standby from being in sync, in a sentence; empty when nothing does
 */
public record PairHealth(
        String role,
        long epoch,
        String node,
        String leader,
        List<String> inSync,
        long lagBytes,
        long lagRecords,
        long lagMs,
        boolean paused,
        boolean diskFull,
        String whyNotInSync) {
    /** Copies the names. */
    public PairHealth {
        inSync = List.copyOf(inSync);
    }
}
