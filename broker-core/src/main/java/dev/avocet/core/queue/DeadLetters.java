package dev.avocet.core.queue;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.DeadLetter;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.Standing;
import dev.avocet.core.queue.ranked.QueueEntry;
import dev.avocet.core.queue.room.QueueSettings;
import dev.avocet.core.queue.room.Reservation;
import dev.avocet.core.queue.transit.DeliverySource;
import dev.avocet.core.queue.transit.StoredEntry;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of messages that no receiver takes: they go to another queue, both at once or not at all. Where that has
 * no room they wait, and no receiver gets them meanwhile. Home loop of the queue that they leave.
 */
final class DeadLetters {
    private static final long RETRY_MS = 1_000;

    private final RankedQueue queue;
    private final QueueNeighbours neighbours;
    private final EntryEnds ends;
    private final Consumer<QueueEntry> waitAgain;
    /** Those that wait for room, and why they go. */
    private final Map<QueueEntry, DeadLetter> pending = new HashMap<>(0);

    /** @param waitAgain has an entry wait until its time has come */
    DeadLetters(RankedQueue queue, QueueNeighbours neighbours, EntryEnds ends, Consumer<QueueEntry> waitAgain) {
        this.queue = queue;
        this.neighbours = neighbours;
        this.ends = ends;
        this.waitAgain = waitAgain;
    }

    boolean isPending(QueueEntry entry) {
        return pending.containsKey(entry);
    }

    /** An entry that waits for room is over by other ways. */
    void forget(QueueEntry entry) {
        pending.remove(entry);
    }

    void clear() {
        pending.clear();
    }

    /** An entry that is in no list goes where such ones go. */
    void end(QueueEntry entry, DeadLetter.Cause cause, @Nullable String description) {
        int rejected = cause == DeadLetter.Cause.REJECTED ? 1 : 0;
        int deliveryCount = entry.standing.deliveryCount() + rejected;
        go(entry, new DeadLetter(cause, queue.name(), description, deliveryCount));
    }

    void tryAgain(QueueEntry entry) {
        DeadLetter why = pending.remove(entry);
        if (why != null) {
            go(entry, why);
        }
    }

    private void go(QueueEntry entry, DeadLetter why) {
        QueueSettings settings = queue.settings();
        boolean expired = why.cause() == DeadLetter.Cause.EXPIRED;
        String name = expired ? settings.expiryQueue() : settings.deadLetterQueue();
        if (name == null || name.equals(queue.name())) {
            if (expired) {
                ends.drop(entry);
            } else {
                ends.discard(entry);
            }
            return;
        }
        RankedQueue target = neighbours.find(name);
        if (target == null || !move(entry, target, entry.standing.in(why))) {
            pending.put(entry, why);
            entry.deadlineNs = Message.NEVER;
            entry.standing = entry.standing.failed(
                    entry.standing.deliveryCount(), home().clock().wallTimeMs() + RETRY_MS);
            waitAgain.accept(entry);
        }
    }

    /** Moves an entry that is in no list to another queue; false when that has no room. */
    boolean move(QueueEntry entry, RankedQueue target, Standing standing) {
        Message message = entry.message;
        boolean stays = entry.isStored() && target.durableId() != DeliverySource.NOT_STORED;
        if (target.isClosed() || !stays && message == null || target.reserve() != Reservation.GRANTED) {
            return false;
        }
        DeliveryOptions options = DeliveryOptions.of(standing);
        if (stays) {
            transfer(entry, target, options);
            ends.transferred(entry);
        } else if (message != null) {
            target.put(entry.deadlineNs == Message.NEVER ? message.withoutExpiry() : message, options, home());
            ends.drop(entry);
        }
        return true;
    }

    private void transfer(QueueEntry entry, RankedQueue target, @Nullable DeliveryOptions options) {
        Message message = entry.message;
        long reference = target.nextReference();
        long position = entry.position;
        int storedBytes = entry.storedBytes;
        long deadlineNs = DeliveryOptions.standingOf(options).deadLetter() == null ? entry.deadlineNs : Message.NEVER;
        neighbours.transferred(
                queue.durableId(),
                entry.number,
                target.durableId(),
                reference,
                position,
                storedBytes,
                deadlineNs,
                options,
                home(),
                () -> target.putMoved(
                        new StoredEntry(message, options, reference, position, storedBytes, deadlineNs), home()));
    }

    /** Writes how an entry stands now. */
    void write(QueueEntry entry) {
        neighbours.restood(
                queue.durableId(),
                entry.number,
                entry.position,
                entry.storedBytes,
                entry.deadlineNs,
                entry.options(),
                home());
    }

    private IoLoop home() {
        return queue.home();
    }
}
