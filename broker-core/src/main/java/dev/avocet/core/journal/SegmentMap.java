package dev.avocet.core.journal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Which segment a position lies in, and where in its file: what a node knows of its own files. Immutable; a journal has
 * another one after each change.
 *
 * <p>A segment begins with its first record and ends where the next one begins. Where the next one was dropped it ends
 * with its file, at the latest. The last one has no end.
 */
public final class SegmentMap {
    /** Of a journal without records. */
    public static final SegmentMap EMPTY = new SegmentMap(List.of());

    private final Located[] segments;
    private final long[] firsts;

    private SegmentMap(List<Located> segments) {
        this.segments = segments.toArray(Located[]::new);
        firsts = segments.stream().mapToLong(Located::first).toArray();
    }

    /** The number of the segment in which a position lies; 0 when none that is there holds it. */
    public int segmentOf(long position) {
        int index = indexOf(position);
        return index < 0 ? 0 : segments[index].number();
    }

    /** The position with which a segment begins; {@link Long#MAX_VALUE} when it is not there or holds nothing. */
    public long firstOf(int segment) {
        int index = indexOfSegment(segment);
        return index < 0 ? Long.MAX_VALUE : firsts[index];
    }

    /** The position with which a segment ends, exclusive; {@link Long#MIN_VALUE} when it is not there. */
    public long endOf(int segment) {
        int index = indexOfSegment(segment);
        return index < 0 ? Long.MIN_VALUE : end(index);
    }

    /** The number of the last segment with records; 0 when there is none. */
    public int last() {
        return segments.length == 0 ? 0 : segments[segments.length - 1].number();
    }

    /** Where a position lies in the files, as {@link FilePlace}; 0 when nothing that is there holds it. */
    public long placeOf(long position) {
        int index = indexOf(position);
        return index < 0 ? 0 : FilePlace.of(segments[index].number(), position - segments[index].origin());
    }

    /**
     * The position of a place in the files. Of a segment in which no record was found: one that lies between those of
     * its neighbours.
     */
    public long positionAt(int segment, long offset) {
        int index = indexOfSegment(segment);
        if (index >= 0) {
            return segments[index].origin() + offset;
        }
        int next = -index - 1;
        if (next < segments.length) {
            return firsts[next] - (segments[next].number() - segment);
        }
        return next == 0 ? segment : fileEnd(next - 1) + segment - segments[next - 1].number();
    }

    /**
     * The same with one more segment, or with this one in the place of that with its number.
     *
     * @param number of the segment
     * @param first position of its first record
     * @param offset of that record in the file
     * @param sizeBytes of the file
     */
    public SegmentMap with(int number, long first, long offset, long sizeBytes) {
        List<Located> all = new ArrayList<>(without(number).asList());
        all.add(new Located(number, first, first - offset, sizeBytes));
        all.sort(Comparator.comparingInt(Located::number));
        return new SegmentMap(all);
    }

    /** The same without a segment. */
    public SegmentMap without(int number) {
        return new SegmentMap(
                asList().stream().filter(each -> each.number() != number).toList());
    }

    /**
     * The same without what a later segment says again: a crash has left it, and it is not part of the log.
     */
    public SegmentMap withoutOverruled() {
        List<Located> kept = new ArrayList<>();
        long before = Long.MAX_VALUE;
        for (int i = segments.length - 1; i >= 0; i--) {
            if (firsts[i] < before) {
                kept.add(0, segments[i]);
                before = firsts[i];
            }
        }
        return new SegmentMap(kept);
    }

    private List<Located> asList() {
        return List.of(segments);
    }

    private int indexOf(long position) {
        int found = Arrays.binarySearch(firsts, position);
        int index = found >= 0 ? found : -found - 2;
        return index >= 0 && position < end(index) ? index : -1;
    }

    private long end(int index) {
        if (index == segments.length - 1) {
            return Long.MAX_VALUE;
        }
        boolean isFollowed = segments[index + 1].number() == segments[index].number() + 1;
        return isFollowed ? firsts[index + 1] : Math.min(firsts[index + 1], fileEnd(index));
    }

    private long fileEnd(int index) {
        return segments[index].origin() + segments[index].sizeBytes();
    }

    /** As {@link Arrays#binarySearch}. */
    private int indexOfSegment(int number) {
        int low = 0;
        int high = segments.length - 1;
        while (low <= high) {
            int middle = low + high >>> 1;
            int there = segments[middle].number();
            if (there == number) {
                return middle;
            }
            if (there < number) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -low - 1;
    }

    /**
     * A segment with records.
     *
     * @param number of the segment
     * @param first position of its first record
     * @param origin what has to be added to an offset in its file to make a position of it
     * @param sizeBytes of its file
     */
    private record Located(int number, long first, long origin, long sizeBytes) {}
}
