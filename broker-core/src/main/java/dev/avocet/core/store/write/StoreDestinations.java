package dev.avocet.core.store.write;

import dev.avocet.core.destination.DestinationStore;
import dev.avocet.core.destination.QueueKind;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.DeadLetter;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.queue.MessageQueue;
import dev.avocet.core.queue.reference.QueueStore;
import dev.avocet.core.queue.transit.DeliverySource;
import dev.avocet.core.store.entry.EntryKind;
import dev.avocet.core.store.entry.EntryWriter;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Writes which queues there are, and what becomes of their messages besides being acknowledged. */
public final class StoreDestinations implements DestinationStore {
    /** More than a reference takes that goes from one queue to another, but for the reason. */
    private static final int TRANSFER_BYTES = 512;

    private static final int BYTES_PER_CHARACTER = 3;

    private final Function<IoLoop, StoreWriter> writers;
    private final QueueStore queues;
    private final LongSupplier nextQueueId;

    public StoreDestinations(Function<IoLoop, StoreWriter> writers, QueueStore queues, LongSupplier nextQueueId) {
        this.writers = writers;
        this.queues = queues;
        this.nextQueueId = nextQueueId;
    }

    @Override
    public void begun(String name, QueueKind kind, MessageQueue queue) {
        if (queue.durableId() == DeliverySource.NOT_STORED) {
            queue.makeDurable(nextQueueId.getAsLong(), queues);
        }
        StoreWriter writer = writers.apply(queue.home());
        describe(queue.durableId(), name, kind, writer.begin(EntryKind.QUEUE));
        writer.end();
        writer.seal();
    }

    /** The inside of an entry QUEUE. */
    public static void describe(long id, String name, QueueKind kind, EntryWriter out) {
        out.number(id);
        out.putText(name);
        out.number(kind.ordinal());
    }

    @Override
    public void ended(MessageQueue queue) {
        StoreWriter writer = writers.apply(queue.home());
        writer.begin(EntryKind.QUEUE_ENDED).number(queue.durableId());
        writer.end();
    }

    @Override
    public void restood(
            long queueId,
            long reference,
            long position,
            int storedBytes,
            long expiryDeadlineNs,
            @Nullable DeliveryOptions options,
            IoLoop caller) {
        writers.apply(caller).reenqueue(queueId, reference, options, position, storedBytes, expiryDeadlineNs);
    }

    @Override
    public void transferred(
            long fromQueueId,
            long fromReference,
            long toQueueId,
            long toReference,
            long position,
            int storedBytes,
            long expiryDeadlineNs,
            @Nullable DeliveryOptions options,
            IoLoop caller,
            Runnable then) {
        StoreWriter writer = writers.apply(caller);
        if (!writer.holdTogether(bytesAtMost(options))) {
            throw new IllegalStateException("a reference of " + bytesAtMost(options) + " bytes fits no record");
        }
        writer.reenqueue(toQueueId, toReference, options, position, storedBytes, expiryDeadlineNs);
        writer.acknowledged(fromQueueId, fromReference); // what it kept alive the other one keeps alive now
        writer.heldTogether();
        writer.afterCommit(at -> then.run());
    }

    private static long bytesAtMost(@Nullable DeliveryOptions options) {
        DeadLetter why = DeliveryOptions.standingOf(options).deadLetter();
        String said = why == null ? null : why.description();
        long characters = why == null ? 0 : why.queue().length() + (said == null ? 0 : said.length());
        return TRANSFER_BYTES + BYTES_PER_CHARACTER * characters;
    }
}
