package dev.avocet.bench.check;

import org.jspecify.annotations.Nullable;

/**
 * Which messages of which streams one receiver has had: per stream the last sequence number, and a bit for each of the
 * 64 up to it. One thread owns it. It allocates when it meets more streams than before.
 */
final class StreamTable {
    private static final int INITIAL_SLOTS = 4;
    private static final int WINDOW = Long.SIZE;

    private int[] streams = new int[INITIAL_SLOTS];
    private long[] last = new long[INITIAL_SLOTS];
    private long[] seen = new long[INITIAL_SLOTS];
    private int used;
    private final @Nullable MissingMessages missing;

    /** @param missing where what is passed over is noted; null for nowhere */
    StreamTable(@Nullable MissingMessages missing) {
        this.missing = missing;
    }

    /** Is told the last sequence number of each stream. */
    interface Visitor {
        void last(int stream, long sequence);
    }

    void forEach(Visitor visitor) {
        for (int slot = 0; slot < streams.length; slot++) {
            if (seen[slot] != 0) {
                visitor.last(streams[slot], last[slot]);
            }
        }
    }

    Arrival arrive(int stream, long sequence) {
        int slot = slotOf(stream);
        long ahead = sequence - last[slot];
        if (ahead > 0) {
            if (missing != null && ahead > 1) {
                missing.add(stream, last[slot] + 1, sequence - 1);
            }
            seen[slot] = ahead >= WINDOW ? 1 : seen[slot] << ahead | 1;
            last[slot] = sequence;
            return Arrival.IN_ORDER;
        }
        if (ahead <= -WINDOW) {
            return missing == null ? Arrival.UNKNOWN : lateArrival(missing, stream, sequence);
        }
        long bit = 1L << -ahead;
        if ((seen[slot] & bit) != 0) {
            return Arrival.DUPLICATE;
        }
        seen[slot] |= bit;
        if (missing != null) {
            missing.came(stream, sequence);
        }
        return Arrival.OUT_OF_ORDER;
    }

    /** Older than the window; where it is noted what is missing, that tells. */
    private static Arrival lateArrival(MissingMessages missing, int stream, long sequence) {
        return missing.came(stream, sequence) ? Arrival.OUT_OF_ORDER : Arrival.DUPLICATE;
    }

    /** A slot is free while nothing was seen of its stream. */
    private int slotOf(int stream) {
        int slot = find(streams, seen, stream);
        if (seen[slot] != 0) {
            return slot;
        }
        if (used >= streams.length - (streams.length >> 2)) {
            grow();
            slot = find(streams, seen, stream);
        }
        used++;
        streams[slot] = stream;
        return slot;
    }

    private void grow() {
        int[] oldStreams = streams;
        long[] oldLast = last;
        long[] oldSeen = seen;
        streams = new int[oldStreams.length * 2];
        last = new long[streams.length];
        seen = new long[streams.length];
        for (int i = 0; i < oldStreams.length; i++) {
            if (oldSeen[i] != 0) {
                int slot = find(streams, seen, oldStreams[i]);
                streams[slot] = oldStreams[i];
                last[slot] = oldLast[i];
                seen[slot] = oldSeen[i];
            }
        }
    }

    private static int find(int[] streams, long[] seen, int stream) {
        int mask = streams.length - 1;
        int slot = (stream * 0x9E3779B9) >>> 7 & mask;
        while (seen[slot] != 0 && streams[slot] != stream) {
            slot = slot + 1 & mask;
        }
        return slot;
    }
}
