package dev.avocet.core.store.inspect;

import dev.avocet.core.store.replay.RecoveredState;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Where the messages lie that something alive refers to, sorted, to be found in the log one after the other. Twelve
 * bytes for each. One owner.
 */
final class LivePlaces {
    private final long[] positions;
    private final int[] storedBytes;
    private final BitSet found = new BitSet();
    private int next;

    private LivePlaces(long[] positions) {
        this.positions = positions;
        storedBytes = new int[positions.length];
    }

    /** What a state refers to. */
    static LivePlaces of(RecoveredState state) {
        long[] all = new long[Math.toIntExact(state.places())];
        int[] count = new int[1];
        state.forEachPlace((position, bytes) -> all[count[0]++] = position);
        Arrays.sort(all);
        LivePlaces places = new LivePlaces(distinct(all));
        state.forEachPlace((position, bytes) -> places.storedBytes[places.indexOf(position)] = bytes);
        return places;
    }

    /** The log is looked through from its beginning. */
    void begin() {
        next = 0;
        found.clear();
    }

    /** A message is there. They come in the order of their positions. */
    void onMessage(long position, int bytes) {
        while (next < positions.length && positions[next] < position) {
            next++;
        }
        if (next < positions.length && positions[next] == position && storedBytes[next] == bytes) {
            found.set(next);
        }
    }

    /** True when something refers to this place, and no message was found there. */
    boolean isLost(long position) {
        int index = indexOf(position);
        return index >= 0 && !found.get(index);
    }

    long lost() {
        return (long) positions.length - found.cardinality();
    }

    private int indexOf(long position) {
        return Arrays.binarySearch(positions, position);
    }

    private static long[] distinct(long[] sorted) {
        int count = 0;
        for (int i = 0; i < sorted.length; i++) {
            if (i == 0 || sorted[i] != sorted[i - 1]) {
                sorted[count++] = sorted[i];
            }
        }
        return Arrays.copyOf(sorted, count);
    }
}
