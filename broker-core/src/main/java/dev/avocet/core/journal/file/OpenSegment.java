package dev.avocet.core.journal.file;

import dev.avocet.core.journal.Position;
import dev.avocet.core.journal.Segment;
import dev.avocet.core.journal.disk.StorageFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A segment that is being written. The journal thread appends; the commit thread forces beside it. */
final class OpenSegment implements Closeable {
    private static final int TRAILER_MAX_BYTES = (int) Position.streamBytes(0) + SegmentHeader.ALIGNMENT;
    private static final int CHUNK_BYTES = 256 * 1024;
    private static final byte[] ZEROS = new byte[TRAILER_MAX_BYTES];

    private final Segment segment;
    private final SegmentHeader header;
    private final StorageFile file;
    /** Where the next record will begin. */
    private long next = SegmentHeader.FIRST_RECORD;

    OpenSegment(Segment segment, SegmentHeader header, StorageFile file) {
        this.segment = segment;
        this.header = header;
        this.file = file;
    }

    static ByteBuffer newChunk() {
        return ByteBuffer.allocateDirect(CHUNK_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** The longest record that a segment of this size takes. */
    static int maxRecordBytes(int segmentBytes) {
        return segmentBytes - SegmentHeader.FIRST_RECORD;
    }

    Segment segment() {
        return segment;
    }

    int number() {
        return segment.number();
    }

    boolean fits(int length) {
        return length <= segment.sizeBytes() - next;
    }

    /**
     * Writes a record with its mark in front and zeros behind it, which the next record overwrites: they tell the end
     * of the log from what the file held before.
     *
     * @param chunk through which the bytes go to the file
     */
    void append(byte[] record, int length, ByteBuffer chunk) throws IOException {
        long start = next;
        long end = start + length;
        long following = Position.after(start, length);
        long at = start - SegmentHeader.MARK_BYTES;
        chunk.clear().putLong(header.markOf(start));
        for (int copied = 0; copied < length; ) {
            int count = Math.min(length - copied, chunk.remaining());
            chunk.put(record, copied, count);
            copied += count;
            if (chunk.remaining() < TRAILER_MAX_BYTES) {
                at = flush(chunk, at);
            }
        }
        chunk.put(ZEROS, 0, (int) (Math.min(following, segment.sizeBytes()) - end));
        flush(chunk, at);
        next = following;
    }

    void force() throws IOException {
        file.force(false);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    private long flush(ByteBuffer chunk, long at) throws IOException {
        int count = chunk.flip().limit();
        file.writeFully(chunk, at);
        chunk.clear();
        return at + count;
    }
}
