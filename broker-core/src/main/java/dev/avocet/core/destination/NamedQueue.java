package dev.avocet.core.destination;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.queue.MessageQueue;
import dev.avocet.core.queue.QueueConsumer;
import dev.avocet.core.queue.QueueReceiver;
import dev.avocet.core.queue.ReceiverOptions;

/** A queue that clients know by name. Any thread. */
public interface NamedQueue {
    String name();

    QueueKind kind();

    /** What holds its messages; a transaction wants it, and its figures are there. */
    MessageQueue queue();

    /** Whether messages may be sent to it now. A publish to one that does not is refused all the same. */
    boolean allowsSend();

    /**
     * Begins to receive from it. The answer, {@link QueueConsumer#onAttached} or {@link QueueConsumer#onEnded}, comes later.
     *
     * @param loop the caller's, where everything happens from now on
     */
    QueueReceiver receive(ReceiverOptions options, IoLoop loop, QueueConsumer consumer);

    /** Somebody means to send to it, and is counted until {@link #producerDetached}. */
    void producerAttached();

    void producerDetached();
}
