package dev.avocet.core.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Looks through one segment's file: record after record, and behind the place where they stop for others, which a crash
 * or damage may have cut off.
 */
final class SegmentScan {
    private static final long SMALLEST = SegmentHeader.MARK_BYTES + (long) RecordHeader.BYTES;

    /**
     * Times a file's size that is looked at: records do not overlap, so more is somebody's trick to make the scan
     * endless.
     */
    private static final int CHECKSUMMED_MAX = 4;

    private final Segment segment;
    private final SegmentHeader header;
    private final ScanWindow window;
    private final long size;
    private final LogContinuity continuity;
    private final DurableMark durable;
    private final RecordVisitor visitor;
    private boolean stopped;
    private boolean clean = true;
    private boolean empty = true;
    private long end;
    private long checksummed;

    SegmentScan(Segment segment, StorageFile file, LogContinuity continuity, DurableMark durable, RecordVisitor visitor)
            throws IOException {
        this.segment = segment;
        this.continuity = continuity;
        this.durable = durable;
        this.visitor = visitor;
        size = file.sizeBytes();
        header = Objects.requireNonNull(readHeader(segment, file));
        window = new ScanWindow(file, size);
    }

    /** False when the file is not this segment: a scan of it makes no sense. */
    static boolean hasHeader(Segment segment, StorageFile file) throws IOException {
        return readHeader(segment, file) != null;
    }

    /** @param firstRecord offset at which a record is expected, mark excluded */
    void run(long firstRecord) throws IOException {
        end = firstRecord - SegmentHeader.MARK_BYTES;
        long at = end;
        while (at + SMALLEST <= size) {
            long mark = window.longAt(at);
            if (mark == header.markOf(at + SegmentHeader.MARK_BYTES)) {
                at = visit(at + SegmentHeader.MARK_BYTES);
            } else {
                stopAt(at, mark == 0);
                at += SegmentHeader.ALIGNMENT;
            }
        }
        stopAt(Math.min(at, size), true);
    }

    /** True when nothing but zeros, or what an earlier segment left in the file, follows the records. */
    boolean isClean() {
        return clean;
    }

    /** True when no record of the log is in it. */
    boolean isEmpty() {
        return empty;
    }

    /** Where the records of the log end. */
    long end() {
        return end;
    }

    /** A record seems to begin here. Returns where to look next. */
    private long visit(long offset) throws IOException {
        int length = validLength(offset);
        if (length < 0) {
            damageAt(offset, "the record is not whole");
            return offset;
        }
        byte[] bytes = window.canHold(length) ? window.bytes() : window.copy(offset, length);
        int at = window.canHold(length) ? window.indexOf(offset, length) : 0;
        long following = SegmentHeader.nextRecord(offset + length) - SegmentHeader.MARK_BYTES;
        long position = Position.of(segment.number(), offset);
        long sequence = RecordHeader.sequence(bytes, at);
        long durableSequence = RecordHeader.durableSequence(bytes, at);
        if (continuity.accepts(offset, RecordHeader.epoch(bytes, at), sequence, durableSequence)) {
            empty = false;
            stopped = false;
            durable.onRecord(position, sequence, durableSequence);
            visitor.onRecord(position, bytes, at, length);
            end = Math.min(following, size);
        } else {
            stopped = true;
            clean = false;
        }
        return following;
    }

    /** Length of the valid record that begins here, -1 when there is none. */
    private int validLength(long offset) throws IOException {
        int at = window.indexOf(offset, RecordHeader.BYTES);
        byte[] bytes = window.bytes();
        int bodyLength = RecordHeader.bodyLength(bytes, at);
        if (!RecordHeader.hasMagic(bytes, at) || bodyLength < 0 || bodyLength > size - offset - RecordHeader.BYTES) {
            return -1;
        }
        int length = RecordHeader.BYTES + bodyLength;
        int crc = RecordHeader.crc(bytes, at);
        if (window.canHold(length)) {
            window.indexOf(offset, length);
        }
        int checked = length - RecordHeader.CHECKED_FROM;
        checksummed += checked;
        if (checksummed > CHECKSUMMED_MAX * size) {
            return -1;
        }
        return window.checksum(offset + RecordHeader.CHECKED_FROM, checked) == crc ? length : -1;
    }

    private void stopAt(long at, boolean nothingWritten) throws IOException {
        if (stopped) {
            return;
        }
        if (nothingWritten) {
            stopped = true;
            continuity.onEnd(at + SegmentHeader.MARK_BYTES);
        } else {
            damageAt(at + SegmentHeader.MARK_BYTES, "no record begins here");
        }
    }

    private void damageAt(long offset, String reason) throws IOException {
        clean = false;
        if (!stopped) {
            stopped = true;
            continuity.onDamage(offset, reason);
        }
    }

    /** The header was durable before the file had its name, so there is one. */
    private static @Nullable SegmentHeader readHeader(Segment segment, StorageFile file) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(SegmentHeader.BYTES);
        int count = file.readFully(bytes, 0);
        SegmentHeader header = count < SegmentHeader.BYTES ? null : SegmentHeader.decoded(bytes);
        return header == null || header.number() != segment.number() ? null : header;
    }
}
