package dev.avocet.ha.role;

import java.time.Duration;
import java.util.Set;

/**
 * @param self this node
 * @param partner the other node
 * @param heartbeat how often the active node sends one
 * @param heartbeatTimeout a standby in sync is promoted after so long a silence
 * @param lease for so long the echo of a heartbeat lets the active node deliver; shorter than
 *     {@code heartbeatTimeout} by more than the clocks of two machines run apart in that time
 * @param syncTimeout a standby that confirms nothing for so long leaves the set of those in sync
 * @param diskTimeout an active node gives up its role when a force takes so long
 * @param retry how long the register, or the leader, is given to answer before it is asked again
 * @param minInSync 2 refuses to acknowledge what only one node has
 * @param window so much may be on the way to the standby, in positions
 * @param joinLag a standby that is behind by no more than this is about to join
 * @param confirmsInMemory whether a follower confirms what it has received, and not only what is on its disk
 * @param foundsAlone whether a node with an empty store begins a new pair without having heard of the other one
 */
public record PairSettings(
        String self,
        String partner,
        Duration heartbeat,
        Duration heartbeatTimeout,
        Duration lease,
        Duration syncTimeout,
        Duration diskTimeout,
        Duration retry,
        int minInSync,
        long window,
        long joinLag,
        boolean confirmsInMemory,
        boolean foundsAlone) {
    private static final int NODES = 2;

    public PairSettings {
        if (self.equals(partner)) {
            throw new IllegalArgumentException("A node is not its own partner: " + self);
        }
        if (lease.compareTo(heartbeatTimeout) >= 0 || heartbeat.compareTo(lease) >= 0) {
            throw new IllegalArgumentException("heartbeat " + heartbeat + " < lease " + lease + " < heartbeatTimeout "
                    + heartbeatTimeout + " must hold");
        }
        if (minInSync < 1 || minInSync > NODES) {
            throw new IllegalArgumentException("minInSync is 1 or 2, not " + minInSync);
        }
    }

    /** The defaults, for positions that count bytes. */
    public static PairSettings of(String self, String partner) {
        return new PairSettings(
                self,
                partner,
                Duration.ofMillis(100),
                Duration.ofMillis(600),
                Duration.ofMillis(500),
                Duration.ofSeconds(1),
                Duration.ofSeconds(5),
                Duration.ofMillis(250),
                1,
                8 << 20,
                1 << 20,
                false,
                false);
    }

    /** The same with other values of what administrators choose. */
    public PairSettings with(
            Duration newSyncTimeout, Duration newDiskTimeout, int newMinInSync, boolean newConfirmsInMemory) {
        return new PairSettings(
                self,
                partner,
                heartbeat,
                heartbeatTimeout,
                lease,
                newSyncTimeout,
                newDiskTimeout,
                retry,
                newMinInSync,
                window,
                joinLag,
                newConfirmsInMemory,
                foundsAlone);
    }

    /**
     * Who is in sync once this node has taken the role that the partner has handed over. That one opens its store anew,
     * which takes the longer the more there is; so the leader acknowledges alone until it follows, unless both have to
     * have everything.
     */
    Set<String> inSyncAfterHandOver() {
        return minInSync == NODES ? Set.of(self, partner) : Set.of(self);
    }
}
