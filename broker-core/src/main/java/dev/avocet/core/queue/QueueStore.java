package dev.avocet.core.queue;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.Message;
import org.jspecify.annotations.Nullable;

/** The store as durable queues see it. */
public interface QueueStore {
    /**
     * A reference is over, because its message was acknowledged, has expired or was discarded. It is written with the present batch of the
     * calling loop; nobody waits for that.
     *
     * @param queueId the queue's durable identifier
     * @param reference its number in the queue
     * @param position where its message lies
     * @param storedBytes how many bytes it takes there
     */
    void acknowledged(long queueId, long reference, long position, int storedBytes, IoLoop caller);

    /** A reference is gone, of whose end the store hears by other ways: with its queue, or with a transaction. Any thread. */
    void abandoned(long position, int storedBytes);

    /**
     * Reads messages back, in their order. Any thread; does not block.
     *
     * @param positions where they lie; this array and the next are the callee's until the answer
     * @param storedBytes how many bytes each takes there
     * @param count how many of the positions count
     * @param loop where the answer comes
     */
    void fetch(long[] positions, int[] storedBytes, int count, IoLoop loop, Fetched then);

    /** Takes a share of the memory for waiting messages; false when the message should be kept on disk only. Any thread. */
    boolean keepInMemory(int sizeBytes);

    /** Gives such a share back. Any thread. */
    void letGo(int sizeBytes);

    /** Receives what was read back. */
    @FunctionalInterface
    interface Fetched {
        /** @param messages in the order of the positions; null in place of one that could not be read, which is fatal for the store */
        void onFetched(@Nullable Message[] messages);
    }
}
