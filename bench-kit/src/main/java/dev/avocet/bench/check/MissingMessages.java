package dev.avocet.bench.check;

import java.util.Arrays;

/**
 * Which messages one receiver has not had, though it has had later ones of their stream. One thread owns it. Allocates
 * only when something is missing.
 */
public final class MissingMessages {
    private static final int FIELDS = 3;
    private static final int INITIAL_GAPS = 16;
    private static final int MAX_GAPS = 1 << 20;

    /** By gap: its stream, its first and its last sequence number. */
    private long[] gaps = {};

    private int used;
    private boolean isIncomplete;

    /** Is told of each gap. */
    public interface Visitor {
        void gap(int stream, long first, long last);
    }

    /** Whether there were more gaps than it keeps. */
    public boolean isIncomplete() {
        return isIncomplete;
    }

    public void forEach(Visitor visitor) {
        for (int at = 0; at < used; at += FIELDS) {
            visitor.gap((int) gaps[at], gaps[at + 1], gaps[at + 2]);
        }
    }

    /** These have been passed over. */
    void add(int stream, long first, long last) {
        if (used == FIELDS * MAX_GAPS) {
            isIncomplete = true;
            return;
        }
        if (used == gaps.length) {
            gaps = Arrays.copyOf(gaps, Math.max(FIELDS * INITIAL_GAPS, used * 2));
        }
        gaps[used] = stream;
        gaps[used + 1] = first;
        gaps[used + 2] = last;
        used += FIELDS;
    }

    /**
     * One has come that is not the latest of its stream.
     *
     * @return whether it was missing
     */
    boolean came(int stream, long sequence) {
        // It is seldom late by much, so the newest gaps are looked at first.
        for (int at = used - FIELDS; at >= 0; at -= FIELDS) {
            if (gaps[at] == stream && gaps[at + 1] <= sequence && sequence <= gaps[at + 2]) {
                takeOut(at, sequence);
                return true;
            }
        }
        return false;
    }

    private void takeOut(int at, long sequence) {
        long first = gaps[at + 1];
        long last = gaps[at + 2];
        if (first == last) {
            used -= FIELDS;
            System.arraycopy(gaps, used, gaps, at, FIELDS);
        } else if (sequence == first) {
            gaps[at + 1]++;
        } else {
            gaps[at + 2] = sequence - 1;
            if (sequence < last) {
                add((int) gaps[at], sequence + 1, last);
            }
        }
    }
}
