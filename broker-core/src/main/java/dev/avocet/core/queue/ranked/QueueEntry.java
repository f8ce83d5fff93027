package dev.avocet.core.queue.ranked;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.Standing;
import dev.avocet.core.queue.transit.DelayedEntries;
import dev.avocet.core.queue.transit.DeliverySource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A message in a queue by name, while it is more than a reference that waits: on its way to a receiver, in flight,
 * delayed, in memory, or with something to remember of it. All others are told by the columns of a {@link RankedChunk}.
 * Home loop.
 */
public final class QueueEntry extends DelayedEntries.Entry {
    /** What an entry takes of the heap, its message not included, with its share of the table that it stands in. */
    public static final int HEAP_BYTES = 152;

    /** Where it is. */
    public enum State {
        /** In the line of its priority. */
        WAITING,
        /** Until its time has come. */
        DELAYED,
        /** With a receiver or a transaction. */
        IN_FLIGHT,
        OVER
    }

    /** On what terms its message is in memory. */
    public enum Memory {
        /** Not counted: it is not there, or is in flight. */
        UNCOUNTED,
        /** Nowhere else. */
        ONLY,
        /** The store has granted its share. */
        KEPT,
        /** Read back, or not let go yet, because a receiver wants it soon. */
        AHEAD
    }

    /** More than 0 when the message is stored, otherwise less. */
    public final long number;
    /** Where the message lies in the store, and what it takes there; 0 when it does not. */
    public long position;

    /** What the message takes in the store. */
    public int storedBytes;
    /** When it expires; {@link Message#NEVER} when it does not. */
    public long deadlineNs;
    /** How urgent it is, and what has become of it so far. */
    public Standing standing;

    /** Null when it is on disk only. */
    public @Nullable Message message;

    /** Where it is; the class that moves it sets this. */
    public State state = State.WAITING;
    /** On what terms its message is in memory; set by the class that counts the memory of the queue. */
    public Memory memory = Memory.UNCOUNTED;
    /** Where it is found by its number; the table's. */
    EntryTable.Place tablePlace = EntryTable.Place.NOWHERE;
    /** Among those of its priority. */
    public long order;
    /** When it became available last, counted as the order is. */
    public long arrival;

    /** Among those that its holder has. */
    @Nullable QueueEntry previous;

    /** Behind it among those that its holder has. */
    public @Nullable QueueEntry next;

    private @Nullable EntryHolder holder;
    /** How many deliveries the holder had got with this one. */
    public long deliveryNumber;

    /** A receiver may have seen it before. */
    public boolean redelivered;
    /** The store counts the delivery that is going on, in case the broker is killed. */
    public boolean noted;

    /** By what a newer one replaces it; null for nothing. */
    public @Nullable String lastValueKey;

    private @Nullable List<EntryHolder> refusedBy;

    /** @param number more than 0 when the message is stored, otherwise less */
    public QueueEntry(long number, @Nullable Message message, long deadlineNs, Standing standing) {
        this.number = number;
        this.message = message;
        this.deadlineNs = deadlineNs;
        this.standing = standing;
    }

    /** Who has it in flight; null when that is a transaction. */
    public @Nullable EntryHolder holder() {
        return holder;
    }

    /** Gives it to a holder, and takes it from the one that it had; null for none. */
    public void holder(@Nullable EntryHolder next) {
        if (holder != null) {
            holder.held().remove(this);
        }
        if (next != null) {
            next.held().add(this);
        }
        holder = next;
    }

    @Override
    protected long notBeforeWallMs() {
        return standing.notBeforeWallMs();
    }

    @Override
    protected long order() {
        return order;
    }

    /** Whether the store has it. */
    public boolean isStored() {
        return number > DeliverySource.NOT_STORED;
    }

    /** True while its message is on disk only. */
    public boolean isAbsent() {
        return message == null;
    }

    /** 0 to 9, by which it stands in one line or another. */
    public int priority() {
        return RankedReferences.priorityOf(standing);
    }

    /** True when a reference among others tells all of it. */
    boolean isPlain() {
        return message == null && isStored() && refusedBy == null && lastValueKey == null;
    }

    /** What it counts in memory, while its message is there. */
    public int sizeBytes() {
        return message == null ? 0 : message.sizeBytes();
    }

    boolean hasExpired(long nowNs) {
        return deadlineNs != Message.NEVER && nowNs - deadlineNs >= 0;
    }

    /** A receiver does not want to see it again. */
    public void refuse(EntryHolder receiver) {
        if (refusedBy == null) {
            refusedBy = new ArrayList<>(1);
        }
        refusedBy.add(receiver);
        receiver.refused(this);
    }

    /** Whether that receiver does not want to see it again. */
    public boolean isRefusedBy(EntryHolder receiver) {
        return refusedBy != null && refusedBy.contains(receiver);
    }

    /** A receiver that refused it has gone. */
    public void forget(EntryHolder receiver) {
        if (refusedBy != null && refusedBy.removeIf(one -> one == receiver) && refusedBy.isEmpty()) {
            refusedBy = null;
        }
    }

    /** It is over: those that refused it need not know of it. */
    public void forgetRefusals() {
        if (refusedBy != null) {
            refusedBy.forEach(receiver -> receiver.forgetRefused(this));
            refusedBy = null;
        }
    }

    /** As the store is to know it, with a delivery that is going on and was noted. */
    public @Nullable DeliveryOptions options() {
        return DeliveryOptions.of(
                noted && state == State.IN_FLIGHT
                        ? standing.failed(standing.deliveryCount() + 1, standing.notBeforeWallMs())
                        : standing);
    }
}
