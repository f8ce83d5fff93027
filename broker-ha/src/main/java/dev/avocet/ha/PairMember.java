package dev.avocet.ha;

import java.io.IOException;

/**
 * This process as one of a pair: it takes part in the choice of the active node, follows the one that is, or has its
 * {@link PairHost} serve clients. Thread-safe.
 */
public final class PairMember implements AutoCloseable {
    private PairMember() {}

    /**
     * Reads the store, and takes part from then on. Blocks on the disk.
     *
     * @throws IOException when the store cannot be read, or an address cannot be listened at
     */
    public static PairMember start(MemberOptions options, PairHost host) throws IOException {
        throw new IOException("not there yet");
    }

    /** What this node knows now. */
    public PairStatus status() {
        throw new UnsupportedOperationException("not there yet");
    }

    /**
     * Hands the role over to the other node: has the host stop serving first. False when this node is not active, or
     * the other one is not in sync. Returns at once; the status tells how it goes on.
     */
    public boolean switchOver() {
        return false;
    }

    /** The host has another configuration than before, which the other node is to have. */
    public void configurationChanged() {}

    /**
     * Leaves the pair in good order: what was taken is acknowledged, the host stops serving, and the other node takes
     * over at once if it is in sync. Waits for that.
     */
    @Override
    public void close() {}
}
