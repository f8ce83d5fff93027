package dev.avocet.core.journal.record;

import dev.avocet.core.journal.Journal;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * The first {@value #BYTES} bytes of every record, little-endian:
 *
 * <pre>
 *  0  u64  sequence up to which records were durable on this node when this one was written
 *  8  u32  life of this node's journal in which it was written
 * 12  u32  CRC32C of the bytes 0 to 11 and 16 to 23
 * 16  u32  length of the body in bytes
 * 20  u32  CRC32C of everything behind this field, header and body
 * 24  u32  magic number, which is also the version of the format
 * 28  u32  epoch of the broker that wrote it
 * 32  u64  sequence: one more than the record before
 * 40  u64  position
 * 48  u32  number of entries in the body
 * 52  u32  0
 * </pre>
 *
 * The first {@value #LOCAL_BYTES} bytes are the node's own; what is behind them travels, the body included, and is the
 * same on all nodes.
 *
 * <p>The first sequence tells a torn tail from damage: a record that a later one calls durable must be whole.
 */
public final class RecordHeader {
    public static final int BYTES = 56;
    public static final int MAGIC = 0x324A_5641; // "AVJ2"

    /** What a node writes by itself. */
    public static final int LOCAL_BYTES = 16;

    /** The checksum of what travels covers everything from here. */
    static final int CHECKED_FROM = 24;

    private static final int DURABLE = 0;
    private static final int LIFE = 8;
    private static final int LOCAL_CRC = 12;
    private static final int LENGTH = 16;
    private static final int CRC = 20;
    private static final int MAGIC_AT = 24;
    private static final int EPOCH = 28;
    private static final int SEQUENCE = 32;
    private static final int POSITION = 40;
    private static final int ENTRIES = 48;
    private static final int RESERVED = 52;

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN)
            .withInvokeExactBehavior();
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN)
            .withInvokeExactBehavior();

    private RecordHeader() {}

    /**
     * Completes a record whose body is in place behind the header's room. The journal that appends it
     * {@linkplain #stamp adds} its life.
     *
     * @param position where the journal puts it: {@link Journal#end}
     */
    public static void write(
            byte[] record, int length, int epoch, long sequence, long position, long durableSequence, int entries) {
        INT.set(record, LENGTH, length - BYTES);
        INT.set(record, MAGIC_AT, MAGIC);
        INT.set(record, EPOCH, epoch);
        LONG.set(record, SEQUENCE, sequence);
        LONG.set(record, POSITION, position);
        INT.set(record, ENTRIES, entries);
        INT.set(record, RESERVED, 0);
        INT.set(record, CRC, checksum(record, 0, length));
        LONG.set(record, DURABLE, durableSequence);
        stamp(record, 0);
    }

    /** Says what this node knows to be durable, in a record that has travelled here. */
    public static void durable(byte[] record, long durableSequence) {
        LONG.set(record, DURABLE, durableSequence);
    }

    /** Says in which life of this node's journal the record is written, and completes the node's own part. */
    public static void stamp(byte[] record, int life) {
        INT.set(record, LIFE, life);
        INT.set(record, LOCAL_CRC, localChecksum(record, 0));
    }

    /** True when a whole and undamaged record begins at {@code offset} and ends before {@code limit}. */
    public static boolean isValid(byte[] bytes, int offset, int limit) {
        return isWhole(bytes, offset, limit) && isLocalWhole(bytes, offset);
    }

    /** The same for what travels alone: the node's own part may be anything. */
    public static boolean isWhole(byte[] bytes, int offset, int limit) {
        if (limit - offset < BYTES || !hasMagic(bytes, offset)) {
            return false;
        }
        int bodyLength = bodyLength(bytes, offset);
        return bodyLength >= 0
                && bodyLength <= limit - offset - BYTES
                && crc(bytes, offset) == checksum(bytes, offset, BYTES + bodyLength);
    }

    /** True when the node's own part is undamaged. */
    static boolean isLocalWhole(byte[] bytes, int offset) {
        return (int) INT.get(bytes, offset + LOCAL_CRC) == localChecksum(bytes, offset);
    }

    public static int bodyLength(byte[] bytes, int offset) {
        return (int) INT.get(bytes, offset + LENGTH);
    }

    /** Of the record that begins where the buffer, which is little-endian, stands. */
    public static int bodyLength(ByteBuffer record) {
        return record.getInt(record.position() + LENGTH);
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

    public static long position(byte[] bytes, int offset) {
        return (long) LONG.get(bytes, offset + POSITION);
    }

    public static long durableSequence(byte[] bytes, int offset) {
        return (long) LONG.get(bytes, offset + DURABLE);
    }

    static int life(byte[] bytes, int offset) {
        return (int) INT.get(bytes, offset + LIFE);
    }

    public static int entries(byte[] bytes, int offset) {
        return (int) INT.get(bytes, offset + ENTRIES);
    }

    private static int checksum(byte[] bytes, int offset, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, offset + CHECKED_FROM, length - CHECKED_FROM);
        return (int) crc.getValue();
    }

    private static int localChecksum(byte[] bytes, int offset) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, offset, LOCAL_CRC);
        crc.update(bytes, offset + LENGTH, MAGIC_AT - LENGTH);
        return (int) crc.getValue();
    }
}
