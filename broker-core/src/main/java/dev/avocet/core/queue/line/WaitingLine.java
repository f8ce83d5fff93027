package dev.avocet.core.queue.line;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.queue.transit.ExpirySearch;
import org.jspecify.annotations.Nullable;

/** What waits in a queue, in its order. Home loop; what is said of the first message needs one to be there. */
public sealed interface WaitingLine permits MemoryLine, DurableLine {
    int size();

    /** Memory of the messages that are nowhere else, which the queue's limit for memory is held against. */
    long unstoredBytes();

    /** What the others take in the store, which the queue's limit for the disk is held against. */
    long storedBytes();

    /** What all of it occupies of the memory, references left out. */
    long heapBytes();

    /** What the references to stored messages occupy of it. */
    default long referenceBytes() {
        return 0;
    }

    void addLast(Message message, @Nullable DeliveryOptions options);

    /** The first message; null when it has to be read back before. */
    @Nullable Message first();

    @Nullable DeliveryOptions firstOptions();

    long firstReference();

    long firstDeadlineNs();

    /** A consumer has the first one and will settle it. */
    void handOutFirst();

    /** The first one is over: acknowledged, expired or discarded. */
    void endFirst(IoLoop home);

    /**
     * Ends what has expired of a part: from the begin, or from where the last turn has ended.
     *
     * @param most references to write again, or as much work
     * @return true at the end, after which the next turn begins anew
     */
    boolean sweep(ExpirySearch search, int most, IoLoop home);

    /** Ends everything together with the queue; what takes long goes on later on the same loop. */
    void abandon(IoLoop home);

    /** Begins to read back what comes next, if that has to be done now. Home loop of a queue with consumers. */
    default void readAhead(IoLoop home) {}

    /** The last consumer has left: what was read ahead need not wait in memory. */
    default void forgetReadAhead() {}

    /**
     * Memory is short: what the store has as well need not be there.
     *
     * @param soonWanted true when there are consumers, for which what comes next is left
     * @return true when there are more than so many
     */
    default boolean shedPayloads(boolean soonWanted, int most) {
        return false;
    }

    /** The messages that are not in the store, as they are now. */
    UnstoredSnapshot unstored();

    default boolean isEmpty() {
        return size() == 0;
    }
}
