package dev.avocet.core.journal.file;

import dev.avocet.core.journal.disk.StorageFile;
import dev.avocet.core.journal.record.RecordFormat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The first {@value #BYTES} bytes of a segment's file, little-endian:
 *
 * <pre>
 *  0  u32  magic number
 *  4  u32  version of the format: 2; in version 1 no identifier of a store follows
 *  8  u32  number of the segment
 * 12  u32  0
 * 16  u64  salt
 * 24       identifier of the store, 16 bytes, big-endian
 * 40       0
 * 60  u32  CRC32C of everything before
 * </pre>
 *
 * Records follow, each at an offset that is a multiple of {@value #ALIGNMENT}, behind a mark of {@value #MARK_BYTES}
 * bytes: the salt xor the offset of the mark. The salt is random and never leaves the file. So neither what an earlier
 * segment has left in a file that is used again nor bytes that a client has chosen can be taken for a record, wherever
 * a scan looks for one.
 *
 * @param version of the format
 * @param number of the segment
 * @param salt of its marks; not 0
 * @param storeId of the store to which it belongs; zeros in version 1
 */
public record SegmentHeader(int version, int number, long salt, UUID storeId) {
    static final int BYTES = 64;
    static final int ALIGNMENT = RecordFormat.SEGMENT_ALIGNMENT;
    public static final int MARK_BYTES = RecordFormat.SEGMENT_MARK_BYTES;
    /** Offset of the first record. */
    public static final int FIRST_RECORD = BYTES + MARK_BYTES;

    private static final int MAGIC = 0x4753_5641; // "AVSG"
    public static final int VERSION = 2;
    public static final int FORMER_VERSION = 1;

    private static final int SALT = 16;
    private static final int STORE_ID = 24;
    private static final int CRC = BYTES - Integer.BYTES;

    /** What stands before a record that begins at {@code offset}. */
    public long markOf(long offset) {
        return salt ^ offset - MARK_BYTES;
    }

    public ByteBuffer encoded() {
        ByteBuffer bytes = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putInt(MAGIC).putInt(version).putInt(number).putInt(0).putLong(salt);
        bytes.order(ByteOrder.BIG_ENDIAN)
                .putLong(storeId.getMostSignificantBits())
                .putLong(storeId.getLeastSignificantBits())
                .order(ByteOrder.LITTLE_ENDIAN);
        bytes.putInt(CRC, checksum(bytes)).position(0);
        return bytes;
    }

    /** The header that these bytes are, of whatever version; null when they are none. */
    static @Nullable SegmentHeader decoded(ByteBuffer header) {
        ByteBuffer bytes = header.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.limit() < BYTES || bytes.getInt(0) != MAGIC || bytes.getInt(CRC) != checksum(bytes)) {
            return null;
        }
        ByteBuffer id = header.duplicate().order(ByteOrder.BIG_ENDIAN);
        return new SegmentHeader(
                bytes.getInt(Integer.BYTES),
                bytes.getInt(2 * Integer.BYTES),
                bytes.getLong(SALT),
                new UUID(id.getLong(STORE_ID), id.getLong(STORE_ID + Long.BYTES)));
    }

    /** The header of a file; null when it has none, or has one that says that it is another segment. */
    public static @Nullable SegmentHeader read(StorageFile file, int number) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(BYTES);
        int count = file.readFully(bytes, 0);
        SegmentHeader header = count < BYTES ? null : decoded(bytes);
        return header == null || header.number != number ? null : header;
    }

    private static int checksum(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate().position(0).limit(CRC));
        return (int) crc.getValue();
    }
}
