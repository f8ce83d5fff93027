package dev.avocet.core.store.place;

import dev.avocet.core.journal.SegmentMap;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * How much of each segment is alive: the references into it, and what their entries take, each counted once for each
 * reference. A reference is counted by the {@code journal} thread when its record is appended, before a client hears
 * that it is durable, so that no segment looks dead that is not. It is uncounted when it is over, or lies elsewhere.
 *
 * <p>Any thread may call any method. A loop that ends a million references a second collects them in
 * {@link SegmentReleases}.
 */
public final class SegmentTable {
    private final Supplier<SegmentMap> map;
    private final ConcurrentHashMap<Integer, Live> segments = new ConcurrentHashMap<>();
    private final AtomicLong appends = new AtomicLong();
    private final AtomicLong strays = new AtomicLong();

    /** @param map of the journal, as it is now */
    public SegmentTable(Supplier<SegmentMap> map) {
        this.map = map;
    }

    /** As it is now. */
    SegmentMap map() {
        return map.get();
    }

    /** The segment in which a position lies; 0 when it is gone. */
    public int segmentOf(long position) {
        return map.get().segmentOf(position);
    }

    /**
     * A record was appended. The {@code journal} thread, before the record's completion.
     *
     * @param references how many references will point into it; may be 0
     * @param bytes what the entries take to which they point, each counted once for each reference
     */
    public void appended(int segment, int references, long bytes) {
        appends.setRelease(appends.getPlain() + 1);
        if (references > 0) {
            add(segment, references, bytes);
        }
    }

    /** Recovery has found a reference. */
    public void recovered(long position, int storedBytes) {
        add(segmentOf(position), 1, storedBytes);
    }

    /** Recovery has found references into a segment. */
    public void recovered(int segment, int references, long bytes) {
        add(segment, references, bytes);
    }

    /**
     * One more reference to a message that has had one until now. False when nothing in its segment is
     * alive: then the segment is, or is about to be, gone.
     */
    public boolean acquire(long position, int storedBytes) {
        Live live = segments.get(segmentOf(position));
        if (live == null || live.references.getAndUpdate(count -> count > 0 ? count + 1 : count) <= 0) {
            return false;
        }
        live.bytes.addAndGet(storedBytes);
        return true;
    }

    /** A reference is over, durably. */
    public void release(long position, int storedBytes) {
        release(segmentOf(position), 1, storedBytes);
    }

    /**
     * A reference is over, durably, of which it is not known any more what it takes: the mean of its segment is
     * assumed.
     */
    void release(long position) {
        int segment = segmentOf(position);
        Live live = segments.get(segment);
        release(segment, 1, live == null ? 0 : live.meanBytes());
    }

    /** References into one segment are over, durably. */
    public void release(int segment, int count, long bytes) {
        Live live = segments.get(segment);
        if (live == null) {
            strays.addAndGet(count);
            return;
        }
        live.bytes.addAndGet(-bytes);
        live.references.addAndGet(-count);
    }

    /** How many references point into the segment. Negative when something was released that was not there. */
    public long live(int segment) {
        Live live = segments.get(segment);
        return live == null ? 0 : live.references.get();
    }

    /**
     * What the entries take to which references point, each counted once for each: what it would cost to write them
     * again.
     */
    public long liveBytes(int segment) {
        Live live = segments.get(segment);
        return live == null ? 0 : live.bytes();
    }

    /** References into all segments. */
    public long totalLive() {
        return segments.values().stream()
                .mapToLong(live -> live.references.get())
                .sum();
    }

    /** The segments into which references were counted and that have not been forgotten. */
    public Set<Integer> segments() {
        return Set.copyOf(segments.keySet());
    }

    /** Records appended in this life: tells whether anything has happened. */
    public long appends() {
        return appends.getAcquire();
    }

    /** References released into segments that were gone: none, unless the counts are wrong. */
    public long strays() {
        return strays.get();
    }

    /** The segment is gone. */
    public void forget(int segment) {
        segments.remove(segment);
    }

    private void add(int segment, int references, long bytes) {
        Live live = segments.computeIfAbsent(segment, number -> new Live());
        live.references.addAndGet(references);
        live.bytes.addAndGet(bytes);
    }

    /** What is alive in one segment. */
    private static final class Live {
        final AtomicLong references = new AtomicLong();
        final AtomicLong bytes = new AtomicLong();

        long bytes() {
            return references.get() <= 0 ? 0 : Math.max(bytes.get(), 0);
        }

        long meanBytes() {
            long count = references.get();
            return count <= 0 ? 0 : Math.max(bytes.get(), 0) / count;
        }
    }
}
