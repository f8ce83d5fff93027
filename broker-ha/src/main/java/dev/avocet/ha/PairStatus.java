package dev.avocet.ha;

import dev.avocet.ha.role.Role;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What a member knows of its pair.
 *
 * @param role of this node
 * @param epoch of the register: counts the leaderships; 0 when it is not known
 * @param leader the node that the register names as the active one; empty when there is none
 * @param inSync the nodes that have everything that was acknowledged
 * @param lag how far the standby is behind
 * @param diskFull whether the disk of this node, a standby, was full, and it has not been in sync since
 * @param whyNotInSync what keeps the standby from being in sync, in a sentence; empty when nothing does
 */
public record PairStatus(
        Role role,
        long epoch,
        String leader,
        SortedSet<String> inSync,
        Lag lag,
        boolean diskFull,
        String whyNotInSync) {
    public PairStatus {
        inSync = Collections.unmodifiableSortedSet(new TreeSet<>(inSync));
    }

    /** The same of a node whose disk is full. */
    PairStatus withDiskFull(String why) {
        return new PairStatus(role, epoch, leader, inSync, lag, true, role == Role.REFUSED ? whyNotInSync : why);
    }

    /** Whether it differs in nothing but how far the standby lags, and why. */
    boolean isAs(PairStatus other) {
        return role == other.role
                && epoch == other.epoch
                && leader.equals(other.leader)
                && inSync.equals(other.inSync)
                && diskFull == other.diskFull;
    }
}
