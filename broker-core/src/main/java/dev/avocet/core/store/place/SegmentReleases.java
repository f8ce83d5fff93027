package dev.avocet.core.store.place;

import dev.avocet.core.journal.SegmentMap;

/**
 * References that one loop's record ends, by segment, until the record is durable and the {@link SegmentTable} hears of
 * them: a handful of additions to shared counters for thousands of acknowledgements. Until then their segments count as
 * alive, which is right, because after a crash the references would be back.
 *
 * <p>Owned by its loop. Reusable.
 */
public final class SegmentReleases {
    private static final int FIRST_CAPACITY = 8;
    /** What a table that was large once keeps. */
    private static final int KEPT_CAPACITY = 256;

    // open addressing; a slot is free where its count is 0; at most half of the slots are taken
    private int[] segments = new int[FIRST_CAPACITY];
    private int[] counts = new int[FIRST_CAPACITY];
    private long[] bytes = new long[FIRST_CAPACITY];
    private int taken;
    private int last;
    private final SegmentTable table;
    /** Whose {@link #from} and {@link #until} are those of the segment that was asked for last. */
    private SegmentMap map = SegmentMap.EMPTY;

    private long from;
    private long until;
    private int segment;

    /** @param table hears of them in the end */
    public SegmentReleases(SegmentTable table) {
        this.table = table;
    }

    /** A reference is over. */
    public void add(long position, int storedBytes) {
        int its = segmentOf(position);
        int slot = last;
        if (segments[slot] != its || counts[slot] == 0) {
            slot = slot(its);
        }
        counts[slot]++;
        bytes[slot] += storedBytes;
    }

    boolean isEmpty() {
        return taken == 0;
    }

    /** The record that ends them is durable. Forgets them. */
    public void flush() {
        for (int slot = 0; taken > 0 && slot < counts.length; slot++) {
            if (counts[slot] > 0) {
                table.release(segments[slot], counts[slot], bytes[slot]);
                counts[slot] = 0;
                bytes[slot] = 0;
                taken--;
            }
        }
        if (counts.length > KEPT_CAPACITY) {
            allocate(FIRST_CAPACITY);
        }
    }

    /** Shows what was added for each segment. */
    public void forEach(Visitor visitor) {
        for (int slot = 0; slot < counts.length; slot++) {
            if (counts[slot] > 0) {
                visitor.onSegment(segments[slot], counts[slot], bytes[slot]);
            }
        }
    }

    /** Sees how many references there are into a segment, and what their entries take. */
    @FunctionalInterface
    public interface Visitor {
        void onSegment(int segment, int references, long bytes);
    }

    private int segmentOf(long position) {
        SegmentMap now = table.map();
        if (now != map || position < from || position >= until) {
            map = now;
            segment = now.segmentOf(position);
            from = now.firstOf(segment);
            until = now.endOf(segment);
        }
        return segment;
    }

    private int slot(int segment) {
        int slot = find(segment);
        if (counts[slot] == 0) {
            if (2 * (taken + 1) > counts.length) {
                grow();
                slot = find(segment);
            }
            segments[slot] = segment;
            taken++;
        }
        last = slot;
        return slot;
    }

    /** The segment's slot, or the free one that it may take. */
    private int find(int segment) {
        int mask = counts.length - 1;
        int slot = segment & mask; // neighbours in time are neighbours in number
        while (counts[slot] != 0 && segments[slot] != segment) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void grow() {
        int[] oldSegments = segments;
        int[] oldCounts = counts;
        long[] oldBytes = bytes;
        allocate(2 * oldCounts.length);
        for (int i = 0; i < oldCounts.length; i++) {
            if (oldCounts[i] > 0) {
                int slot = find(oldSegments[i]);
                segments[slot] = oldSegments[i];
                counts[slot] = oldCounts[i];
                bytes[slot] = oldBytes[i];
            }
        }
    }

    private void allocate(int capacity) {
        segments = new int[capacity];
        counts = new int[capacity];
        bytes = new long[capacity];
        last = 0;
    }
}
