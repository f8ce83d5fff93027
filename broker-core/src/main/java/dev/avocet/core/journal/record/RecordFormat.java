package dev.avocet.core.journal.record;

import dev.avocet.core.journal.FilePlace;
import dev.avocet.core.journal.Position;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The formats of records that a scan understands. All that is asked of a header is asked of bytes that hold all of it.
 */
public enum RecordFormat {
    /** What this version writes: {@link RecordHeader}. */
    AVJ2(RecordHeader.BYTES, RecordHeader.CHECKED_FROM) {
        @Override
        public boolean isHeader(byte[] bytes, int at) {
            return RecordHeader.hasMagic(bytes, at) && RecordHeader.isLocalWhole(bytes, at);
        }

        @Override
        public int bodyLength(byte[] bytes, int at) {
            return RecordHeader.bodyLength(bytes, at);
        }

        @Override
        public int crc(byte[] bytes, int at) {
            return RecordHeader.crc(bytes, at);
        }

        @Override
        public int epoch(byte[] bytes, int at) {
            return RecordHeader.epoch(bytes, at);
        }

        @Override
        public int life(byte[] bytes, int at) {
            return RecordHeader.life(bytes, at);
        }

        @Override
        public long sequence(byte[] bytes, int at) {
            return RecordHeader.sequence(bytes, at);
        }

        @Override
        public long durableSequence(byte[] bytes, int at) {
            return RecordHeader.durableSequence(bytes, at);
        }

        @Override
        public long position(byte[] bytes, int at, int segment, long offset) {
            return RecordHeader.position(bytes, at);
        }

        @Override
        public int entries(byte[] bytes, int at) {
            return RecordHeader.entries(bytes, at);
        }

        @Override
        public int roomOf(int recordBytes) {
            return (int) Position.streamBytes(recordBytes) - RecordFormat.DOCUMENT_HEADER_BYTES;
        }

        @Override
        public long nextRecord(long offset, int recordBytes) {
            return Position.after(offset, recordBytes);
        }
    },

    /**
     * The first format: u32 length of the body, u32 CRC32C of all behind it, u32 magic number, u32 epoch, u64 sequence,
     * u64 durable sequence, u32 entries, u32 0. A record's position is its {@link FilePlace}.
     */
    AVJ1(RecordFormat.FORMER_HEADER_BYTES, 8) {
        @Override
        public boolean isHeader(byte[] bytes, int at) {
            return (int) INT.get(bytes, at + 8) == 0x314A_5641;
        }

        @Override
        public int bodyLength(byte[] bytes, int at) {
            return (int) INT.get(bytes, at);
        }

        @Override
        public int crc(byte[] bytes, int at) {
            return (int) INT.get(bytes, at + 4);
        }

        @Override
        public int epoch(byte[] bytes, int at) {
            return (int) INT.get(bytes, at + 12);
        }

        @Override
        public int life(byte[] bytes, int at) {
            return epoch(bytes, at);
        }

        @Override
        public long sequence(byte[] bytes, int at) {
            return (long) LONG.get(bytes, at + 16);
        }

        @Override
        public long durableSequence(byte[] bytes, int at) {
            return (long) LONG.get(bytes, at + 24);
        }

        @Override
        public long position(byte[] bytes, int at, int segment, long offset) {
            return FilePlace.of(segment, offset);
        }

        @Override
        public int entries(byte[] bytes, int at) {
            return (int) INT.get(bytes, at + 32);
        }

        @Override
        public int roomOf(int recordBytes) {
            return recordBytes + RecordFormat.SEGMENT_MARK_BYTES;
        }

        @Override
        public long nextRecord(long offset, int recordBytes) {
            int alignment = RecordFormat.SEGMENT_ALIGNMENT;
            return (offset + recordBytes + alignment - 1 & -alignment) + RecordFormat.SEGMENT_MARK_BYTES;
        }
    };

    /** Of a record of the first format. */
    public static final int FORMER_HEADER_BYTES = 40;

    /** In front of a record in a segment of plain files. */
    public static final int SEGMENT_MARK_BYTES = 8;

    /** Where such a mark may begin. */
    public static final int SEGMENT_ALIGNMENT = 8;

    /** In front of a document of Chronicle. */
    public static final int DOCUMENT_HEADER_BYTES = 4;

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN)
            .withInvokeExactBehavior();
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN)
            .withInvokeExactBehavior();

    public final int headerBytes;
    public final int checkedFrom;

    RecordFormat(int headerBytes, int checkedFrom) {
        this.headerBytes = headerBytes;
        this.checkedFrom = checkedFrom;
    }

    /** True when these bytes may be a header. */
    public abstract boolean isHeader(byte[] bytes, int at);

    public abstract int bodyLength(byte[] bytes, int at);

    /** CRC32C of the record from {@link #checkedFrom} on. */
    public abstract int crc(byte[] bytes, int at);

    public abstract int epoch(byte[] bytes, int at);

    public abstract int life(byte[] bytes, int at);

    public abstract long sequence(byte[] bytes, int at);

    public abstract long durableSequence(byte[] bytes, int at);

    public abstract long position(byte[] bytes, int at, int segment, long offset);

    /** Entries in the body. */
    public abstract int entries(byte[] bytes, int at);

    /** What a record takes of a Chronicle document, its mark included. */
    public abstract int roomOf(int recordBytes);

    /** The offset of the record that follows one in a plain file. */
    public abstract long nextRecord(long offset, int recordBytes);
}
