package dev.avocet.core.journal;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The first {@value #BYTES} bytes of a segment's file, little-endian:
 *
 * <pre>
 *  0  u32  magic number
 *  4  u32  version of the format
 *  8  u32  number of the segment
 * 12  u32  0
 * 16  u64  salt
 * 24       0
 * 60  u32  CRC32C of everything before
 * </pre>
 *
 * Records follow, each at an offset that is a multiple of {@value #ALIGNMENT}, behind a mark of {@value #MARK_BYTES}
 * bytes: the salt xor the offset of the mark. The salt is random and never leaves the file. So neither what an earlier
 * segment has left in a file that is used again nor bytes that a client has chosen can be taken for a record, wherever
 * a scan looks for one.
 *
 * @param number of the segment
 * @param salt of its marks; not 0
 */
record SegmentHeader(int number, long salt) {
    static final int BYTES = 64;
    static final int ALIGNMENT = 8;
    static final int MARK_BYTES = 8;
    /** Offset of the first record. */
    static final int FIRST_RECORD = BYTES + MARK_BYTES;

    private static final int MAGIC = 0x4753_5641; // "AVSG"
    private static final int VERSION = 1;
    private static final int SALT = 16;
    private static final int CRC = BYTES - Integer.BYTES;

    /** What stands before a record that begins at {@code offset}. */
    long markOf(long offset) {
        return salt ^ offset - MARK_BYTES;
    }

    /** The offset of the record that follows one which ends at {@code end}. */
    static long nextRecord(long end) {
        return (end + ALIGNMENT - 1 & -ALIGNMENT) + MARK_BYTES;
    }

    ByteBuffer encoded() {
        ByteBuffer bytes = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putInt(MAGIC).putInt(VERSION).putInt(number).putInt(0).putLong(salt);
        bytes.putInt(CRC, checksum(bytes)).position(0);
        return bytes;
    }

    /** The header that these bytes are; null when they are none. */
    static @Nullable SegmentHeader decoded(ByteBuffer header) {
        ByteBuffer bytes = header.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.limit() < BYTES
                || bytes.getInt(0) != MAGIC
                || bytes.getInt(Integer.BYTES) != VERSION
                || bytes.getInt(CRC) != checksum(bytes)) {
            return null;
        }
        return new SegmentHeader(bytes.getInt(2 * Integer.BYTES), bytes.getLong(SALT));
    }

    private static int checksum(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate().position(0).limit(CRC));
        return (int) crc.getValue();
    }
}
