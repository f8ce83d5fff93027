package dev.avocet.core.queue;

import static dev.avocet.core.queue.DeliverySource.NOT_STORED;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageRun;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.queue.DelayedDeliveries.Delayed;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How subscriptions have it: one line, first in, first out, and consumers that take whatever comes. A message for whom
 * nobody waits in front goes straight to a consumer. What may not be delivered yet stands beside the line until its
 * time has come, and then at its end.
 */
final class LineDispatch implements Dispatch {
    private final MessageQueue queue;
    private final QueueRoom room;
    private final QueueFigures figures;
    private final Consumers consumers = new Consumers();
    private WaitingLine waiting = new MemoryLine();
    /** Made for the first message that is. */
    private @Nullable DelayedDeliveries delayed;

    LineDispatch(MessageQueue queue, QueueRoom room, QueueFigures figures) {
        this.queue = queue;
        this.room = room;
        this.figures = figures;
    }

    @Override
    public int consumers() {
        return consumers.count();
    }

    @Override
    public boolean keepsForNobody() {
        return false;
    }

    @Override
    public int waiting() {
        return size();
    }

    @Override
    public boolean goesStraightOn() {
        return waiting.isEmpty() && consumers.anyReady();
    }

    @Override
    public @Nullable Consumer only() {
        return consumers.only();
    }

    @Override
    public void put(Message message, @Nullable DeliveryOptions options) {
        if (room.isClosed()) {
            room.release();
            return;
        }
        if (waiting.isEmpty() && !isDelayed(options)) {
            Delivery delivery = consumers.hand(queue, message, options, NOT_STORED);
            if (delivery != Delivery.BUSY) {
                figures.countPublished(1, room.depth());
                if (delivery == Delivery.SETTLED) {
                    room.release();
                }
                return;
            }
        }
        enqueue(message, options);
    }

    @Override
    public boolean handOn(Message message, @Nullable DeliveryOptions options) {
        Delivery delivery = waiting.isEmpty() && !isDelayed(options)
                ? consumers.hand(queue, message, options, NOT_STORED)
                : Delivery.BUSY;
        if (delivery == Delivery.BUSY) {
            return false;
        }
        if (delivery == Delivery.IN_FLIGHT) {
            room.take();
        }
        figures.countPublished(1, room.depth());
        return true;
    }

    @Override
    public boolean takes(MessageRun run) {
        return takerOf(run) != null;
    }

    @Override
    public boolean handOn(MessageRun run) {
        Consumer consumer = takerOf(run);
        if (consumer == null) {
            return false;
        }
        consumer.deliver(queue, run);
        figures.countPublished(run.size(), room.depth());
        return true;
    }

    @Override
    public void put(MessageRun run) {
        if (room.isClosed()) {
            room.release(run.size());
        } else if (consumers.count() > 1) {
            Dispatch.super.put(run); // in turn
        } else if (!handOn(run)) {
            for (int i = 0; i < run.size(); i++) {
                waiting.addLast(run.get(i), null);
            }
            figures.countPublished(run.size(), room.depth());
            drain(); // for a part of it the consumer may have room
        }
    }

    /** Nothing may overtake what waits. */
    private @Nullable Consumer takerOf(MessageRun run) {
        return waiting.isEmpty() ? consumers.takerOf(run) : null;
    }

    @Override
    public void enqueue(Message message, @Nullable DeliveryOptions options) {
        if (options != null && isDelayed(options)) {
            delayed().add(message, options);
        } else {
            waiting.addLast(message, options);
        }
        onEnqueued(message);
    }

    @Override
    public void putStored(
            @Nullable Message message,
            @Nullable DeliveryOptions options,
            long reference,
            long position,
            int storedBytes) {
        if (message == null) {
            throw new IllegalArgumentException("a subscription gets no message that is on disk only");
        }
        if (room.isClosed()) {
            store().abandoned(position, storedBytes);
            room.release();
            return;
        }
        DurableLine line = durableLine();
        if (options != null && isDelayed(options)) {
            line.handOut(message, options, reference, position, storedBytes);
            delayed().add(reference, storedBytes, message.expiryDeadlineNs(), options);
            onEnqueued(message);
            return;
        }
        if (line.isEmpty()) {
            Delivery delivery = consumers.hand(queue, message, options, reference);
            if (delivery != Delivery.BUSY) {
                figures.countPublished(1, room.depth());
                if (delivery == Delivery.IN_FLIGHT) {
                    line.handOut(message, options, reference, position, storedBytes);
                } else {
                    store().acknowledged(queue.durableId(), reference, position, storedBytes, home());
                    room.release();
                }
                return;
            }
        }
        line.addStored(message, options, reference, position, storedBytes, consumers.count() > 0);
        onEnqueued(message);
    }

    private void onEnqueued(Message message) {
        queue.noteExpiry(message.expiryDeadlineNs());
        figures.countPublished(1, room.depth());
        QueueLimits limits = room.limits();
        if (room.depth() > limits.maxMessages() || limits.hasTooMuch(unstoredBytes(), storedBytes())) {
            discardOldest(limits);
        }
        showWaiting();
    }

    @Override
    public void drain() {
        while (!waiting.isEmpty() && consumers.anyReady()) {
            if (drainRun()) {
                continue;
            }
            if (hasExpired(waiting.firstDeadlineNs())) {
                waiting.endFirst(home());
                room.release();
                figures.countExpired(1, home());
                continue;
            }
            Message message = waiting.first();
            if (message == null) {
                break; // on its way back from the store
            }
            Delivery delivery = consumers.hand(queue, message, waiting.firstOptions(), waiting.firstReference());
            if (delivery == Delivery.IN_FLIGHT) {
                waiting.handOutFirst();
            } else if (delivery == Delivery.SETTLED) {
                waiting.endFirst(home());
                room.release();
            }
        }
        if (consumers.count() > 0) {
            waiting.readAhead(home());
        }
        showWaiting();
        room.wakeIfRoom(); // what is in flight has left room for bytes
    }

    /** Hands out as many messages as can go together; false when that is none. */
    private boolean drainRun() {
        Consumer consumer = consumers.onlyReady();
        if (consumer == null || !(waiting instanceof MemoryLine line)) {
            return false;
        }
        MessageRun run = line.takeRun(consumer);
        if (run == null) {
            return false;
        }
        consumer.deliver(queue, run);
        if (run.qos() == QualityOfService.AT_MOST_ONCE) {
            room.release(run.size());
        }
        return true;
    }

    @Override
    public void attach(Consumer consumer) {
        consumers.add(consumer);
    }

    @Override
    public boolean detach(Consumer consumer) {
        if (!consumers.remove(consumer) || consumers.count() > 0) {
            return false;
        }
        waiting.forgetReadAhead();
        showWaiting();
        return true;
    }

    @Override
    public boolean makeReady(Consumer consumer) {
        return consumers.makeReady(consumer);
    }

    @Override
    public boolean settle(long reference) {
        return durableLine().settle(reference, home());
    }

    @Override
    public void noteDelivered(long[] references) {
        durableLine().noteDelivered(references, home());
    }

    @Override
    public void endCommitted(long reference) {
        if (room.isClosed() || durableLine().endCommitted(reference)) {
            room.release();
        }
    }

    @Override
    public void giveBack(List<Unsettled> messages) {
        if (waiting instanceof MemoryLine line) {
            for (int i = messages.size() - 1; i >= 0; i--) {
                Unsettled unsettled = messages.get(i);
                line.addFirst(unsettled.message(), DurableLine.options(null, unsettled));
            }
        } else {
            durableLine().giveBack(messages, consumers.count() > 0, home());
        }
        for (Unsettled unsettled : messages) {
            queue.noteExpiry(unsettled.message().expiryDeadlineNs());
        }
    }

    @Override
    public void giveBackAbsent(long[] references) {
        queue.noteExpiry(durableLine().giveBackAbsent(references, home()));
    }

    @Override
    public void restore(
            long reference, long position, int storedBytes, long expiryDeadlineNs, @Nullable DeliveryOptions options) {
        if (options != null && isDelayed(options)) {
            durableLine().restoreInFlight(reference, position, storedBytes, expiryDeadlineNs, options);
            delayed().add(reference, storedBytes, expiryDeadlineNs, options);
        } else {
            durableLine().restore(reference, position, storedBytes, expiryDeadlineNs, options);
        }
        queue.noteExpiry(expiryDeadlineNs);
        showWaiting();
    }

    @Override
    public void restoreInFlight(
            long reference, long position, int storedBytes, long expiryDeadlineNs, @Nullable DeliveryOptions options) {
        durableLine().restoreInFlight(reference, position, storedBytes, expiryDeadlineNs, options);
    }

    @Override
    public QueueSnapshot snapshot() {
        return waiting instanceof DurableLine line ? line.snapshot() : LineSnapshot.empty(queue.durability());
    }

    @Override
    public void forEachIn(long from, long until, ReferenceVisitor visitor) {
        if (waiting instanceof DurableLine line) {
            line.forEachIn(from, until, visitor);
        }
    }

    @Override
    public void forEachUnstored(UnstoredVisitor visitor) {
        waiting.forEachUnstored(visitor);
        if (delayed != null) {
            delayed.forEachUnstored(visitor);
        }
    }

    @Override
    public boolean moved(long reference, long newPosition, int storedBytes) {
        boolean present = waiting instanceof DurableLine line && line.move(reference, newPosition, storedBytes);
        showWaiting();
        return present;
    }

    @Override
    public void shedPayloads() {
        waiting.shedPayloads(consumers.count() > 0);
    }

    @Override
    public long lose(long reference) {
        long position = waiting instanceof DurableLine line ? line.lose(reference, home()) : -1;
        showWaiting();
        return position;
    }

    @Override
    public void removeExpired(long nowNs) {
        int before = size();
        long earliestNs = waiting.removeExpired(nowNs, home());
        DelayedDeliveries later = delayed;
        if (later != null) {
            earliestNs = Math.min(earliestNs, later.removeExpired(nowNs, this::endInStore));
        }
        int count = before - size();
        figures.countExpired(count, home());
        queue.noteExpiry(earliestNs);
        showWaiting();
        room.release(count);
    }

    @Override
    public boolean pause() {
        if (delayed == null) {
            return false;
        }
        delayed.stop();
        return true;
    }

    @Override
    public void goOn() {
        if (delayed != null) {
            delayed.start();
        }
    }

    @Override
    public int close() {
        int dropped = size();
        if (delayed != null) {
            delayed.clear();
            delayed = null;
        }
        waiting.abandon(home());
        showWaiting();
        for (Consumer gone : consumers.clear()) {
            gone.onQueueClosed();
        }
        return dropped;
    }

    /** The store has read messages back, for the loop that was the home when it was asked. */
    private void onRead(ReadRequest request, @Nullable Message[] messages) {
        if (!home().inLoop()) {
            home().execute(() -> onRead(request, messages));
            return;
        }
        for (long lost : durableLine().takeRead(request, messages, consumers.count() > 0)) {
            queue.lose(lost);
        }
        queue.drain();
    }

    /** The line of references; the first time it takes the place of the line in memory. */
    private DurableLine durableLine() {
        WaitingLine present = waiting;
        if (present instanceof DurableLine line) {
            return line;
        }
        DurableLine made = new DurableLine(queue.durability(), room, this::onRead);
        ((MemoryLine) present).moveTo(made);
        waiting = made;
        return made;
    }

    private void discardOldest(QueueLimits limits) {
        if (limits.behavior() != FullBehavior.DISCARD_OLD_MESSAGES) {
            return;
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
        figures.countDiscarded(count, home());
        queue.noteMissed(count);
    }

    /** What waits goes before what is delayed, and the newest of what waits last. */
    private void discardFirst() {
        Delayed first = waiting.size() > 1 || delayed == null ? null : delayed.poll();
        if (first == null) {
            waiting.endFirst(home());
        } else {
            endInStore(first);
        }
    }

    /** Shows what waits to other threads and to whoever watches the gauges. */
    private void showWaiting() {
        DelayedDeliveries later = delayed;
        room.showBytes(unstoredBytes(), storedBytes());
        figures.showWaiting(
                size(), waiting.heapBytes() + (later == null ? 0 : later.unstoredBytes()), referenceBytes(), home());
    }

    private long referenceBytes() {
        DelayedDeliveries later = delayed;
        return waiting.referenceBytes() + (later == null ? 0 : later.referenceBytes());
    }

    private int size() {
        return waiting.size() + (delayed == null ? 0 : delayed.size());
    }

    private long unstoredBytes() {
        return waiting.unstoredBytes() + (delayed == null ? 0 : delayed.unstoredBytes());
    }

    private long storedBytes() {
        return waiting.storedBytes() + (delayed == null ? 0 : delayed.storedBytes());
    }

    private boolean isDelayed(@Nullable DeliveryOptions options) {
        return options != null && DelayedDeliveries.isDelayed(options, home());
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
            waiting.addLast(due.message(), due.options());
        }
        queue.drain();
    }

    /** A delayed message is over before its time. */
    private void endInStore(Delayed over) {
        if (over.message() == null) {
            durableLine().settle(over.reference(), home());
        }
    }

    private boolean hasExpired(long deadlineNs) {
        return deadlineNs != Message.NEVER && home().clock().nanoTime() - deadlineNs >= 0;
    }

    private QueueStore store() {
        return queue.durability().store();
    }

    private IoLoop home() {
        return queue.home();
    }
}
