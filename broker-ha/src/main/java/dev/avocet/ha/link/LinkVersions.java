package dev.avocet.ha.link;

/**
 * The versions of the link that a node speaks. Two nodes take the latest that both speak, so that one of them can be
 * upgraded while the other one serves. What is written between them, with the entries of the journal in it, changes
 * only with a version; the one before is spoken on.
 *
 * <table>
 * <caption>What is in them</caption>
 * <tr><td>1</td><td>records, from the position where the follower's log ends</td></tr>
 * <tr><td>2</td><td>a checkpoint in place of records that the leader has no more; whole texts</td></tr>
 * </table>
 */
public record LinkVersions(int oldest, int latest) {
    /** Those of this build. */
    public static final LinkVersions ALL = new LinkVersions(1, 2);

    private static final int WITH_STORES = 2;

    public LinkVersions {
        if (oldest < 1 || oldest > latest) {
            throw new IllegalArgumentException("No versions: " + oldest + " to " + latest);
        }
    }

    /** The latest that the other node speaks as well; 0 when there is none. */
    int agreed(LinkVersions other) {
        int both = Math.min(latest, other.latest);
        return both >= oldest && both >= other.oldest ? both : 0;
    }

    boolean has(int version) {
        return version >= oldest && version <= latest;
    }

    /** Whether a checkpoint can be sent over a link of that version. */
    static boolean carriesStores(int version) {
        return version >= WITH_STORES;
    }

    @Override
    public String toString() {
        return oldest == latest ? "version " + latest : "versions " + oldest + " to " + latest;
    }
}
