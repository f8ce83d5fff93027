package dev.avocet.core.journal.record;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Bytes of a record as it grows: little-endian numbers, variable-length numbers (seven bits a byte, low first), texts
 * and arrays with their length in front. {@link RecordReader} reads them back. One owner at a time.
 */
public final class RecordBuffer {
    /**
     * What a buffer has at first. When it has doubled, again and again, it still fits with its head into half of one of
     * G1's regions, be they ever so small; G1 gives whole regions to larger arrays, and has none left for anything else
     * in a small heap.
     */
    public static final int FIRST_CAPACITY = 4 * 1024 - 16;

    /** What a buffer that was large once keeps. */
    private static final int KEPT_CAPACITY = FIRST_CAPACITY << 7;

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN)
            .withInvokeExactBehavior();
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN)
            .withInvokeExactBehavior();

    private byte[] bytes;
    private int length;

    public RecordBuffer(int capacity) {
        bytes = new byte[capacity];
    }

    /** The array; valid until the next write. */
    public byte[] array() {
        return bytes;
    }

    /** Bytes of memory. */
    public int capacity() {
        return bytes.length;
    }

    public int length() {
        return length;
    }

    /** Forgets everything but room for this many bytes at the front. */
    public void reset(int reserved) {
        if (bytes.length > KEPT_CAPACITY) {
            bytes = new byte[KEPT_CAPACITY];
        }
        length = reserved;
    }

    public void putByte(int value) {
        ensure(1);
        bytes[length++] = (byte) value;
    }

    public void putInt(int value) {
        ensure(Integer.BYTES);
        INT.set(bytes, length, value);
        length += Integer.BYTES;
    }

    public void putLong(long value) {
        ensure(Long.BYTES);
        LONG.set(bytes, length, value);
        length += Long.BYTES;
    }

    /** Overwrites a number that was written before. */
    public void setInt(int at, int value) {
        INT.set(bytes, at, value);
    }

    /** One to ten bytes. Negative numbers take ten. */
    public void putVarLong(long value) {
        ensure(10);
        long left = value;
        while ((left & ~0x7FL) != 0) {
            bytes[length++] = (byte) (left & 0x7F | 0x80);
            left >>>= 7;
        }
        bytes[length++] = (byte) left;
    }

    /** The array's length, then its bytes. */
    public void putBytes(byte[] value) {
        putBytes(value, 0, value.length);
    }

    public void putBytes(byte[] source, int offset, int count) {
        putVarLong(count);
        putRaw(source, offset, count);
    }

    /** The text as UTF-8 with its length in front. */
    public void putText(String text) {
        putBytes(text.getBytes(StandardCharsets.UTF_8));
    }

    /** A text of ASCII characters only, with its length in front. */
    public void putAscii(String text) {
        int count = text.length();
        putVarLong(count);
        ensure(count);
        for (int i = 0; i < count; i++) {
            bytes[length++] = (byte) text.charAt(i);
        }
    }

    /** Bytes without a length in front. */
    public void putRaw(byte[] source, int offset, int count) {
        ensure(count);
        System.arraycopy(source, offset, bytes, length, count);
        length += count;
    }

    private void ensure(int more) {
        if (bytes.length - length < more) {
            long wanted = Math.max((long) length + more, Math.min(bytes.length * 2L, Integer.MAX_VALUE - 8L));
            if (wanted > Integer.MAX_VALUE - 8) {
                throw new IllegalArgumentException("a record has less than 2 GiB");
            }
            bytes = Arrays.copyOf(bytes, (int) wanted);
        }
    }
}
