package dev.avocet.bench.mqtt.engine.flow;

import java.util.Arrays;

/**
 * The packet identifiers of one publisher, each with the time at which it was taken. Allocates only when more are in
 * flight than ever.
 */
public final class PacketIdentifiers {
    public static final int MAX = 0xFFFF;

    private static final int INITIAL = 16;

    /** By identifier less one; 0 when it is free. */
    private long[] takenAtNs = new long[INITIAL];

    private int next;
    private int inFlight;

    public int inFlight() {
        return inFlight;
    }

    /** None is in flight any more. */
    public void clear() {
        Arrays.fill(takenAtNs, 0);
        inFlight = 0;
    }

    /** To be called while fewer than {@link #MAX} are in flight. */
    public int take(long nowNs) {
        if (inFlight == takenAtNs.length) {
            next = takenAtNs.length;
            takenAtNs = Arrays.copyOf(takenAtNs, Math.min(MAX, takenAtNs.length * 2));
        }
        while (takenAtNs[next] != 0) {
            next = behind(next);
        }
        int identifier = next + 1;
        takenAtNs[next] = nowNs | 1;
        next = behind(next);
        inFlight++;
        return identifier;
    }

    private int behind(int index) {
        return index + 1 == takenAtNs.length ? 0 : index + 1;
    }

    /** @return when it was taken, or 0 when it was not in flight */
    public long release(int identifier) {
        if (identifier < 1 || identifier > takenAtNs.length || takenAtNs[identifier - 1] == 0) {
            return 0;
        }
        long takenAt = takenAtNs[identifier - 1];
        takenAtNs[identifier - 1] = 0;
        inFlight--;
        return takenAt;
    }
}
