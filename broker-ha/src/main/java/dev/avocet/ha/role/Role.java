package dev.avocet.ha.role;

/** What a node of a pair is at present. */
public enum Role {
    /** It does not know the register yet. */
    STARTING,
    /** It serves clients, and what it acknowledges is on both disks. */
    ACTIVE,
    /** It serves clients, and it alone has what it acknowledges. */
    ALONE,
    /** It has not got everything that was acknowledged, and cannot be promoted. */
    STANDBY_SYNCING,
    /** It has everything that was acknowledged, and is promoted when the active node is silent. */
    STANDBY_IN_SYNC,
    /** An administrator has paused it: it follows no more, and is not promoted before it is resumed. */
    STANDBY_PAUSED,
    /** It was active, and has learned of a later epoch; it becomes a standby once the leader has answered. */
    FENCED,
    /** Its store is another one than the pair's, and is not empty. An administrator must decide. */
    REFUSED;

    /** Whether this node serves clients. */
    public boolean leads() {
        return this == ACTIVE || this == ALONE;
    }
}
