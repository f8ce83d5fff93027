package dev.avocet.core.journal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * The first {@value #BYTES} bytes of every record, little-endian:
 *
 * <pre>
 *  0  u32  length of the body in bytes
 *  4  u32  CRC32C of everything behind this field, header and body
 *  8  u32  magic number, which is also the version of the format
 * 12  u32  epoch of the broker that wrote it
 * 16  u64  sequence: one more than the record before
 * 24  u64  sequence up to which records were durable when this one was written
 * 32  u32  number of entries in the body
 * 36  u32  0
 * </pre>
 *
 * The second sequence tells a torn tail from damage: a record that a later one calls durable must be whole.
 */
public final class RecordHeader {
    public static final int BYTES = 40;
    public static final int MAGIC = 0x314A_5641; // "AVJ1"

    /** The checksum covers everything from here. */
    static final int CHECKED_FROM = 8;

    private static final int LENGTH = 0;
    private static final int CRC = 4;
    private static final int MAGIC_AT = 8;
    private static final int EPOCH = 12;
    private static final int SEQUENCE = 16;
    private static final int DURABLE = 24;
    private static final int ENTRIES = 32;
    private static final int RESERVED = 36;

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN)
            .withInvokeExactBehavior();
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN)
            .withInvokeExactBehavior();

    private RecordHeader() {}

    /** Completes a record whose body is in place behind the header's room. */
    public static void write(byte[] record, int length, int epoch, long sequence, long durableSequence, int entries) {
        INT.set(record, LENGTH, length - BYTES);
        INT.set(record, MAGIC_AT, MAGIC);
        INT.set(record, EPOCH, epoch);
        LONG.set(record, SEQUENCE, sequence);
        LONG.set(record, DURABLE, durableSequence);
        INT.set(record, ENTRIES, entries);
        INT.set(record, RESERVED, 0);
        INT.set(record, CRC, checksum(record, 0, length));
    }

    /** True when a whole and undamaged record begins at {@code offset} and ends before {@code limit}. */
    public static boolean isValid(byte[] bytes, int offset, int limit) {
        if (limit - offset < BYTES || (int) INT.get(bytes, offset + MAGIC_AT) != MAGIC) {
            return false;
        }
        int bodyLength = bodyLength(bytes, offset);
        return bodyLength >= 0
                && bodyLength <= limit - offset - BYTES
                && (int) INT.get(bytes, offset + CRC) == checksum(bytes, offset, BYTES + bodyLength);
    }

    public static int bodyLength(byte[] bytes, int offset) {
        return (int) INT.get(bytes, offset + LENGTH);
    }

    public static boolean hasMagic(byte[] bytes, int offset) {
        return (int) INT.get(bytes, offset + MAGIC_AT) == MAGIC;
    }

    static int crc(byte[] bytes, int offset) {
        return (int) INT.get(bytes, offset + CRC);
    }

    public static int epoch(byte[] bytes, int offset) {
        return (int) INT.get(bytes, offset + EPOCH);
    }

    public static long sequence(byte[] bytes, int offset) {
        return (long) LONG.get(bytes, offset + SEQUENCE);
    }

    public static long durableSequence(byte[] bytes, int offset) {
        return (long) LONG.get(bytes, offset + DURABLE);
    }

    public static int entries(byte[] bytes, int offset) {
        return (int) INT.get(bytes, offset + ENTRIES);
    }

    private static int checksum(byte[] bytes, int offset, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, offset + CHECKED_FROM, length - CHECKED_FROM);
        return (int) crc.getValue();
    }
}
