package dev.avocet.core.queue;

import dev.avocet.core.message.Message;
import dev.avocet.core.queue.ranked.QueueEntry;
import dev.avocet.core.queue.ranked.RankedChunk;
import dev.avocet.core.queue.ranked.RankedCursor;
import dev.avocet.core.queue.ranked.RankedLine;
import dev.avocet.core.queue.ranked.RankedReferences;
import dev.avocet.core.queue.receiver.Receiver;
import dev.avocet.core.queue.reference.QueueStore;
import dev.avocet.core.queue.reference.ReadAheadLimits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Brings messages back into memory that readers want to see, some at a time, and serves those that wait for them in
 * turn. Home loop.
 */
final class ReadBack {
    private static final int PER_READ = 64;
    /** How far to look for that many. */
    private static final int LOOK_AHEAD = 1024;

    private static final long[] NOTHING = {};

    private final RankedQueue queue;
    private final RankedReferences references;
    private final Holdings holdings;
    private final Consumer<QueueEntry> seen;
    private final Consumer<Receiver> serve;
    private final RankedCursor cursor = new RankedCursor();
    private final Set<Receiver> blocked = new LinkedHashSet<>();
    /** The orders of what is being read, ascending. */
    private long[] reading = NOTHING;

    private @Nullable Receiver reader;
    /** Something could not be read: the store is broken, and asking again would not mend it. */
    private boolean unreadable;

    ReadBack(
            RankedQueue queue,
            RankedReferences references,
            Holdings holdings,
            Consumer<QueueEntry> seen,
            Consumer<Receiver> serve) {
        this.queue = queue;
        this.references = references;
        this.holdings = holdings;
        this.seen = seen;
        this.serve = serve;
    }

    boolean isReading(long order) {
        return reading.length > 0 && Arrays.binarySearch(reading, order) >= 0;
    }

    /**
     * A receiver has come to a place whose message is not here: it is served again when that has changed.
     *
     * @param place is moved on
     */
    void await(RankedCursor place, Receiver receiver) {
        receiver.blocked(true);
        blocked.add(receiver);
        if (reading.length == 0 && !unreadable) {
            reader = receiver;
            read(place);
        }
    }

    private void read(RankedCursor place) {
        RankedLine line = place.line();
        ReadAheadLimits limits = queue.durability().limits();
        long mostBytes = limits.maxBytes() / 2;
        int most = Math.min(PER_READ, Math.max(1, limits.maxMessages() / 2));
        long[] orders = new long[most];
        long[] numbers = new long[most];
        long[] positions = new long[most];
        int[] storedBytes = new int[most];
        int count = 0;
        long bytes = 0;
        boolean more = true;
        for (int looks = 0; more && looks < LOOK_AHEAD; looks++) {
            if (place.isAbsent()) {
                RankedChunk chunk = place.chunk();
                orders[count] = place.order();
                numbers[count] = chunk.number(place.index());
                positions[count] = chunk.position(place.index());
                storedBytes[count] = chunk.sizeBytes(place.index());
                bytes += storedBytes[count];
                count++;
            }
            more = count < most && bytes < mostBytes && place.advance();
        }
        int wanted = count;
        reading = Arrays.copyOf(orders, count);
        long[] asked = Arrays.copyOf(positions, count);
        queue.durability()
                .store()
                .fetch(
                        positions,
                        storedBytes,
                        count,
                        queue.home(),
                        messages -> onRead(line, Arrays.copyOf(orders, wanted), numbers, asked, messages));
    }

    private void onRead(
            RankedLine line, long[] orders, long[] numbers, long[] positions, @Nullable Message[] messages) {
        reading = NOTHING;
        List<Integer> damaged = new ArrayList<>(0);
        // the first one is needed first: it comes last, so the others do not push it out
        for (int i = orders.length - 1; i >= 0; i--) {
            Message message = messages[i];
            if (!cursor.locate(line, orders[i]) || !cursor.isAbsent()) {
                continue; // over by now: who wants it asks again
            }
            boolean overtaken = cursor.chunk().position(cursor.index()) != positions[i];
            if (overtaken && (message == null || message == QueueStore.DAMAGED)) {
                continue; // it lies elsewhere
            }
            if (message == null) {
                unreadable = true;
            } else if (message == QueueStore.DAMAGED) {
                damaged.add(i);
            } else {
                QueueEntry entry = references.show(cursor);
                holdings.readBack(entry, message);
                seen.accept(entry);
            }
        }
        damaged.forEach(i -> queue.lose(numbers[i], positions[i]));
        serveBlocked();
        holdings.show();
    }

    /** The reader that has just been served comes last, so that readers of different places all get on. */
    private void serveBlocked() {
        List<Receiver> waiting = new ArrayList<>(blocked);
        blocked.clear();
        Receiver last = reader;
        reader = null;
        for (Receiver receiver : waiting) {
            if (receiver != last && receiver.isAttached()) {
                serve.accept(receiver);
            }
        }
        if (last != null && last.isAttached()) {
            serve.accept(last);
        }
    }
}
