package dev.avocet.core.journal.record;

import dev.avocet.core.journal.JournalException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads what {@link RecordBuffer} wrote. Trusts nothing: whatever the bytes are, it reads inside its bounds or throws a
 * {@link JournalException}, and allocates no more than there are bytes. One owner at a time; reusable.
 */
public final class RecordReader {
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN)
            .withInvokeExactBehavior();
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN)
            .withInvokeExactBehavior();

    private byte[] bytes = {};
    private int at;
    private int limit;

    /** Reads from {@code from} to before {@code to}. */
    public RecordReader over(byte[] source, int from, int to) {
        bytes = source;
        at = from;
        limit = to;
        return this;
    }

    public boolean hasMore() {
        return at < limit;
    }

    /** Where the next byte comes from. */
    public int at() {
        return at;
    }

    public byte[] array() {
        return bytes;
    }

    public int remaining() {
        return limit - at;
    }

    public int readByte() throws JournalException {
        need(1);
        return bytes[at++] & 0xFF;
    }

    public int readInt() throws JournalException {
        need(Integer.BYTES);
        int value = (int) INT.get(bytes, at);
        at += Integer.BYTES;
        return value;
    }

    public long readLong() throws JournalException {
        need(Long.BYTES);
        long value = (long) LONG.get(bytes, at);
        at += Long.BYTES;
        return value;
    }

    public long readVarLong() throws JournalException {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            int next = readByte();
            value |= (long) (next & 0x7F) << shift;
            if (next < 0x80) {
                return value;
            }
        }
        throw new JournalException("a variable-length number does not end");
    }

    /** A variable-length number that must fit an {@code int} and not be negative. */
    public int readVarInt() throws JournalException {
        long value = readVarLong();
        if (value < 0 || value > Integer.MAX_VALUE) {
            throw new JournalException(value + " is not a count or length");
        }
        return (int) value;
    }

    public byte[] readBytes() throws JournalException {
        int count = readVarInt();
        need(count);
        byte[] copy = Arrays.copyOfRange(bytes, at, at + count);
        at += count;
        return copy;
    }

    public String readText() throws JournalException {
        int count = readVarInt();
        need(count);
        String text = new String(bytes, at, count, StandardCharsets.UTF_8);
        at += count;
        return text;
    }

    public void skip(int count) throws JournalException {
        need(count);
        at += count;
    }

    private void need(int count) throws JournalException {
        if (count < 0 || count > limit - at) {
            throw new JournalException("the record ends too early");
        }
    }
}
