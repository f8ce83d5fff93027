package dev.avocet.core.queue.receiver;

import dev.avocet.core.loop.IoLoop;

/**
 * The queue as its receivers' {@linkplain ReceiverPort ports} see it: each port lives on its consumer's loop and brings
 * what it has gathered to the home loop of the queue.
 */
public interface ReceiverHost {
    /** The loop on which everything else here is called. It does not change. Any thread. */
    IoLoop home();

    /** A receiver comes; the queue owns it until it is {@linkplain #detach detached}. Home loop. */
    void attach(Receiver receiver);

    /** What a receiver has done in a batch. Home loop. */
    void apply(Receiver receiver, ReceiverRequest request);

    /**
     * A receiver goes; what it has not seen goes back as if it had never been sent. Home loop.
     *
     * @param unsettled what becomes of the deliveries that the consumer has got
     * @param seen how many deliveries those are, settled ones included
     */
    void detach(Receiver receiver, Settlement unsettled, long seen);
}
