package dev.avocet.core.queue;

import static dev.avocet.core.queue.transit.DeliverySource.NOT_STORED;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageRun;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.queue.line.DurableLine;
import dev.avocet.core.queue.line.LineSnapshot;
import dev.avocet.core.queue.line.MemoryLine;
import dev.avocet.core.queue.line.ReadRequest;
import dev.avocet.core.queue.line.UnstoredSnapshot;
import dev.avocet.core.queue.line.WaitingLine;
import dev.avocet.core.queue.reference.QueueSnapshot;
import dev.avocet.core.queue.reference.QueueStore;
import dev.avocet.core.queue.reference.ReferenceSearch;
import dev.avocet.core.queue.room.QueueFigures;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.queue.room.QueueRoom;
import dev.avocet.core.queue.transit.Consumer;
import dev.avocet.core.queue.transit.Consumers;
import dev.avocet.core.queue.transit.Delivery;
import dev.avocet.core.queue.transit.Unsettled;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How subscriptions have it: one line, first in, first out, and consumers that take every message. A message that has
 * none in front of it goes straight to a consumer.
 */
final class LineDispatch implements Dispatch {
    private final SubscriptionQueue queue;
    private final QueueRoom room;
    private final QueueFigures figures;
    private final Consumers consumers = new Consumers();
    private final LineHoldings holdings;
    /** Null until something has expired for the first time. */
    private @Nullable LineSweep sweep;

    LineDispatch(SubscriptionQueue queue, QueueRoom room, QueueFigures figures) {
        this.queue = queue;
        this.room = room;
        this.figures = figures;
        this.holdings = new LineHoldings(this, queue);
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
        return holdings.size();
    }

    @Override
    public boolean goesStraightOn() {
        return line().isEmpty() && consumers.anyReady();
    }

    /** What waits and is not in the store, as it is now. */
    UnstoredSnapshot unstored() {
        return holdings.unstored();
    }

    /** The consumer of a queue that has exactly one. */
    @Nullable Consumer only() {
        return consumers.only();
    }

    @Override
    public void put(Message message, @Nullable DeliveryOptions options) {
        if (room.isClosed()) {
            room.release();
            return;
        }
        if (line().isEmpty() && !holdings.isDelayed(options)) {
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
        Delivery delivery = line().isEmpty() && !holdings.isDelayed(options)
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
                line().addLast(run.get(i), null);
            }
            figures.countPublished(run.size(), room.depth());
            drain(); // for a part of it the consumer may have room
        }
    }

    /** Nothing may overtake what waits. */
    private @Nullable Consumer takerOf(MessageRun run) {
        return line().isEmpty() ? consumers.takerOf(run) : null;
    }

    @Override
    public void enqueue(Message message, @Nullable DeliveryOptions options) {
        holdings.add(message, options);
        onEnqueued(message);
    }

    @Override
    public void putStored(
            @Nullable Message message,
            @Nullable DeliveryOptions options,
            long reference,
            long position,
            int storedBytes,
            long deadlineNs) {
        if (message == null) {
            throw new IllegalArgumentException("a subscription gets no message that is on disk only");
        }
        if (room.isClosed()) {
            store().abandoned(position, storedBytes);
            room.release();
            return;
        }
        DurableLine line = holdings.durableLine();
        if (options != null && holdings.isDelayed(options)) {
            line.handOut(message, options, reference, position, storedBytes);
            holdings.delay(reference, storedBytes, message.expiryDeadlineNs(), options);
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
        if (holdings.isTooMuch(limits)) {
            int count = holdings.discardOldest(limits);
            figures.countDiscarded(count, home());
            queue.noteMissed(count);
        }
        holdings.show();
    }

    @Override
    public void drain() {
        while (!line().isEmpty() && consumers.anyReady()) {
            if (drainRun()) {
                continue;
            }
            if (hasExpired(line().firstDeadlineNs())) {
                line().endFirst(home());
                room.release();
                figures.countExpired(1, home());
                continue;
            }
            Message message = line().first();
            if (message == null) {
                break; // on its way back from the store
            }
            Delivery delivery = consumers.hand(queue, message, line().firstOptions(), line().firstReference());
            if (delivery == Delivery.IN_FLIGHT) {
                line().handOutFirst();
            } else if (delivery == Delivery.SETTLED) {
                line().endFirst(home());
                room.release();
            }
        }
        if (consumers.count() > 0) {
            line().readAhead(home());
        }
        holdings.show();
        room.wakeIfRoom(); // what is in flight has left room for bytes
    }

    /** Hands out as many messages as can go together; false when that is none. */
    private boolean drainRun() {
        Consumer consumer = consumers.onlyReady();
        if (consumer == null || !(line() instanceof MemoryLine line)) {
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

    void attach(Consumer consumer) {
        consumers.add(consumer);
    }

    /** Takes a consumer away; true when it was the last one. */
    boolean detach(Consumer consumer) {
        if (!consumers.remove(consumer) || consumers.count() > 0) {
            return false;
        }
        line().forgetReadAhead();
        holdings.show();
        return true;
    }

    /** A consumer can take messages again; false when it could before. */
    boolean makeReady(Consumer consumer) {
        return consumers.makeReady(consumer);
    }

    @Override
    public boolean settle(long reference) {
        return holdings.durableLine().settle(reference, home());
    }

    @Override
    public void noteDelivered(long[] references) {
        holdings.durableLine().noteDelivered(references, home());
    }

    @Override
    public void endCommitted(long reference) {
        if (room.isClosed() || holdings.durableLine().endCommitted(reference)) {
            room.release();
        }
    }

    @Override
    public void giveBack(List<Unsettled> messages) {
        if (line() instanceof MemoryLine line) {
            for (int i = messages.size() - 1; i >= 0; i--) {
                Unsettled unsettled = messages.get(i);
                line.addFirst(unsettled.message(), unsettled.options(null));
            }
        } else {
            holdings.durableLine().giveBack(messages, consumers.count() > 0, home());
        }
        for (Unsettled unsettled : messages) {
            queue.noteExpiry(unsettled.message().expiryDeadlineNs());
        }
    }

    @Override
    public void giveBackAbsent(long[] references) {
        queue.noteExpiry(holdings.durableLine().giveBackAbsent(references, home()));
    }

    @Override
    public void restore(
            long reference, long position, int storedBytes, long expiryDeadlineNs, @Nullable DeliveryOptions options) {
        if (options != null && holdings.isDelayed(options)) {
            holdings.durableLine().restoreInFlight(reference, position, storedBytes, expiryDeadlineNs, options);
            holdings.delay(reference, storedBytes, expiryDeadlineNs, options);
        } else {
            holdings.durableLine().restore(reference, position, storedBytes, expiryDeadlineNs, options);
        }
        queue.noteExpiry(expiryDeadlineNs);
        holdings.show();
    }

    @Override
    public void restoreInFlight(
            long reference, long position, int storedBytes, long expiryDeadlineNs, @Nullable DeliveryOptions options) {
        holdings.durableLine().restoreInFlight(reference, position, storedBytes, expiryDeadlineNs, options);
    }

    @Override
    public QueueSnapshot snapshot() {
        return line() instanceof DurableLine line ? line.snapshot() : LineSnapshot.empty(queue.durability());
    }

    @Override
    public ReferenceSearch search(long from, long until) {
        return line() instanceof DurableLine line
                ? line.search(from, until)
                : new ReferenceSearch(from, until, visitor -> false, List.of());
    }

    @Override
    public boolean moved(long reference, long newPosition, int storedBytes) {
        boolean present = line() instanceof DurableLine line && line.move(reference, newPosition, storedBytes);
        holdings.show();
        return present;
    }

    @Override
    public boolean shedPayloads(int most) {
        return line().shedPayloads(consumers.count() > 0, most);
    }

    @Override
    public boolean lose(long reference, long position) {
        boolean ended = line() instanceof DurableLine line && line.lose(reference, position, home());
        holdings.show();
        return ended;
    }

    @Override
    public void removeExpired(long nowNs) {
        LineSweep present = sweep;
        if (present == null) {
            present = new LineSweep(queue, holdings);
            sweep = present;
        }
        present.begin(nowNs);
    }

    /** The home is about to change: nothing happens by itself until {@link #goOn}. True when something would. */
    boolean pause() {
        return holdings.pause();
    }

    /** Goes on after {@link #pause}; on the home that there is now. */
    void goOn() {
        holdings.goOn();
    }

    @Override
    public int close() {
        int dropped = holdings.size();
        holdings.close();
        for (Consumer gone : consumers.clear()) {
            gone.onQueueClosed();
        }
        return dropped;
    }

    /** The store has read messages back, for the loop that was the home when it was asked. */
    void onRead(ReadRequest request, @Nullable Message[] messages) {
        if (!home().inLoop()) {
            home().execute(() -> onRead(request, messages));
            return;
        }
        DurableLine line = holdings.durableLine();
        for (long lost : line.takeRead(request, messages, consumers.count() > 0)) {
            queue.lose(lost, line.positionOf(lost));
        }
        queue.drain();
    }

    private WaitingLine line() {
        return holdings.line();
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
