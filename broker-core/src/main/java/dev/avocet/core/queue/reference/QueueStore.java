package dev.avocet.core.queue.reference;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.TopicName;
import org.jspecify.annotations.Nullable;

/** The store as durable queues see it. */
public interface QueueStore {
    /** In an answer, in place of a message that the disk has damaged: it is lost, and the others are not. */
    Message DAMAGED = new Message(
            TopicName.of("damaged"),
            QualityOfService.AT_MOST_ONCE,
            false,
            new byte[0],
            MessageProperties.NONE,
            Message.NEVER,
            "");

    /**
     * A reference is over, because its message was acknowledged, has expired or was discarded. It is written with the
     * present batch of the calling loop; no caller waits for that.
     *
     * @param queueId the queue's durable identifier
     * @param reference its number in the queue
     * @param position where its message lies
     * @param storedBytes how many bytes it takes there
     */
    void acknowledged(long queueId, long reference, long position, int storedBytes, IoLoop caller);

    /**
     * References were delivered and not acknowledged. Where they are not over by then, an earlier life of the broker
     * knows it after a kill. It is written with the present batch of the calling loop; no caller waits for that.
     *
     * @param count how often at least; more than 0
     */
    void delivered(long queueId, int count, long[] references, IoLoop caller);

    /**
     * A reference is gone, of whose end the store hears by other ways: with its queue, or with a transaction. Any
     * thread.
     */
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

    /**
     * A queue has given up a message that is {@link #DAMAGED}: it is counted, and reported to the operator.
     * Any thread.
     *
     * @param queue for people
     */
    void lost(String queue, long position);

    /**
     * Takes a share of the memory for waiting messages; false when the message should be kept on disk only. Any thread.
     */
    boolean keepInMemory(int sizeBytes);

    /** Where references go that the heap has no room for; null when nowhere. Any thread. */
    default @Nullable ReferencePages pages() {
        return null;
    }

    /** Gives such a share back. Any thread. */
    void letGo(int sizeBytes);

    /** Receives what was read back. */
    @FunctionalInterface
    interface Fetched {
        /**
         * @param messages in the order of the positions; null in place of one that could not be read, which is fatal
         *     for the store;
         *     {@link QueueStore#DAMAGED} in place of one that is lost */
        void onFetched(@Nullable Message[] messages);
    }
}
