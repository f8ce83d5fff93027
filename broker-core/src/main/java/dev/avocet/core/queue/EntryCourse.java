package dev.avocet.core.queue;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.DeadLetter;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Standing;
import dev.avocet.core.queue.ranked.EntryTable;
import dev.avocet.core.queue.ranked.LastValues;
import dev.avocet.core.queue.ranked.QueueEntry;
import dev.avocet.core.queue.ranked.QueueEntry.State;
import dev.avocet.core.queue.ranked.RankedCursor;
import dev.avocet.core.queue.ranked.RankedOrders;
import dev.avocet.core.queue.ranked.RankedReferences;
import dev.avocet.core.queue.receiver.Receiver;
import dev.avocet.core.queue.receiver.Receivers;
import dev.avocet.core.queue.receiver.Settlement;
import dev.avocet.core.queue.room.QueueFigures;
import dev.avocet.core.queue.room.QueueRoom;
import dev.avocet.core.queue.room.QueueSettings;
import dev.avocet.core.queue.transit.DelayedEntries;
import org.jspecify.annotations.Nullable;

/**
 * The life of a message in a queue by name: it arrives, waits or is delayed, goes to a receiver, comes back or ends.
 * Home loop.
 */
final class EntryCourse {
    private final RankedQueue queue;
    private final QueueRoom room;
    private final QueueFigures figures;
    private final RankedReferences waiting;
    private final EntryTable entries;
    private final Holdings holdings;
    private final DelayedEntries<QueueEntry> delayed;
    private final LastValues lastValues = new LastValues();
    private final RankedOrders orders = new RankedOrders();
    private final EntryEnds ends;
    private final DeadLetters deadLetters;
    private final RankedServing serving;

    /**
     * @param waiting what waits
     * @param entries in flight or delayed
     * @param receivers who gets what waits
     */
    EntryCourse(
            RankedQueue queue,
            RankedReferences waiting,
            EntryTable entries,
            Holdings holdings,
            Receivers receivers,
            QueueNeighbours neighbours) {
        this.queue = queue;
        this.room = queue.room();
        this.figures = queue.figures();
        this.waiting = waiting;
        this.entries = entries;
        this.holdings = holdings;
        this.delayed = new DelayedEntries<>(queue::home, this::onDue);
        this.ends = new EntryEnds(queue, room, figures, entries, lastValues);
        this.deadLetters = new DeadLetters(queue, neighbours, ends, this::waitAgain);
        this.serving = new RankedServing(
                queue, waiting, entries, holdings, receivers, orders, this::replaceLastValue, this::expireAt);
    }

    /** Those whose time has yet to come. */
    DelayedEntries<QueueEntry> delayed() {
        return delayed;
    }

    EntryEnds ends() {
        return ends;
    }

    DeadLetters deadLetters() {
        return deadLetters;
    }

    RankedServing serving() {
        return serving;
    }

    /** A number by which the next one stands behind all others. */
    long nextOrder() {
        return orders.next();
    }

    /** Forgets all entries, which others end. */
    void clear() {
        delayed.clear();
        lastValues.clear();
        deadLetters.clear();
    }

    /** What stands at a place has expired. */
    void expireAt(RankedCursor place) {
        expire(takeFrom(place));
    }

    void arrive(QueueEntry entry) {
        countArrived(1);
        enter(entry);
        holdings.show();
    }

    /** So many {@link #enter} now. */
    void countArrived(int messages) {
        figures.countPublished(messages, room.depth());
    }

    /** Brings an entry in that was counted; what waits then is the caller's to show. */
    void enter(QueueEntry entry) {
        entry.order = orders.next();
        entry.arrival = entry.order;
        queue.noteExpiry(entry.deadlineNs);
        replaceLastValue(entry);
        if (delayed.isDelayed(entry)) {
            holdings.enter(entry);
            delay(entry);
        } else {
            serving.offer(entry);
        }
    }

    /**
     * A new entry replaces the one with its key that waits; an old one that comes back is not needed if there is a
     * newer.
     */
    private void replaceLastValue(QueueEntry entry) {
        String property = queue.settings().lastValueProperty();
        if (property != null && entry.lastValueKey == null && entry.message != null) {
            QueueEntry before = lastValues.put(entry, entry.message.properties().property(property));
            if (before != null && before.state != State.IN_FLIGHT && !serving.isReading(before.order)) {
                unplace(before);
                ends.discard(before);
            }
        }
    }

    /** A receiver has come to another outcome than that it accepts the entry. */
    void settle(QueueEntry entry, Receiver receiver, Settlement settlement, @Nullable String description) {
        if (settlement == Settlement.REJECTED) {
            entry.holder(null);
            deadLetters.end(entry, DeadLetter.Cause.REJECTED, description);
        } else {
            if (settlement.isElsewhere() && receiver.isAttached()) {
                entry.refuse(receiver);
            }
            back(entry, settlement.countsAsFailed());
        }
    }

    /** A transaction that had acknowledged it was rolled back. */
    void returned(long reference) {
        QueueEntry entry = inFlight(reference);
        if (entry != null) {
            back(entry, true);
        }
    }

    /** An entry in flight was not accepted: it waits again. */
    private void back(QueueEntry entry, boolean failed) {
        entry.holder(null);
        entry.noted = false;
        entry.redelivered |= failed;
        QueueSettings settings = queue.settings();
        if (failed) {
            int failures = entry.standing.deliveryCount() + 1;
            long delayMs = settings.delayAfterMs(failures);
            long notBeforeWallMs = delayMs == 0 ? 0 : home().clock().wallTimeMs() + delayMs;
            restand(entry, entry.standing.failed(failures, notBeforeWallMs));
            if (settings.isDead(failures)) {
                deadLetters.end(entry, DeadLetter.Cause.TOO_MANY_DELIVERIES, null);
                return;
            }
        }
        if (lastValues.isOutdated(entry)) {
            ends.discard(entry);
            return;
        }
        waitAgain(entry);
    }

    /** An entry that was in flight waits, until its time has come or for a receiver. */
    void waitAgain(QueueEntry entry) {
        queue.noteExpiry(entry.deadlineNs);
        if (delayed.isDelayed(entry)) {
            holdings.enter(entry);
            delay(entry);
        } else {
            entry.arrival = orders.next();
            serving.offer(entry);
        }
        holdings.show();
    }

    private void restand(QueueEntry entry, Standing standing) {
        entry.standing = standing;
        if (entry.isStored()) {
            deadLetters.write(entry);
        }
    }

    void delay(QueueEntry entry) {
        entry.state = State.DELAYED;
        entries.put(entry);
        delayed.add(entry);
    }

    private void onDue(QueueEntry entry) {
        holdings.leave(entry);
        if (deadLetters.isPending(entry)) {
            deadLetters.tryAgain(entry);
            return;
        }
        entry.arrival = orders.next();
        if (entry.standing.deliveryCount() == 0) {
            entry.order = entry.arrival; // it arrives only now
        }
        serving.offer(entry);
        holdings.show();
    }

    /** An entry that is in no list has expired. */
    void expire(QueueEntry entry) {
        figures.countExpired(1, home());
        deadLetters.end(entry, DeadLetter.Cause.EXPIRED, null);
    }

    /** Puts an entry that is counted already where it waits. */
    void place(QueueEntry entry) {
        entry.arrival = orders.next();
        if (delayed.isDelayed(entry)) {
            delay(entry);
        } else {
            waiting.add(entry);
        }
    }

    /** Takes away what stands at a place, as an entry. */
    QueueEntry takeFrom(RankedCursor place) {
        QueueEntry entry = waiting.take(place);
        holdings.leave(entry);
        return entry;
    }

    /** Takes an entry that waits from where it does. */
    void unplace(QueueEntry entry) {
        if (entry.state == State.DELAYED) {
            delayed.remove(entry);
            deadLetters.forget(entry);
        } else {
            waiting.remove(entry);
        }
        holdings.leave(entry);
    }

    QueueEntry restored(
            long reference, long position, int storedBytes, long expiryDeadlineNs, @Nullable DeliveryOptions options) {
        QueueEntry entry = new QueueEntry(reference, null, expiryDeadlineNs, DeliveryOptions.standingOf(options));
        entry.position = position;
        entry.storedBytes = storedBytes;
        entry.order = orders.next();
        entry.arrival = entry.order;
        return entry;
    }

    @Nullable QueueEntry inFlight(long reference) {
        QueueEntry entry = entries.get(reference);
        return entry == null || entry.state != State.IN_FLIGHT ? null : entry;
    }

    private IoLoop home() {
        return queue.home();
    }
}
