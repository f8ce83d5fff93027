package dev.avocet.core.store.checkpoint;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * A checkpoint's file is a row of blocks. Each begins with {@value #HEADER_BYTES} bytes, little-endian:
 *
 * <pre>
 *  0  u32  magic number, which is also the version of the format
 *  4  u32  what is in the block
 *  8  u32  number of the block in its file, from 0
 * 12  u32  length of the content in bytes
 * 16  u32  CRC32C of the content
 * 20  u32  CRC32C of the bytes 0 to 19
 * </pre>
 *
 * The first block holds the {@link CheckpointHeader}, the last one the {@link CheckpointCounts} and a CRC32C of all
 * headers before it; nothing follows it. The others come in any order.
 *
 * <pre>
 * SESSIONS    entries SESSION, SUBSCRIPTION and PROTOCOL as in the journal; those of one session lie in one block
 * REFERENCES  pieces: var queue, var next reference number, var count, and for each reference
 *             var difference of the number, var difference of the position, var (stored bytes times 4 + 1 if it expires
 *             + 2 if it has options), [u64 wall ms of the expiry], [options]; differences (zigzag) from the one before
 *             in the piece, at first from 0
 * RETAINED    for each topic: bytes topic, var position, var stored bytes
 * TRANSACTIONS  see {@link TransactionPieces}
 * </pre>
 */
final class CheckpointBlock {
    static final int HEADER_BYTES = 24;
    static final int MAGIC = 0x3243_5641; // "AVC2"
    static final int FORMER_MAGIC = 0x3143_5641; // "AVC1"

    static final int BEGINNING = 1;
    static final int SESSIONS = 2;
    static final int REFERENCES = 3;
    static final int RETAINED = 4;
    static final int END = 5;
    static final int TRANSACTIONS = 6;

    /** Flags of a reference. */
    static final int EXPIRES = 1;

    static final int OPTIONS = 2;
    static final int FLAG_BITS = 2;

    private static final int TYPE = 4;
    private static final int NUMBER = 8;
    private static final int LENGTH = 12;
    private static final int CONTENT_CRC = 16;
    private static final int HEADER_CRC = 20;

    private CheckpointBlock() {}

    /** Writes the header in front of a content that lies behind the room for it. */
    static void writeHeader(byte[] block, int length, int type, int number) {
        ByteBuffer header = header(block);
        header.putInt(0, MAGIC);
        header.putInt(TYPE, type);
        header.putInt(NUMBER, number);
        header.putInt(LENGTH, length - HEADER_BYTES);
        header.putInt(CONTENT_CRC, checksum(block, HEADER_BYTES, length - HEADER_BYTES));
        header.putInt(HEADER_CRC, checksum(block, 0, HEADER_CRC));
    }

    static boolean isWhole(byte[] header) {
        return header(header).getInt(HEADER_CRC) == checksum(header, 0, HEADER_CRC);
    }

    static int magic(byte[] header) {
        return header(header).getInt(0);
    }

    static int type(byte[] header) {
        return header(header).getInt(TYPE);
    }

    static int number(byte[] header) {
        return header(header).getInt(NUMBER);
    }

    static int length(byte[] header) {
        return header(header).getInt(LENGTH);
    }

    static boolean isContent(byte[] header, byte[] content, int length) {
        return header(header).getInt(CONTENT_CRC) == checksum(content, 0, length);
    }

    static long zigzag(long difference) {
        return difference << 1 ^ difference >> 63;
    }

    static long unzigzag(long number) {
        return number >>> 1 ^ -(number & 1);
    }

    private static ByteBuffer header(byte[] bytes) {
        return ByteBuffer.wrap(bytes, 0, HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static int checksum(byte[] bytes, int offset, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, offset, length);
        return (int) crc.getValue();
    }
}
