package dev.avocet.core.queue;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.Message;
import dev.avocet.core.queue.line.UnstoredSnapshot;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.queue.transit.Consumer;
import dev.avocet.core.queue.transit.DeliverySource;
import org.jspecify.annotations.Nullable;

/**
 * The queue of a subscription, or of the members of a shared one: first in, first out, consumers that take every
 * message, in turn. It moves to the loop of its consumer.
 *
 * <p>Threads: {@link #settle} and {@link #settleUnstored} may be used anywhere, as what {@link MessageQueue} says; the
 * rest belongs to the home loop.
 */
public final class SubscriptionQueue extends MessageQueue implements DeliverySource {
    private final int neverAcknowledgingMultiple;
    private final LineDispatch line;
    private @Nullable Runnable feeder;

    /**
     * @param name for people: statistics and log lines
     * @param neverAcknowledgingMultiple a consumer that acknowledges nothing while this many times the maximum number
     *     of messages has been lost to the full queue is disconnected; 0 for never
     */
    public SubscriptionQueue(String name, IoLoop home, QueueLimits limits, int neverAcknowledgingMultiple) {
        super(name, home, limits);
        this.neverAcknowledgingMultiple = neverAcknowledgingMultiple;
        this.line = new LineDispatch(this, room(), figures());
    }

    @Override
    LineDispatch dispatch() {
        return line;
    }

    /**
     * Adds a consumer, ready for messages, and delivers to it what waits; one that comes too late is told. Home loop.
     */
    public void attach(Consumer consumer) {
        assert home().inLoop() : name() + " attached to by another thread than its home's";
        if (isClosed()) {
            consumer.onQueueClosed();
            return;
        }
        line.attach(consumer);
        figures().noteSettled();
        drain();
    }

    /** Takes a consumer away. What it holds in flight stays counted until it is settled or given back. Home loop. */
    public void detach(Consumer consumer) {
        assert home().inLoop() : name() + " detached from by another thread than its home's";
        if (line.detach(consumer)) {
            room().wakeAll(); // what may be lost need not wait for a client that is away
        }
    }

    @Override
    public void resume(Consumer consumer) {
        assert home().inLoop() : name() + " resumed by another thread than its home's";
        if (line.makeReady(consumer)) {
            drain();
        }
    }

    @Override
    public void settleUnstored(int messages) {
        figures().noteSettled();
        room().release(messages);
    }

    @Override
    public void settle(Message message, long reference) {
        figures().noteSettled();
        if (reference == NOT_STORED) {
            release();
        } else if (home().inLoop()) {
            settleStored(reference);
        } else {
            home().execute(() -> settle(message, reference));
        }
    }

    /** Settles what was collected at a consumer's outpost. Any thread. */
    void settleStored(long[] references, int count) {
        if (!home().inLoop()) {
            home().execute(() -> settleStored(references, count));
            return;
        }
        figures().noteSettled();
        for (int i = 0; i < count; i++) {
            settleStored(references[i]);
        }
    }

    /** Makes another loop the home; from here on only that one may drain. Home loop. */
    public void moveTo(IoLoop newHome) {
        assert home().inLoop() : name() + " moved by another thread than its home's";
        assert line.consumers() == 0 : name() + " moved with consumers";
        boolean paused = line.pause();
        rehome(newHome);
        if (paused) {
            newHome.execute(this::goOn);
        }
    }

    /** What waits in the line, or for its time, and is not in the store. Home loop. */
    public UnstoredSnapshot unstored() {
        assert home().inLoop() : name() + " looked at by another thread than its home's";
        takeInbox();
        return line.unstored();
    }

    @Override
    public void close() {
        feeder = null;
        super.close();
    }

    /** What goes on feeding this queue once it has room, besides publishers; null when nothing does. Home loop. */
    public @Nullable Runnable feeder() {
        return feeder;
    }

    public void feeder(@Nullable Runnable feeder) {
        assert home().inLoop() : name() + " fed by another thread than its home's";
        this.feeder = feeder;
    }

    @Override
    void noteMissed(int count) {
        if (figures().noteMissed(count, (long) neverAcknowledgingMultiple * limits().maxMessages())) {
            home().execute(this::disconnectNeverAcknowledging);
        }
    }

    private void goOn() {
        IoLoop home = home();
        if (!home.inLoop()) {
            home.execute(this::goOn);
            return;
        }
        line.goOn();
    }

    private void disconnectNeverAcknowledging() {
        IoLoop home = home();
        if (!home.inLoop()) {
            home.execute(this::disconnectNeverAcknowledging);
        } else if (depth() > line.waiting()) {
            Consumer consumer = line.only();
            if (consumer != null) {
                consumer.onNeverAcknowledging();
            }
        }
    }
}
