package dev.avocet.ha.role;

/**
 * The log of this node, as the pair needs it. Positions count what is before them; they are the same at both nodes.
 * Called on the thread of the pair.
 */
public interface PairLog {
    /** Names the store; a new one has a name that no other has. */
    String storeId();

    /** Behind the last record. */
    long end();

    /** Everything before it survives the loss of power. Never more than {@link #end}. */
    long forced();

    /**
     * The leader waits for what is forced up to there, and {@link PairNode#forced} need not be told of more. It looks
     * at {@link #forced} once more after it has said so.
     */
    default void awaits(long position) {}

    /** The epochs of the records before {@link #end}. */
    EpochStarts starts();

    /**
     * Drops what is at that position and behind it. Returns when the drop is durable: no loss of power brings it back.
     */
    void cutBack(long position);

    /** Appends what a leader has sent; {@link PairNode#forced} tells when it is durable. */
    void append(PairMessage.Records records);

    /** Everything before it is known to be committed, from an earlier life. */
    default long committed() {
        return 0;
    }

    /** Whether all records from that position on can be read, and none of them was dropped. */
    default boolean reaches(long position) {
        return position >= 0;
    }

    /**
     * Begins to receive a store that is to take the place of this one, which stays as it is meanwhile. What was
     * received before is of no use any more.
     */
    void receive(PairMessage.Start start);

    /** Takes a part of its checkpoint. */
    void receive(PairMessage.Part part);

    /** Takes records of it, before which there may be a hole. */
    void receive(PairMessage.Records records);

    /** All of it has come, and its log ends there; {@link PairNode#storeReceived} tells when it is durable. */
    void complete(long end);

    /** What was received is of no use any more. */
    void dropReceived();

    /** Becomes a part of that store; only of an empty log. */
    void adopt(String storeId);
}
