package dev.avocet.core.message;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Eight bytes of a text as a number, the first one lowest, to look at them at once. */
public final class EightBytes {
    /** The high bit of each byte. */
    public static final long HIGH_BITS = 0x8080_8080_8080_8080L;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101_0101_0101_0101L;

    private EightBytes() {}

    /** Those from a place on, behind which there are eight. */
    public static long at(byte[] bytes, int from) {
        return (long) LONGS.get(bytes, from);
    }

    /** Fewer than eight, and zeros behind them. */
    public static long fewer(byte[] bytes, int from, int to) {
        long word = 0;
        for (int i = to - 1; i >= from; i--) {
            word = word << Byte.SIZE | (bytes[i] & 0xFF);
        }
        return word;
    }

    /** The same ASCII character eight times. */
    public static long of(char character) {
        return character * ONES;
    }

    /** Not zero exactly when a byte is zero; the lowest bit that is set belongs to the first one that is. */
    public static long zeroBytes(long word) {
        return (word - ONES) & ~word & HIGH_BITS;
    }

    /** True when each byte is 0x20 to 0x7E. Where a byte is not ASCII the answer is false. */
    public static boolean isPrintableAscii(long word) {
        return ((word | (word - of(' ')) | (word + ONES)) & HIGH_BITS) == 0;
    }
}
