package dev.avocet.ha.role;

/** Says in a sentence what keeps a node from being in sync, and what to do where that is up to people. */
final class OutOfSync {
    private OutOfSync() {}

    /**
     * Of the standby, as the active node sees it; empty when it is in sync.
     *
     * @param follows it is sent records
     * @param leaves it has asked not to be named any more
     * @param joins it is about to be named
     * @param late it has confirmed nothing for the sync timeout, or is away
     * @param refused why it was told that it cannot follow
     */
    static String ofPartner(
            PairState state, boolean follows, boolean leaves, boolean joins, boolean late, String refused) {
        String partner = state.partner();
        if (state.known().isInSync(partner) && !late) {
            return "";
        } else if (state.link == PairState.NO_LINK) {
            return partner + " is not connected: see that it runs, and that the two reach each other";
        } else if (!refused.isEmpty()) {
            return refused;
        } else if (leaves) {
            return partner + " has left those in sync, as it was paused or begins anew: its own status says more";
        } else if (!follows) {
            return partner + " is connected and does not follow: if that lasts, its own status says why";
        } else if (joins) {
            return partner + " has everything, and waits for the coordinator to name it";
        } else if (late) {
            return partner + " has confirmed nothing for "
                    + state.settings.syncTimeout().toMillis()
                    + " ms: look at its disk, and at the network between the two";
        }
        return partner + " catches up with this node";
    }

    /**
     * Of a standby that starts from a checkpoint.
     *
     * @param sent up to where the log was sent; 0 while the checkpoint is under way
     */
    static String ofStarting(PairState state, long sent) {
        String how = sent == 0
                ? "the checkpoint is under way"
                : "the log is sent up to position " + sent + " of " + Math.max(sent, state.log.end());
        return state.partner() + " lacks more than the log of this node has, and gets everything anew, so wait: " + how;
    }

    /** Why a node cannot follow whose store is not empty. */
    static String otherStore(String who, String storeId, PairLog log) {
        return who + " has store " + storeId + ", and this node has store " + log.storeId()
                + ", which is not empty: decide which one is kept, and empty the other node's store";
    }

    /** Why a node cannot follow that would have to drop what was acknowledged. */
    static String leaderLacks(long cut, long committed) {
        return "the leader lacks what was acknowledged between the positions " + cut + " and " + committed
                + ": decide which store is kept, and empty the other node's store";
    }

    /** Of this node, which does not lead; empty when it is in sync. */
    static String ofSelf(PairState state, Role role, String refusal) {
        return switch (role) {
            case STANDBY_IN_SYNC, ACTIVE, ALONE -> "";
            case REFUSED -> refusal;
            case STANDBY_PAUSED -> "an administrator has paused this node: resume it to have it follow";
            case STARTING -> "this node does not know the state of the pair: see that it reaches the coordinator";
            case FENCED, STANDBY_SYNCING ->
                state.link == PairState.NO_LINK
                        ? state.partner() + " is not connected: see that it runs, and that the two reach each other"
                        : "this node catches up with " + state.partner();
        };
    }
}
