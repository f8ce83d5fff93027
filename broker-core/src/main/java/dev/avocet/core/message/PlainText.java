package dev.avocet.core.message;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Topic names of printable ASCII, 0x20 to 0x7E, without wildcards: looked at eight bytes at a time, and once. */
final class PlainText {
    /** The name is another one. */
    static final int OTHER = -1;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long HIGH_BITS = 0x8080_8080_8080_8080L;
    private static final long LOW_BITS = ~HIGH_BITS;
    private static final long ONES = 0x0101_0101_0101_0101L;
    private static final long SPACES = ' ' * ONES;
    private static final long SLASHES = '/' * ONES;
    private static final long PLUSES = '+' * ONES;
    private static final long HASHES = '#' * ONES;

    private PlainText() {}

    /** How many slashes the bytes have; {@link #OTHER} where one is a wildcard, or not printable ASCII. */
    static int slashesUnlessWildcard(byte[] utf8) {
        int slashes = 0;
        int at = 0;
        for (; utf8.length - at >= Long.BYTES; at += Long.BYTES) {
            long word = (long) LONGS.get(utf8, at);
            if (!isPlain(word)) {
                return OTHER;
            }
            slashes += slashes(word);
        }
        if (at < utf8.length) {
            long word = filledUp(utf8, at);
            if (!isPlain(word)) {
                return OTHER;
            }
            slashes += slashes(word);
        }
        return slashes;
    }

    /** The last bytes, fewer than eight, and spaces behind them. */
    private static long filledUp(byte[] utf8, int from) {
        int rest = utf8.length - from;
        long word = SPACES;
        for (int i = rest - 1; i >= 0; i--) {
            word = word << Byte.SIZE | (utf8[from + i] & 0xFF);
        }
        return word;
    }

    private static boolean isPlain(long word) {
        long notPrintable = word | (word - SPACES) | (word + ONES);
        return ((notPrintable | zeroBytes(word ^ PLUSES) | zeroBytes(word ^ HASHES)) & HIGH_BITS) == 0;
    }

    /** Not zero exactly when a byte of the word is zero. */
    private static long zeroBytes(long word) {
        return (word - ONES) & ~word & HIGH_BITS;
    }

    /** Of a word of ASCII: a byte that is not zero has its high bit set by the sum. */
    private static int slashes(long word) {
        return Long.BYTES - Long.bitCount(((word ^ SLASHES) + LOW_BITS) & HIGH_BITS);
    }
}
