package dev.avocet.core.journal.log;

import net.openhft.chronicle.core.time.TimeProvider;
import net.openhft.chronicle.queue.RollCycle;

/**
 * Makes Chronicle's cycles our segments: the "time" that Chronicle asks for is the number of the segment to append to,
 * and only {@link #advanceTo} moves it. Owner: the journal thread.
 */
public final class SegmentCycle implements RollCycle, TimeProvider {
    /** With {@link #FORMAT} the name of a file is the number of its segment in ten digits. */
    public static final long EPOCH_MS = -40_587L * 86_400_000L;

    /** The day counted from 17 November 1858, which {@link #EPOCH_MS} makes day 0. */
    private static final String FORMAT = "gggggggggg";

    private static final int DAY_MS = 86_400_000;

    /**
     * Documents are never looked up by their Chronicle index. So the index is as small as it may be, and its second
     * level has one page only, in front of all documents: positions and offsets go side by side all over a segment. The
     * page has room for 256 * 65,536 = 16.7 million documents, which is more than the smallest records in the largest
     * segment.
     */
    private static final int INDEX_COUNT = 256;

    private static final int INDEX_SPACING = 1 << 16;
    private static final int SEQUENCE_BITS = 32;
    private static final long SEQUENCE_MASK = (1L << SEQUENCE_BITS) - 1;

    private int segment;

    public void advanceTo(int nextSegment) {
        assert nextSegment > segment : "Chronicle cannot go back";
        segment = nextSegment;
    }

    @Override
    public long currentTimeMillis() {
        return segment;
    }

    @Override
    public int current(TimeProvider time, long epoch) {
        return segment;
    }

    @Override
    public String format() {
        return FORMAT;
    }

    @Override
    public int lengthInMillis() {
        return DAY_MS;
    }

    @Override
    public int defaultIndexCount() {
        return INDEX_COUNT;
    }

    @Override
    public int defaultIndexSpacing() {
        return INDEX_SPACING;
    }

    @Override
    public long toIndex(int cycle, long sequenceNumber) {
        return ((long) cycle << SEQUENCE_BITS) + (sequenceNumber & SEQUENCE_MASK);
    }

    @Override
    public long toSequenceNumber(long index) {
        return index & SEQUENCE_MASK;
    }

    @Override
    public int toCycle(long index) {
        return (int) (index >>> SEQUENCE_BITS);
    }

    @Override
    public long maxMessagesPerCycle() {
        return (long) INDEX_COUNT * INDEX_COUNT * INDEX_SPACING;
    }
}
