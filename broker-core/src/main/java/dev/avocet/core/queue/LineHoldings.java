package dev.avocet.core.queue;

import dev.avocet.core.config.object.policy.FullBehavior;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.queue.line.DelayedDeliveries;
import dev.avocet.core.queue.line.DelayedDeliveries.Delayed;
import dev.avocet.core.queue.line.DurableLine;
import dev.avocet.core.queue.line.MemoryLine;
import dev.avocet.core.queue.line.UnstoredSnapshot;
import dev.avocet.core.queue.line.WaitingLine;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.queue.room.QueueRoom;
import dev.avocet.core.queue.transit.ExpirySearch;
import org.jspecify.annotations.Nullable;

/**
 * What waits in the queue of a subscription: a line, and beside it what may not be delivered yet, until its time has
 * come. Home loop.
 */
final class LineHoldings {
    private final LineDispatch dispatch;
    private final SubscriptionQueue queue;
    private WaitingLine line = new MemoryLine();
    /** Made for the first message that is. */
    private @Nullable DelayedDeliveries delayed;

    private boolean lineIsSwept;

    LineHoldings(LineDispatch dispatch, SubscriptionQueue queue) {
        this.dispatch = dispatch;
        this.queue = queue;
    }

    /** What may be delivered, first to last. */
    WaitingLine line() {
        return line;
    }

    /** The line of references; the first time it takes the place of the line in memory. */
    DurableLine durableLine() {
        WaitingLine present = line;
        if (present instanceof DurableLine durable) {
            return durable;
        }
        DurableLine made = new DurableLine(queue.durability(), queue.room(), dispatch::onRead);
        ((MemoryLine) present).moveTo(made);
        line = made;
        return made;
    }

    int size() {
        return line.size() + (delayed == null ? 0 : delayed.size());
    }

    boolean isDelayed(@Nullable DeliveryOptions options) {
        return options != null && DelayedDeliveries.isDelayed(options, home());
    }

    /** A message waits that is nowhere else. */
    void add(Message message, @Nullable DeliveryOptions options) {
        if (options != null && isDelayed(options)) {
            delayed().add(message, options);
        } else {
            line.addLast(message, options);
        }
    }

    /** A reference that is in flight as far as the line is concerned waits until its time has come. */
    void delay(long reference, int storedBytes, long deadlineNs, DeliveryOptions options) {
        delayed().add(reference, storedBytes, deadlineNs, options);
    }

    /** Ends the oldest messages, if there are too many for a queue that discards them; returns how many that was. */
    int discardOldest(QueueLimits limits) {
        QueueRoom room = queue.room();
        if (limits.behavior() != FullBehavior.DISCARD_OLD_MESSAGES) {
            return 0;
        }
        int depthTarget = room.depth() > limits.maxMessages() ? limits.discardTarget() : limits.maxMessages();
        long unstoredTarget = limits.discardTargetBuffered(unstoredBytes());
        long storedTarget = limits.discardTargetStored(storedBytes());
        int count = 0;
        while (size() > 1
                && (room.depth() > depthTarget || unstoredBytes() > unstoredTarget || storedBytes() > storedTarget)) {
            discardFirst();
            room.release();
            count++;
        }
        return count;
    }

    /** Whether there is more than the limits allow. */
    boolean isTooMuch(QueueLimits limits) {
        return queue.room().depth() > limits.maxMessages() || limits.hasTooMuch(unstoredBytes(), storedBytes());
    }

    /** What is not in the store, as it is now. */
    UnstoredSnapshot unstored() {
        UnstoredSnapshot waiting = line.unstored();
        if (delayed == null) {
            return waiting;
        }
        UnstoredSnapshot later = delayed.unstored();
        return visitor -> {
            waiting.forEach(visitor);
            later.forEach(visitor);
        };
    }

    /** Begins to look for what has expired. */
    void beginSweep() {
        lineIsSwept = false;
        if (delayed != null) {
            delayed.beginSweep();
        }
    }

    /**
     * Ends what has expired of a part.
     *
     * @param most references to write again, or as much work
     * @return true when there is more, for a later turn of the loop
     */
    boolean sweep(ExpirySearch search, int most) {
        if (!lineIsSwept) {
            lineIsSwept = line.sweep(search, most, home());
        }
        if (!lineIsSwept) {
            return true;
        }
        DelayedDeliveries later = delayed;
        return later != null && later.sweep(most, search, this::endInStore) == most;
    }

    /** Shows what waits to other threads and to the gauges. */
    void show() {
        DelayedDeliveries later = delayed;
        long heapBytes = line.heapBytes() + (later == null ? 0 : later.unstoredBytes());
        long referenceBytes = line.referenceBytes() + (later == null ? 0 : later.referenceBytes());
        queue.room().showBytes(unstoredBytes(), storedBytes());
        queue.figures().showWaiting(size(), heapBytes, referenceBytes, home());
    }

    /** Nothing becomes due by itself until {@link #goOn}; true when something would. */
    boolean pause() {
        if (delayed == null) {
            return false;
        }
        delayed.stop();
        return true;
    }

    /** Goes on after {@link #pause}, on the home that there is now. */
    void goOn() {
        if (delayed != null) {
            delayed.start();
        }
    }

    /** Ends everything. */
    void close() {
        if (delayed != null) {
            delayed.clear();
            delayed = null;
        }
        line.abandon(home());
        show();
    }

    private long unstoredBytes() {
        return line.unstoredBytes() + (delayed == null ? 0 : delayed.unstoredBytes());
    }

    private long storedBytes() {
        return line.storedBytes() + (delayed == null ? 0 : delayed.storedBytes());
    }

    /** What waits goes before what is delayed, and the newest of what waits last. */
    private void discardFirst() {
        Delayed first = line.size() > 1 || delayed == null ? null : delayed.poll();
        if (first == null) {
            line.endFirst(home());
        } else {
            endInStore(first);
        }
    }

    private DelayedDeliveries delayed() {
        DelayedDeliveries present = delayed;
        if (present == null) {
            delayed = present = new DelayedDeliveries(queue::home, this::onDue);
        }
        return present;
    }

    /** A message's time has come: it waits behind the others. */
    private void onDue(Delayed due) {
        if (due.message() == null) {
            durableLine().becomeDue(due.reference());
        } else {
            line.addLast(due.message(), due.options());
        }
        queue.drain();
    }

    /** A delayed message is over before its time. */
    private void endInStore(Delayed over) {
        if (over.message() == null) {
            durableLine().settle(over.reference(), home());
        }
    }

    private IoLoop home() {
        return queue.home();
    }
}
