package dev.avocet.core.queue.line;

import static dev.avocet.core.queue.transit.DeliverySource.NOT_STORED;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.Standing;
import dev.avocet.core.queue.transit.DelayedEntries;
import dev.avocet.core.queue.transit.DeliverySource;
import dev.avocet.core.queue.transit.ExpirySearch;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
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
public final class DelayedDeliveries {
    /** What one takes of the heap, with its place among the others and its own options. */
    private static final int HEAP_BYTES = 152;

    private final DelayedEntries<Delayed> entries;
    private @Nullable Delayed oldest;
    private @Nullable Delayed newest;
    /** The next one for a walk that looks for what has expired; a walk ends before what comes later. */
    private @Nullable Delayed sweptNext;

    private long sweptUntil;
    private long orders;
    private long unstoredBytes;
    private long storedBytes;

    /** @param due gets each one when its time has come; it is counted no more */
    public DelayedDeliveries(Supplier<IoLoop> home, Consumer<Delayed> due) {
        this.entries = new DelayedEntries<>(home, delayed -> {
            uncount(delayed);
            due.accept(delayed);
        });
    }

    /** Whether a message with these options has to wait here. */
    public static boolean isDelayed(DeliveryOptions options, IoLoop home) {
        Standing standing = options.standing();
        return standing != null && DelayedEntries.isAhead(standing.notBeforeWallMs(), home);
    }

    /** Adds a message that is nowhere else. */
    public void add(Message message, DeliveryOptions options) {
        unstoredBytes += message.sizeBytes();
        add(NOT_STORED, message, message.sizeBytes(), message.expiryDeadlineNs(), options);
    }

    /** Adds a reference to a stored message. */
    public void add(long reference, int sizeBytes, long deadlineNs, DeliveryOptions options) {
        storedBytes += sizeBytes;
        add(reference, null, sizeBytes, deadlineNs, options);
    }

    private void add(
            long reference, @Nullable Message message, int sizeBytes, long deadlineNs, DeliveryOptions options) {
        Delayed added = new Delayed(++orders, reference, message, sizeBytes, deadlineNs, options);
        added.older = newest;
        if (newest == null) {
            oldest = added;
        } else {
            newest.newer = added;
        }
        newest = added;
        entries.add(added);
    }

    /** How many wait for their time. */
    public int size() {
        return entries.size();
    }

    /** What all of it takes of the heap, messages not included. */
    public long referenceBytes() {
        return (long) entries.size() * HEAP_BYTES;
    }

    /** Memory of the messages that are nowhere else. */
    public long unstoredBytes() {
        return unstoredBytes;
    }

    /** What the others take in the store. */
    public long storedBytes() {
        return storedBytes;
    }

    /** Takes the one away whose time comes first; null when there is none. */
    public @Nullable Delayed poll() {
        Delayed first = entries.poll();
        if (first != null) {
            uncount(first);
        }
        return first;
    }

    /** Begins to look for what has expired among those that are here now, whatever comes and goes meanwhile. */
    public void beginSweep() {
        sweptNext = oldest;
        sweptUntil = orders;
    }

    /**
     * Takes away what has expired of the next ones of a sweep.
     *
     * @param most how many to look at
     * @return how many were looked at: fewer at the end
     */
    public int sweep(int most, ExpirySearch search, Consumer<Delayed> expired) {
        int seen = 0;
        Delayed next = sweptNext;
        while (seen < most && next != null && next.order <= sweptUntil) {
            Delayed one = next;
            next = one.newer;
            seen++;
            if (search.isOver(one.deadlineNs)) {
                entries.remove(one);
                uncount(one);
                expired.accept(one);
            }
        }
        sweptNext = next;
        return seen;
    }

    /** Those that are nowhere else, as they are now. */
    public UnstoredSnapshot unstored() {
        List<Delayed> present = entries.copy();
        return visitor -> present.stream()
                .filter(delayed -> delayed.message != null)
                .sorted(Comparator.comparingLong(Delayed::order)) // in which they came
                .forEach(delayed -> visitor.onUnstored(
                        UnstoredVisitor.AT_END, Objects.requireNonNull(delayed.message), delayed.options));
    }

    /** Forgets all of them, and the timer with them. */
    public void clear() {
        entries.clear();
        oldest = null;
        newest = null;
        sweptNext = null;
        unstoredBytes = 0;
        storedBytes = 0;
    }

    /** As of {@link DelayedEntries#stop}. */
    public void stop() {
        entries.stop();
    }

    /** As of {@link DelayedEntries#start}. */
    public void start() {
        entries.start();
    }

    /** One is here no longer. */
    private void uncount(Delayed delayed) {
        if (delayed.message == null) {
            storedBytes -= delayed.sizeBytes;
        } else {
            unstoredBytes -= delayed.sizeBytes;
        }
        Delayed older = delayed.older;
        Delayed newer = delayed.newer;
        if (sweptNext == delayed) {
            sweptNext = newer;
        }
        if (older == null) {
            oldest = newer;
        } else {
            older.newer = newer;
        }
        if (newer == null) {
            newest = older;
        } else {
            newer.older = older;
        }
        delayed.older = null;
        delayed.newer = null;
    }

    /** A message, or a reference to one that is stored, among the others in the order in which they came. */
    public static final class Delayed extends DelayedEntries.Entry {
        private final long order;
        private final long reference;
        private final @Nullable Message message;
        private final int sizeBytes;
        private final long deadlineNs;
        private final DeliveryOptions options;
        private @Nullable Delayed older;
        private @Nullable Delayed newer;

        /**
         * @param reference {@link DeliverySource#NOT_STORED} where there is a message
         * @param sizeBytes what it counts in memory, or in the store
         */
        private Delayed(
                long order,
                long reference,
                @Nullable Message message,
                int sizeBytes,
                long deadlineNs,
                DeliveryOptions options) {
            this.order = order;
            this.reference = reference;
            this.message = message;
            this.sizeBytes = sizeBytes;
            this.deadlineNs = deadlineNs;
            this.options = options;
        }

        /** Its number in the queue; {@link DeliverySource#NOT_STORED} when it is not in the store. */
        public long reference() {
            return reference;
        }

        /** Null when it is on disk only. */
        public @Nullable Message message() {
            return message;
        }

        /** How it is to be delivered, which says when its time comes. */
        public DeliveryOptions options() {
            return options;
        }

        @Override
        protected long notBeforeWallMs() {
            return DeliveryOptions.standingOf(options).notBeforeWallMs();
        }

        @Override
        protected long order() {
            return order;
        }
    }
}
