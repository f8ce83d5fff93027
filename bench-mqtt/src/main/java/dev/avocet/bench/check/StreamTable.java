package dev.avocet.bench.check;

/**
 * Which messages of which streams one receiver has had: per stream the last sequence number, and a bit for each of the 64 up to it. One
 * thread owns it. It allocates when it meets more streams than before.
 */
final class StreamTable {
    private static final int INITIAL_SLOTS = 4;
    private static final int WINDOW = Long.SIZE;

    private int[] streams = new int[INITIAL_SLOTS];
    private long[] last = new long[INITIAL_SLOTS];
    private long[] seen = new long[INITIAL_SLOTS];
    private int used;

    Arrival arrive(int stream, long sequence) {
        int slot = slotOf(stream);
        long ahead = sequence - last[slot];
        if (ahead > 0) {
            seen[slot] = ahead >= WINDOW ? 1 : seen[slot] << ahead | 1;
            last[slot] = sequence;
            return Arrival.IN_ORDER;
        }
        if (ahead <= -WINDOW) {
            return Arrival.UNKNOWN;
        }
        long bit = 1L << -ahead;
        if ((seen[slot] & bit) != 0) {
            return Arrival.DUPLICATE;
        }
        seen[slot] |= bit;
        return Arrival.OUT_OF_ORDER;
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
