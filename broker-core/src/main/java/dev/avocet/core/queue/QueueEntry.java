package dev.avocet.core.queue;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.Standing;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A message in a queue by name, while it is more than a reference that waits: on its way to a receiver, in flight,
 * delayed, in memory, or with something to remember of it. All others are told by the columns of a {@link RankedChunk}.
 * Home loop.
 */
final class QueueEntry extends DelayedEntries.Entry {
    /** What an entry takes of the heap, its message not included, with its share of the table that it stands in. */
    static final int HEAP_BYTES = 152;

    /** Where it is. */
    enum State {
        /** In the line of its priority. */
        WAITING,
        /** Until its time has come. */
        DELAYED,
        /** With a receiver or a transaction. */
        IN_FLIGHT,
        OVER
    }

    /** On what terms its message is in memory. */
    enum Memory {
        /** Not counted: it is not there, or is in flight. */
        UNCOUNTED,
        /** Nowhere else. */
        ONLY,
        /** The store has granted its share. */
        KEPT,
        /** Read back, or not let go yet, because a receiver wants it soon. */
        AHEAD
    }

    final long number;
    /** Where the message lies in the store, and what it takes there; 0 when it does not. */
    long position;

    int storedBytes;
    long deadlineNs;
    Standing standing;

    @Nullable Message message;

    State state = State.WAITING;
    Memory memory = Memory.UNCOUNTED;
    /** Where it is found by its number; the table's. */
    EntryTable.Place tablePlace = EntryTable.Place.NOWHERE;
    /** Among those of its priority. */
    long order;
    /** When it became available last, counted as the order is. */
    long arrival;

    /** Among those that its holder has. */
    @Nullable QueueEntry previous;

    @Nullable QueueEntry next;

    private @Nullable Receiver holder;
    /** How many deliveries the holder had got with this one. */
    long deliveryNumber;

    boolean redelivered;
    /** The store counts the delivery that is going on, in case the broker is killed. */
    boolean noted;

    @Nullable String lastValueKey;

    private @Nullable List<Receiver> refusedBy;

    /** @param number more than 0 when the message is stored, otherwise less */
    QueueEntry(long number, @Nullable Message message, long deadlineNs, Standing standing) {
        this.number = number;
        this.message = message;
        this.deadlineNs = deadlineNs;
        this.standing = standing;
    }

    /** Who has it in flight; null when that is a transaction. */
    @Nullable Receiver holder() {
        return holder;
    }

    void holder(@Nullable Receiver next) {
        if (holder != null) {
            holder.held().remove(this);
        }
        if (next != null) {
            next.held().add(this);
        }
        holder = next;
    }

    @Override
    long notBeforeWallMs() {
        return standing.notBeforeWallMs();
    }

    @Override
    long order() {
        return order;
    }

    boolean isStored() {
        return number > DeliverySource.NOT_STORED;
    }

    boolean isAbsent() {
        return message == null;
    }

    int priority() {
        return RankedReferences.priorityOf(standing);
    }

    /** True when a reference among others tells all of it. */
    boolean isPlain() {
        return message == null && isStored() && refusedBy == null && lastValueKey == null;
    }

    /** What it counts in memory, while its message is there. */
    int sizeBytes() {
        return message == null ? 0 : message.sizeBytes();
    }

    boolean hasExpired(long nowNs) {
        return deadlineNs != Message.NEVER && nowNs - deadlineNs >= 0;
    }

    /** A receiver does not want to see it again. */
    void refuse(Receiver receiver) {
        if (refusedBy == null) {
            refusedBy = new ArrayList<>(1);
        }
        refusedBy.add(receiver);
        receiver.refused(this);
    }

    boolean isRefusedBy(Receiver receiver) {
        return refusedBy != null && refusedBy.contains(receiver);
    }

    /** A receiver that refused it has gone. */
    void forget(Receiver receiver) {
        if (refusedBy != null && refusedBy.removeIf(one -> one == receiver) && refusedBy.isEmpty()) {
            refusedBy = null;
        }
    }

    /** It is over: those that refused it need not know of it. */
    void forgetRefusals() {
        if (refusedBy != null) {
            refusedBy.forEach(receiver -> receiver.forgetRefused(this));
            refusedBy = null;
        }
    }

    @Nullable DeliveryOptions options() {
        return DeliveryOptions.of(
                noted && state == State.IN_FLIGHT
                        ? standing.failed(standing.deliveryCount() + 1, standing.notBeforeWallMs())
                        : standing);
    }
}
