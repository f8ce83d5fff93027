package dev.avocet.core.journal;

import java.util.Collection;
import java.util.stream.IntStream;

/** Maps for tests whose positions are {@link FilePlace}s, so that they can be read as such. */
public final class SegmentMaps {
    private static final long SIZE_BYTES = 1L << 32;

    private SegmentMaps() {}

    /** The segments with these numbers are there. */
    public static SegmentMap byPlace(Collection<Integer> numbers) {
        SegmentMap map = SegmentMap.EMPTY;
        for (int number : numbers) {
            map = map.with(number, FilePlace.of(number, 0), 0, SIZE_BYTES);
        }
        return map;
    }

    /** The segments from 1 on. */
    public static SegmentMap upTo(int last) {
        return byPlace(IntStream.rangeClosed(1, last).boxed().toList());
    }
}
