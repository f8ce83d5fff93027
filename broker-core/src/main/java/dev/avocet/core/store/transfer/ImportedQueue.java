package dev.avocet.core.store.transfer;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.queue.SubscriptionQueue;
import dev.avocet.core.queue.room.Reservation;
import dev.avocet.core.queue.transit.DeliverySource;
import dev.avocet.core.store.transfer.QueueReferences.Place;
import dev.avocet.core.store.write.EntryAction;
import dev.avocet.core.store.write.RunningStore;
import dev.avocet.core.store.write.StoreWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A queue that messages of an export come to. A new one takes them under the numbers that they had; one that was there
 * before gives them numbers of its own, behind what waits in it. Home loop of the queue, except where it says
 * otherwise.
 */
final class ImportedQueue {
    private final SubscriptionQueue queue;
    private final boolean isNew;
    private final RunningStore store;
    /** Of a queue that was there before: its numbers by those in the export. */
    private final Map<Long, Long> renumbered = new HashMap<>(0);
    /** What is in flight to one member, by its number here, until that member is there. */
    private final Map<Long, Place> bound = new HashMap<>(0);

    private int refused;

    ImportedQueue(SubscriptionQueue queue, boolean isNew, RunningStore store) {
        this.queue = queue;
        this.isNew = isNew;
        this.store = store;
    }

    /** Any thread. */
    SubscriptionQueue queue() {
        return queue;
    }

    /** Messages that are to wait in memory alone, and for which there was no room. */
    int refused() {
        return refused;
    }

    /** Writes messages; the answer completes when they are durable, those in memory alone left out, and wait. */
    void write(List<Transferred.Waiting> messages, CompletableFuture<Boolean> answer) {
        StoreWriter writer = store.writer(queue.home());
        for (Transferred.Waiting waiting : messages) {
            Message message = waiting.message();
            if (!waiting.isStored()) {
                writer.afterCommit(position -> takeUnstored(waiting)); // behind those before it
                continue;
            }
            if (!writer.acceptsMessages() || !writer.takes(message, 1)) {
                answer.complete(false);
                return;
            }
            long reference = isNew ? waiting.reference() : queue.nextReference();
            if (!isNew) {
                renumbered.put(waiting.reference(), reference);
            }
            writer.beginMessage(message, false, 1);
            writer.target(queue.durableId(), reference, waiting.options());
            writer.endMessage(message, 1, new Written(waiting, reference));
        }
        writer.afterCommit(position -> {
            queue.drain();
            answer.complete(true);
        });
    }

    /** The number of a reference here; {@link DeliverySource#NOT_STORED} when it did not come. */
    long reference(long there) {
        return isNew ? there : renumbered.getOrDefault(there, DeliverySource.NOT_STORED);
    }

    /** A message that is in flight to a member, who is here now; null when it is none of these. */
    @Nullable Place takeBound(long reference) {
        return bound.remove(reference);
    }

    /** Members who should have got these have not come: another one may. */
    void giveBackBound() {
        long[] references =
                bound.keySet().stream().mapToLong(Long::longValue).sorted().toArray();
        bound.clear();
        if (references.length > 0) {
            queue.giveBackReferences(references);
        }
    }

    private void takeUnstored(Transferred.Waiting waiting) {
        if (queue.reserveUnstored() == Reservation.GRANTED) {
            queue.put(waiting.message(), waiting.options(), queue.home());
        } else {
            refused++;
        }
    }

    private void take(Transferred.Waiting waiting, long reference, long position, int storedBytes) {
        Message message = waiting.message();
        @Nullable DeliveryOptions options = waiting.options();
        if (queue.isClosed()) {
            store.abandoned(position, storedBytes);
        } else if (waiting.bound()) {
            queue.restoreInFlight(reference, position, storedBytes, message.expiryDeadlineNs(), options);
            bound.put(reference, new Place(reference, position, storedBytes, options));
        } else if (isNew) {
            queue.restore(reference, position, storedBytes, message.expiryDeadlineNs(), options);
        } else {
            queue.takeRoom();
            queue.putStored(message, options, reference, position, storedBytes, queue.home());
        }
    }

    /** A message that lies in the store now. */
    private final class Written extends EntryAction {
        private final Transferred.Waiting waiting;
        private final long reference;

        Written(Transferred.Waiting waiting, long reference) {
            this.waiting = waiting;
            this.reference = reference;
        }

        @Override
        protected void onCommitted(long position, int bytes) {
            take(waiting, reference, position, bytes);
        }
    }
}
