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
 * @param lagBytes how much of the log of the active node is not on the standby's disk, as far as this node knows
 */
public record PairStatus(Role role, long epoch, String leader, SortedSet<String> inSync, long lagBytes) {
    public PairStatus {
        inSync = Collections.unmodifiableSortedSet(new TreeSet<>(inSync));
    }

    /** Whether it differs in nothing but how far the standby lags. */
    boolean isAs(PairStatus other) {
        return role == other.role && epoch == other.epoch && leader.equals(other.leader) && inSync.equals(other.inSync);
    }
}
