package dev.avocet.core.journal.file;

import dev.avocet.core.journal.disk.StorageFile;
import dev.avocet.core.journal.log.ScanSink;
import dev.avocet.core.journal.log.ScanWindow;
import dev.avocet.core.journal.record.RecordFormat;
import java.io.IOException;

/**
 * Looks through one segment's file: record after record, and behind the place where they stop for others, which a crash
 * or damage may have cut off.
 */
public final class SegmentScan {
    /**
     * Times a file's size that is looked at: records do not overlap, so more is a forged file's trick to make the scan
     * endless.
     */
    private static final int CHECKSUMMED_MAX = 4;

    private final RecordFormat format;
    private final SegmentHeader header;
    private final ScanWindow window;
    private final long size;
    private final ScanSink sink;
    private boolean stopped;
    private boolean clean = true;
    private boolean empty = true;
    private long end;
    private long checksummed;

    /** @param header of the file */
    public SegmentScan(RecordFormat format, SegmentHeader header, StorageFile file, ScanSink sink) throws IOException {
        this.format = format;
        this.header = header;
        this.sink = sink;
        size = file.sizeBytes();
        window = new ScanWindow(file, size, sink.windowBytes());
    }

    /** @param firstRecord offset at which a record is expected, mark excluded */
    public void run(long firstRecord) throws IOException {
        end = firstRecord - SegmentHeader.MARK_BYTES;
        long at = end;
        while (at + SegmentHeader.MARK_BYTES + format.headerBytes <= size && !sink.isSatisfied()) {
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
        long following = format.nextRecord(offset, length) - SegmentHeader.MARK_BYTES;
        if (sink.onRecord(offset, bytes, at, length)) {
            empty = false;
            stopped = false;
            end = Math.min(following, size);
        } else {
            stopped = true;
            clean = false;
        }
        return following;
    }

    /** Length of the valid record that begins here, -1 when there is none. */
    private int validLength(long offset) throws IOException {
        int at = window.indexOf(offset, format.headerBytes);
        byte[] bytes = window.bytes();
        int bodyLength = format.bodyLength(bytes, at);
        if (!format.isHeader(bytes, at) || bodyLength < 0 || bodyLength > size - offset - format.headerBytes) {
            return -1;
        }
        int length = format.headerBytes + bodyLength;
        int crc = format.crc(bytes, at);
        if (window.canHold(length)) {
            window.indexOf(offset, length);
        }
        int checked = length - format.checkedFrom;
        checksummed += checked;
        if (checksummed > CHECKSUMMED_MAX * size) {
            return -1;
        }
        return window.checksum(offset + format.checkedFrom, checked) == crc ? length : -1;
    }

    private void stopAt(long at, boolean nothingWritten) throws IOException {
        if (stopped) {
            return;
        }
        if (nothingWritten) {
            stopped = true;
            sink.onEnd(at + SegmentHeader.MARK_BYTES);
        } else {
            damageAt(at + SegmentHeader.MARK_BYTES, "no record begins here");
        }
    }

    private void damageAt(long offset, String reason) throws IOException {
        clean = false;
        if (!stopped) {
            stopped = true;
            sink.onDamage(offset, reason);
        }
    }
}
