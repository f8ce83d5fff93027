package dev.avocet.ha;

/**
 * The process around a member of a pair. The member calls it on one thread of its own, {@code pair-host}, one call at a
 * time, which may block; what the pair does meanwhile does not wait for it. Only {@link #stopServing} should be brief:
 * another node serves clients already, or is about to.
 */
public interface PairHost {
    /**
     * Opens the broker on the store of that term, and returns once clients can connect.
     *
     * @throws Exception when that is impossible; the member gives its role up, and calls {@link #ended}
     */
    void serve(ActiveTerm term) throws Exception;

    /**
     * Disconnects all clients and closes the store; does nothing when nothing is served. Nothing that is still on its
     * way is acknowledged any more, unless the member was asked to close or to hand over.
     *
     * @param why for people
     */
    void stopServing(String why);

    /** Something in the status is another than before; of several changes only the last one may be told. */
    void statusChanged(PairStatus status);

    /** The configuration that the other node is to have. Asked while this node is active. */
    byte[] configuration() throws Exception;

    /** The configuration of the active node; this one has to be the same from now on. Called while it is a standby. */
    void adoptConfiguration(byte[] archive) throws Exception;

    /**
     * The member has failed, for example as its disk has, and takes no part in the pair any more: the process must end.
     * Once, and the last call but for {@link #stopServing}, which comes before it.
     *
     * @param why what happened and what to do, for people
     */
    void ended(String why);
}
