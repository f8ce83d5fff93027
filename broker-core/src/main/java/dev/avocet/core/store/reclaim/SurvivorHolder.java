package dev.avocet.core.store.reclaim;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.StoredMessage;

/**
 * Who holds a reference: a durable queue, or the retained messages. A message that several hold is moved for each of
 * them alone.
 */
public interface SurvivorHolder {
    /** The loop on which it wants to be asked to move. Any thread. */
    IoLoop loop();

    /**
     * Writes the message again with this reference, as a {@code MOVE} entry. Once that is durable the reference is
     * pointed there and the place that it had released; when the reference is over by then, or lies at a later place,
     * it is the new place that is released. On the loop.
     *
     * @param message read from the old place
     * @param done to be called once, on any thread: the reference has moved, or was over already
     */
    void move(Survivor survivor, StoredMessage message, Runnable done);

    /** The disk has damaged the message, so that it cannot be moved. Otherwise as {@link #move}. */
    void giveUp(Survivor survivor, Runnable done);
}
