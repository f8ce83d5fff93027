package dev.avocet.core.queue;

import dev.avocet.core.queue.ranked.QueueEntry;
import dev.avocet.core.queue.receiver.Receiver;
import dev.avocet.core.queue.receiver.Settlement;
import dev.avocet.core.queue.receiver.Settlements;
import org.jspecify.annotations.Nullable;

/**
 * Does what a receiver has said of its deliveries. The room of those that are accepted is the caller's to give back, in
 * one step. Home loop.
 */
final class ReceiverSettling implements Settlements.Visitor {
    private final EntryCourse course;
    private final EntryEnds ends;
    private final Receiver receiver;
    private int accepted;

    ReceiverSettling(EntryCourse course, Receiver receiver) {
        this.course = course;
        this.ends = course.ends();
        this.receiver = receiver;
    }

    /** How many of them were in flight with the receiver, and are over. */
    int accepted() {
        return accepted;
    }

    @Override
    public void onAccepted(long reference) {
        QueueEntry entry = held(reference);
        if (entry != null) {
            ends.acknowledge(entry);
            accepted++;
        }
    }

    @Override
    public void onOther(Settlements.Other settled) {
        QueueEntry entry = held(settled.reference());
        if (entry == null) {
            return;
        }
        Settlement settlement = settled.settlement();
        if (settlement != null) {
            course.settle(entry, receiver, settlement, settled.description());
        } else if (entry.standing.deliveryCount() == settled.deliveryCount()) {
            entry.holder(null);
        } // else the transaction was rolled back before this came, and the receiver has it once more
    }

    private @Nullable QueueEntry held(long reference) {
        QueueEntry entry = course.inFlight(reference);
        return entry == null || entry.holder() != receiver ? null : entry;
    }
}
