package dev.avocet.core.queue;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import org.jspecify.annotations.Nullable;

/** What waits in a queue, in its order. Home loop; what is said of the first message needs one to be there. */
sealed interface WaitingLine permits MemoryLine, DurableLine {
    int size();

    /** What the queue's limit of bytes is held against. */
    long bytes();

    /** What of it occupies memory. */
    long heapBytes();

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
     * Ends what has expired.
     *
     * @return the earliest deadline among the rest
     */
    long removeExpired(long nowNs, IoLoop home);

    /** Ends everything together with the queue. */
    void abandon();

    /** Begins to read back what comes next, if that has to be done now. Home loop of a queue with consumers. */
    default void readAhead(IoLoop home) {}

    /** Nobody consumes any longer: what was read ahead need not wait in memory. */
    default void forgetReadAhead() {}

    default boolean isEmpty() {
        return size() == 0;
    }
}
