package dev.avocet.core.store;

import java.util.Arrays;

/** How long something took, each time. One writer; read when it has ended. */
final class PauseSamples {
    private long[] begins = new long[1 << 16];
    private long[] ends = new long[1 << 16];
    private int size;

    void add(long beginNs, long endNs) {
        if (size == begins.length) {
            begins = Arrays.copyOf(begins, 2 * size);
            ends = Arrays.copyOf(ends, 2 * size);
        }
        begins[size] = beginNs;
        ends[size++] = endNs;
    }

    int size() {
        return size;
    }

    long beginNs(int index) {
        return begins[index];
    }

    long endNs(int index) {
        return ends[index];
    }
}
