package dev.avocet.core.queue;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.DeadLetter;
import dev.avocet.core.queue.receiver.QueueConsumer;
import dev.avocet.core.queue.receiver.QueueReceiver;
import dev.avocet.core.queue.receiver.ReceiverOptions;
import dev.avocet.core.queue.receiver.ReceiverPort;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.queue.room.QueueSettings;
import dev.avocet.core.queue.transit.StoredEntry;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A queue that clients know by name: messages of higher priority first, receivers that choose, deliveries that may
 * fail. It does not move to another loop.
 *
 * <p>Threads: {@link #receive}, {@link #settings} and {@link #consumed} may be used anywhere, as what
 * {@link MessageQueue} says; the rest belongs to the home loop.
 */
public final class RankedQueue extends MessageQueue {
    private final RankedDispatch ranked;
    private volatile QueueSettings settings;

    /**
     * @param name by which clients know it
     * @param neighbours where messages go that no receiver takes
     */
    public RankedQueue(
            String name, IoLoop home, QueueLimits limits, QueueSettings settings, QueueNeighbours neighbours) {
        super(name, home, limits);
        this.settings = settings;
        this.ranked = new RankedDispatch(this, room(), figures(), neighbours);
    }

    @Override
    RankedDispatch dispatch() {
        return ranked;
    }

    /** What it does beside holding messages. Any thread. */
    public QueueSettings settings() {
        return settings;
    }

    /** Replaces the settings; they hold from the next message on. Any thread. */
    public void settings(QueueSettings changed) {
        settings = changed;
    }

    /** Messages that receivers have accepted. May lag when another thread asks. */
    public long consumed() {
        return figures().consumed();
    }

    /**
     * Begins to receive from it. The answer, {@link QueueConsumer#onAttached} or
     * {@link QueueConsumer#onEnded}, comes later.
     *
     * @param loop the caller's, to which the receiver belongs
     */
    public QueueReceiver receive(ReceiverOptions options, IoLoop loop, QueueConsumer consumer) {
        ReceiverPort port = new ReceiverPort(ranked, options, loop, consumer);
        port.open();
        return port;
    }

    /** Ends all that waits; returns how many messages that was. Home loop. */
    public int purge() {
        return purgeSome(Integer.MAX_VALUE);
    }

    /** The same for so many messages at the most, for those who leave the loop to others in between. Home loop. */
    public int purgeSome(int most) {
        assert home().inLoop() : name() + " purged by another thread than its home's";
        takeInbox();
        return ranked.administration().purge(most);
    }

    /** Ends one message that waits; false when it does not. Home loop. */
    public boolean purge(long reference) {
        assert home().inLoop() : name() + " purged by another thread than its home's";
        takeInbox();
        return ranked.administration().purge(reference);
    }

    /**
     * Moves messages that wait to another queue, the next to be delivered first, as far as that has room; returns how
     * many that was. What is in flight, delayed or not in memory and not to be stored there stays. Home loop.
     */
    public int moveMessagesTo(RankedQueue target, int most) {
        assert home().inLoop() : name() + " emptied by another thread than its home's";
        takeInbox();
        return ranked.administration().moveTo(target, most);
    }

    /**
     * Moves one message that waits to another queue: both at once in the store, or not at all. Home loop.
     *
     * @param choice of the queue, by how the message came here, which is null for what was sent here; null for it to
     *     stay
     */
    public Relocation moveMessage(long reference, Function<@Nullable DeadLetter, @Nullable RankedQueue> choice) {
        assert home().inLoop() : name() + " emptied by another thread than its home's";
        takeInbox();
        return ranked.administration().moveTo(reference, choice);
    }

    /** The references of the first dead letters that wait here, the next to be delivered first. Home loop. */
    public long[] deadLetters(int most) {
        assert home().inLoop() : name() + " looked through by another thread than its home's";
        takeInbox();
        return ranked.administration().deadLetters(most);
    }

    /** As {@link #putStored}, for a message that was in another queue and may be on disk only. */
    void putMoved(StoredEntry entry, IoLoop caller) {
        sendHome(entry, caller);
    }
}
