package dev.avocet.core.queue.ranked;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Standing;
import dev.avocet.core.queue.ranked.QueueEntry.State;
import dev.avocet.core.queue.reference.HeapTally;
import dev.avocet.core.queue.reference.ReferencePages;
import dev.avocet.core.queue.reference.ReferenceView;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What waits in a queue by name and may be delivered: a line for each priority. Of a stored message whose payload is
 * on disk only the columns of a {@link RankedChunk} are kept; a {@link QueueEntry} is made when a receiver takes it, or
 * wants to see it. Home loop.
 */
public final class RankedReferences {
    /** The most urgent priority; 0 is the least. */
    public static final int HIGHEST = 9;

    /** How a message is delivered that is this urgent and nothing else. */
    private static final @Nullable DeliveryOptions[] PLAIN = new DeliveryOptions[HIGHEST + 1];

    static {
        for (int priority = 0; priority <= HIGHEST; priority++) {
            PLAIN[priority] = DeliveryOptions.of(Standing.of(priority));
        }
    }

    private final @Nullable RankedLine[] lines = new RankedLine[HIGHEST + 1];
    private final HeapTally heap;
    private final Supplier<@Nullable ReferencePages> pages;
    private final RankedCursor cursor = new RankedCursor();

    /** @param pages for what the heap has no room for; null where there is no file */
    public RankedReferences(Supplier<@Nullable ReferencePages> pages) {
        this.pages = pages;
        this.heap = new HeapTally(pages);
    }

    /** The line of a priority; null while nothing has had it. */
    public @Nullable RankedLine of(int priority) {
        return lines[priority];
    }

    /** Whether anything waits with a priority. */
    boolean has(int priority) {
        RankedLine line = lines[priority];
        return line != null && !line.isEmpty();
    }

    /** Those that the store has. */
    int stored() {
        int stored = 0;
        for (RankedLine line : lines) {
            stored += line == null ? 0 : line.stored();
        }
        return stored;
    }

    /** What they take of the heap, messages not included. */
    public long heapBytes() {
        return heap.bytes();
    }

    /** Adds an entry, which is forgotten when the columns can tell all of it. */
    public void add(QueueEntry entry) {
        entry.state = State.WAITING;
        lineOf(entry.priority()).add(entry, optionsOf(entry.standing, entry.priority()));
    }

    /** Adds a reference whose message is on disk only, behind all others of its priority. */
    public void add(
            long number,
            long position,
            int storedBytes,
            long deadlineNs,
            @Nullable DeliveryOptions options,
            long order) {
        Standing standing = DeliveryOptions.standingOf(options);
        int priority = priorityOf(standing);
        lineOf(priority).add(number, position, storedBytes, deadlineNs, optionsOf(standing, priority), order);
    }

    /** Takes away what stands at a place. */
    public QueueEntry take(RankedCursor place) {
        QueueEntry entry = entryAt(place);
        place.remove();
        return entry;
    }

    /** Takes an entry away, which waits; it knows then where its message lies. */
    public void remove(QueueEntry entry) {
        RankedLine line = lines[entry.priority()];
        if (line == null || !cursor.locate(line, entry.order)) {
            throw new IllegalStateException("entry " + entry.number + " does not wait");
        }
        tellPlace(entry, cursor.chunk(), cursor.index());
        cursor.remove();
    }

    /** The entry of what stands at a place and stays there. */
    public QueueEntry show(RankedCursor place) {
        QueueEntry entry = entryAt(place);
        place.entry(entry);
        return entry;
    }

    /** Forgets an entry that waits, if the columns can tell all of it. */
    public void forget(QueueEntry entry) {
        RankedLine line = lines[entry.priority()];
        if (entry.isPlain()
                && entry.state == State.WAITING
                && line != null
                && cursor.locate(line, entry.order)
                && cursor.entry() == entry) {
            cursor.entry(null);
        }
    }

    private QueueEntry entryAt(RankedCursor place) {
        RankedChunk chunk = place.chunk();
        int index = place.index();
        QueueEntry entry = chunk.entry(index);
        if (entry == null) {
            DeliveryOptions its = chunk.options(index);
            entry = new QueueEntry(
                    chunk.number(index),
                    null,
                    chunk.deadlineNs(index),
                    DeliveryOptions.standingOf(its == null ? place.line().plain() : its));
            entry.order = chunk.order(index);
            entry.arrival = chunk.arrival(index);
            entry.redelivered = chunk.isMaybeSeen(index);
        }
        tellPlace(entry, chunk, index);
        return entry;
    }

    /** An entry knows where its message lay when it began to wait; only the columns hear where it lies now. */
    private static void tellPlace(QueueEntry entry, RankedChunk chunk, int index) {
        if (entry.isStored()) {
            entry.position = chunk.position(index);
            entry.storedBytes = chunk.sizeBytes(index);
        }
    }

    /** Goes to the first one, the most urgent, that stands behind an order of a priority; false when there is none. */
    public boolean seek(RankedCursor place, int priority, long afterOrder) {
        RankedLine line = lines[priority];
        return line != null && !line.isEmpty() && place.seek(line, afterOrder, 0);
    }

    /** Goes to where a number stands; false when it does not wait. */
    public boolean find(RankedCursor place, long number) {
        for (RankedLine line : lines) {
            if (line != null && place.find(line, number)) {
                return true;
            }
        }
        return false;
    }

    /** Goes to where an order stands; false when it does not wait. */
    boolean locate(RankedCursor place, int priority, long order) {
        RankedLine line = lines[priority];
        return line != null && place.locate(line, order);
    }

    List<ReferenceView> views() {
        return viewsIn(0, Long.MAX_VALUE);
    }

    /** Those with messages that may lie at one of these positions. */
    public List<ReferenceView> viewsIn(long from, long until) {
        List<ReferenceView> views = new ArrayList<>();
        for (RankedLine line : lines) {
            if (line != null) {
                line.addViewsTo(views, from, until);
            }
        }
        return views;
    }

    /** Takes everything away. */
    public List<RankedChunk> takeAll() {
        List<RankedChunk> all = new ArrayList<>();
        for (RankedLine line : lines) {
            if (line != null) {
                all.addAll(line.takeChunks());
            }
        }
        heap.add(-heap.bytes()); // without a look at each chunk, of which there may be thousands
        return all;
    }

    static int priorityOf(Standing standing) {
        return Math.min(standing.priority(), HIGHEST);
    }

    private RankedLine lineOf(int priority) {
        RankedLine present = lines[priority];
        if (present == null) {
            lines[priority] = present = new RankedLine(priority, PLAIN[priority], heap, pages);
        }
        return present;
    }

    /** What a reference has of its own in the line of its priority. */
    private static @Nullable DeliveryOptions optionsOf(Standing standing, int priority) {
        boolean plain = standing.priority() == priority
                && standing.deliveryCount() == 0
                && standing.notBeforeWallMs() == 0
                && standing.deadLetter() == null;
        return plain ? null : DeliveryOptions.of(standing);
    }
}
