package dev.avocet.core.topic.level;

import dev.avocet.core.message.EightBytes;

/**
 * Hashes bytes, eight at a time, by multiplying to 128 bits and folding the halves. The seed is random, so that
 * publishers cannot choose topics that meet in one slot.
 */
public final class TopicHash {
    /** For what is found by other means as well when publishers choose levels that meet in one slot. */
    public static final TopicHash UNSEEDED = new TopicHash(0);

    /** Odd and without pattern: the fractions of the golden ratio and of the square root of two. */
    private static final long K0 = 0x9E3779B97F4A7C15L;

    private static final long K1 = 0x6A09E667F3BCC909L;

    private final long seed;

    public TopicHash(long seed) {
        this.seed = seed;
    }

    /** Never zero, which a table may use for an empty slot. */
    public int hash(byte[] buffer, int offset, int length) {
        long hash = seed ^ length * K0;
        int at = offset;
        int end = offset + length;
        while (end - at > Long.BYTES) {
            hash = fold(hash ^ EightBytes.at(buffer, at), K1);
            at += Long.BYTES;
        }
        hash = fold(
                hash
                        ^ (length >= Long.BYTES
                                ? EightBytes.at(buffer, end - Long.BYTES)
                                : EightBytes.fewer(buffer, at, end)),
                K0);
        int folded = (int) (hash ^ hash >>> 32);
        return folded == 0 ? 1 : folded;
    }

    private static long fold(long a, long b) {
        return a * b ^ Math.multiplyHigh(a, b);
    }
}
