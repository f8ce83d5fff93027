package dev.avocet.core.queue;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.Message;
import dev.avocet.core.queue.ranked.BrowsePosition;
import dev.avocet.core.queue.ranked.EntryTable;
import dev.avocet.core.queue.ranked.QueueEntry;
import dev.avocet.core.queue.ranked.QueueEntry.State;
import dev.avocet.core.queue.ranked.RankedCursor;
import dev.avocet.core.queue.ranked.RankedLine;
import dev.avocet.core.queue.ranked.RankedOrders;
import dev.avocet.core.queue.ranked.RankedReferences;
import dev.avocet.core.queue.ranked.ScanPosition;
import dev.avocet.core.queue.receiver.QueueDelivery;
import dev.avocet.core.queue.receiver.Receiver;
import dev.avocet.core.queue.receiver.Receivers;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Brings what waits in a queue by name to its receivers: the most urgent first, and to each one what it may get. A
 * receiver that has looked at many messages without finding one goes on in a later turn of the loop. Home loop.
 */
final class RankedServing {
    /** Messages that a receiver looks at in one turn and does not get. */
    private static final int LOOKS_PER_TURN = 500;

    private final RankedQueue queue;
    private final RankedReferences waiting;
    private final EntryTable entries;
    private final Holdings holdings;
    private final Receivers receivers;
    private final ReadBack readBack;
    private final Consumer<RankedCursor> expire;
    private final RankedOrders orders;

    /** Several entries come back together: who gets them is decided when all are in their places. Counts for whom. */
    private int gathering;

    /** @param expire ends what stands at a place */
    RankedServing(
            RankedQueue queue,
            RankedReferences waiting,
            EntryTable entries,
            Holdings holdings,
            Receivers receivers,
            RankedOrders orders,
            Consumer<QueueEntry> seen,
            Consumer<RankedCursor> expire) {
        this.queue = queue;
        this.waiting = waiting;
        this.entries = entries;
        this.holdings = holdings;
        this.receivers = receivers;
        this.orders = orders;
        this.expire = expire;
        this.readBack = new ReadBack(queue, waiting, holdings, seen, this::serve);
    }

    /** True when a message is being read that waits with this order. */
    boolean isReading(long order) {
        return readBack.isReading(order);
    }

    /** From now on what comes only waits, until as many calls of {@link #serveAll}. */
    void gather() {
        gathering++;
    }

    /** Hands an entry to a receiver, or has it wait. */
    void offer(QueueEntry entry) {
        Message message = entry.message;
        Receiver receiver = message == null || gathering > 0 ? null : receivers.choose(entry, message);
        if (receiver != null && message != null) {
            deliver(entry, message, receiver);
            return;
        }
        holdings.enter(entry);
        entries.remove(entry);
        waiting.add(entry);
        if (message == null && gathering == 0) {
            serveEach(); // one of them has it read
        }
    }

    /** Everybody gets what has been gathered, or has become free otherwise, the most important first. */
    void serveAll() {
        gathering--;
        serveEach();
    }

    private void serveEach() {
        if (gathering == 0) {
            receivers.inOrder().forEach(this::serve);
        }
        holdings.show();
    }

    private void deliver(QueueEntry entry, Message message, Receiver receiver) {
        entry.state = State.IN_FLIGHT;
        entry.noted = false;
        entry.holder(receiver);
        entries.put(entry);
        receivers.got(receiver, message);
        receiver.deliver(deliveryOf(entry, message), home());
        entry.deliveryNumber = receiver.deliveries();
    }

    private QueueDelivery deliveryOf(QueueEntry entry, Message message) {
        boolean again = entry.redelivered || entry.standing.deliveryCount() > 0;
        return new QueueDelivery(message, entry.number, entry.standing, again);
    }

    /** Delivers to a receiver until it has no credit or there is nothing for it; while others gather, not yet. */
    void serve(Receiver receiver) {
        if (gathering > 0) {
            return;
        }
        receiver.blocked(false);
        RankedCursor cursor = new RankedCursor();
        if (receiver.options().browses()) {
            browse(receiver, cursor);
            return;
        }
        while (receiver.credit() > 0 && findNext(receiver, cursor)) {
            QueueEntry entry = waiting.take(cursor);
            Message message = entry.message;
            holdings.leave(entry);
            if (message != null) {
                deliver(entry, message, receiver);
            }
        }
        if (receiver.isDraining() && !receiver.isBlocked()) {
            receiver.drained(home());
        }
    }

    /**
     * Goes to what a receiver gets next; false when there is nothing for it, or when it has to wait until that was read
     * back or until its next turn.
     */
    private boolean findNext(Receiver receiver, RankedCursor cursor) {
        ScanPosition scan = receiver.scan();
        long nowNs = home().clock().nanoTime();
        int looks = 0;
        for (int priority = RankedReferences.HIGHEST; priority >= 0; priority--) {
            RankedLine line = waiting.of(priority);
            boolean more = line != null && !line.isEmpty() && scan.begin(cursor, line, priority);
            while (more && line != null) {
                long order = cursor.order();
                if (cursor.hasExpired(nowNs) && !readBack.isReading(order)) {
                    expire.accept(cursor);
                    more = scan.goOn(cursor, line, order);
                } else if (cursor.isAbsent()) {
                    readBack.await(cursor, receiver);
                    return false;
                } else if (mayGet(receiver, cursor.entry())) {
                    return true;
                } else {
                    scan.passed(order, priority);
                    more = cursor.advance();
                }
                looks++;
                if (more && looks >= LOOKS_PER_TURN) {
                    goOnLater(receiver);
                    return false;
                }
            }
        }
        scan.complete(orders.last());
        return false;
    }

    private boolean mayGet(Receiver receiver, @Nullable QueueEntry entry) {
        Message message = entry == null ? null : entry.message;
        return entry != null && message != null && receivers.mayGet(receiver, entry, message);
    }

    private void browse(Receiver receiver, RankedCursor cursor) {
        if (receiver.credit() > 0 && !receiver.hasBegunBrowsing()) {
            // not before: a client may make its browser long before it looks
            receiver.browse(begin(receiver.options().only(), cursor));
        }
        int looks = 0;
        while (receiver.credit() > 0) {
            BrowsePosition position = receiver.browsing();
            if (position == null || !position.seek(waiting, cursor)) {
                if (position != null || receiver.isDraining()) {
                    receiver.endBrowsing();
                    receiver.drained(home());
                }
                return;
            }
            QueueEntry entry = cursor.entry();
            Message message = entry == null ? null : entry.message;
            if (entry == null || message == null) {
                readBack.await(cursor, receiver);
                return;
            }
            if (receiver.selects(message)) {
                receiver.deliver(deliveryOf(entry, message), home());
            }
            position.passed(entry.order);
            looks++;
            if (looks >= LOOKS_PER_TURN && receiver.credit() > 0) {
                goOnLater(receiver);
                return;
            }
        }
        if (receiver.isDraining()) {
            receiver.drained(home());
        }
    }

    private BrowsePosition begin(@Nullable Long only, RankedCursor cursor) {
        if (only == null) {
            return new BrowsePosition(orders.last());
        }
        return waiting.find(cursor, only) ? BrowsePosition.only(cursor) : BrowsePosition.nothing();
    }

    private void goOnLater(Receiver receiver) {
        receiver.blocked(true);
        if (receiver.goesOnLater()) {
            home().executeAfterInput(() -> {
                receiver.goesOn();
                if (receiver.isAttached() && receiver.isBlocked()) {
                    serve(receiver);
                    holdings.show();
                }
            });
        }
    }

    private IoLoop home() {
        return queue.home();
    }
}
