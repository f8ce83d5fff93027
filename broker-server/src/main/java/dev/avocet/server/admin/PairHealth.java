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
 * @param lagBytes how much of the active node's log is not on the standby's disk, as far as this node knows
 */
public record PairHealth(String role, long epoch, String node, String leader, List<String> inSync, long lagBytes) {
    /** Copies the names. */
    public PairHealth {
        inSync = List.copyOf(inSync);
    }
}
