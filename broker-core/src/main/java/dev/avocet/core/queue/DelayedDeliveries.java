package dev.avocet.core.queue;

import static dev.avocet.core.queue.DeliverySource.NOT_STORED;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.Standing;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a subscription has been sent and may not deliver yet [Jakarta Messaging 3.1, 7.9]. It takes room as if it
 * waited. Of what is stored only the reference is kept here, and it is in flight as far as the line is concerned: the
 * message is read back when its time has come.
 *
 * <p>Home loop.
 */
final class DelayedDeliveries {
    /** What one takes of the heap, with its place among the others and its own options. */
    private static final int HEAP_BYTES = 136;

    private final DelayedEntries<Delayed> entries;
    private long orders;
    private long unstoredBytes;
    private long storedBytes;

    /** @param due gets each one when its time has come; it is counted no more */
    DelayedDeliveries(Supplier<IoLoop> home, Consumer<Delayed> due) {
        this.entries = new DelayedEntries<>(home, delayed -> {
            uncount(delayed);
            due.accept(delayed);
        });
    }

    /** Whether a message with these options has to wait here. */
    static boolean isDelayed(DeliveryOptions options, IoLoop home) {
        Standing standing = options.standing();
        return standing != null && DelayedEntries.isAhead(standing.notBeforeWallMs(), home);
    }

    /** Adds a message that is nowhere else. */
    void add(Message message, DeliveryOptions options) {
        unstoredBytes += message.sizeBytes();
        add(NOT_STORED, message, message.sizeBytes(), message.expiryDeadlineNs(), options);
    }

    /** Adds a reference to a stored message. */
    void add(long reference, int sizeBytes, long deadlineNs, DeliveryOptions options) {
        storedBytes += sizeBytes;
        add(reference, null, sizeBytes, deadlineNs, options);
    }

    private void add(
            long reference, @Nullable Message message, int sizeBytes, long deadlineNs, DeliveryOptions options) {
        entries.add(new Delayed(++orders, reference, message, sizeBytes, deadlineNs, options));
    }

    int size() {
        return entries.size();
    }

    /** What all of it takes of the heap, messages not included. */
    long referenceBytes() {
        return (long) entries.size() * HEAP_BYTES;
    }

    /** Memory of the messages that are nowhere else. */
    long unstoredBytes() {
        return unstoredBytes;
    }

    /** What the others take in the store. */
    long storedBytes() {
        return storedBytes;
    }

    /** Takes the one away whose time comes first; null when there is none. */
    @Nullable Delayed poll() {
        Delayed first = entries.poll();
        if (first != null) {
            uncount(first);
        }
        return first;
    }

    /**
     * Takes away what has expired.
     *
     * @return the earliest deadline among the rest
     */
    long removeExpired(long nowNs, Consumer<Delayed> expired) {
        long[] earliestNs = {Message.NEVER};
        entries.removeIf(delayed -> {
            if (delayed.deadlineNs == Message.NEVER || nowNs - delayed.deadlineNs < 0) {
                earliestNs[0] = Math.min(earliestNs[0], delayed.deadlineNs);
                return false;
            }
            uncount(delayed);
            expired.accept(delayed);
            return true;
        });
        return earliestNs[0];
    }

    /** Shows those that are nowhere else, in the order in which they came. */
    void forEachUnstored(UnstoredVisitor visitor) {
        List<Delayed> all = new ArrayList<>(entries.size());
        entries.forEach(all::add);
        all.sort(Comparator.comparingLong(Delayed::order));
        for (Delayed delayed : all) {
            Message message = delayed.message;
            if (message != null) {
                visitor.onUnstored(UnstoredVisitor.AT_END, message, delayed.options);
            }
        }
    }

    void clear() {
        entries.clear();
        unstoredBytes = 0;
        storedBytes = 0;
    }

    /** As of {@link DelayedEntries#stop}. */
    void stop() {
        entries.stop();
    }

    /** As of {@link DelayedEntries#start}. */
    void start() {
        entries.start();
    }

    private void uncount(Delayed delayed) {
        if (delayed.message == null) {
            storedBytes -= delayed.sizeBytes;
        } else {
            unstoredBytes -= delayed.sizeBytes;
        }
    }

    /**
     * A message, or a reference to one that is stored.
     *
     * @param reference {@link DeliverySource#NOT_STORED} where there is a message
     * @param sizeBytes what it counts in memory, or in the store
     */
    record Delayed(
            long order,
            long reference,
            @Nullable Message message,
            int sizeBytes,
            long deadlineNs,
            DeliveryOptions options)
            implements DelayedEntries.Entry {
        @Override
        public long notBeforeWallMs() {
            return DeliveryOptions.standingOf(options).notBeforeWallMs();
        }
    }
}
