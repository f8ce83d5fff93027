package dev.avocet.core.journal.chronicle;

import dev.avocet.core.journal.Segment;
import dev.avocet.core.journal.disk.StorageFile;
import dev.avocet.core.journal.log.LogContinuity;
import dev.avocet.core.journal.log.ScanSink;
import dev.avocet.core.journal.log.ScanWindow;
import dev.avocet.core.journal.record.RecordFormat;
import java.io.IOException;

/**
 * Finds the records in the files of a {@link ChronicleJournal} without Chronicle, which stops at the first hole. A file
 * is a chain of documents: four bytes of length and kind, then that many bytes, then up to three to the next multiple
 * of four. Where the chain is broken, records are looked for by their marks; {@link LogContinuity} says what they mean.
 * One owner; one scan.
 */
public final class ChronicleScan {
    /** Bits of the four bytes before a document. */
    private static final int NOT_COMPLETE = 1 << 31;

    private static final int METADATA = 1 << 30;
    private static final int LENGTH = METADATA - 1;

    /** From the beginning of a document to the record in it. */
    static final int RECORD_AT = ChronicleWriter.DOCUMENT_HEADER_BYTES + ChronicleLife.MARK_BYTES;

    private static final int HEADER_AND_MARK = RECORD_AT;

    private final RecordFormat format;
    private final ScanSink sink;

    public ChronicleScan(RecordFormat format, ScanSink sink) {
        this.format = format;
        this.sink = sink;
    }

    /** False when this is no place for a record. */
    static boolean canBegin(long offset) {
        return offset >= RECORD_AT && offset % ChronicleWriter.ALIGNMENT == 0;
    }

    /**
     * Goes through a segment.
     *
     * @param firstRecord offset of the first record to see; 0 for all
     * @return how much of the file is worth keeping: nothing when no record of the log is in it
     */
    public long scan(ChronicleLife life, Segment segment, StorageFile file, long firstRecord) throws IOException {
        Pass pass = new Pass(life, segment, file);
        pass.run(firstRecord);
        return pass.worthKeeping();
    }

    /** One segment. */
    private final class Pass {
        private final ChronicleLife life;
        private final Segment segment;
        private final ScanWindow window;
        private final long sizeBytes;

        /** Behind the last byte that is not zero. */
        private long written;

        private boolean holdsRecords;

        Pass(ChronicleLife life, Segment segment, StorageFile file) throws IOException {
            this.life = life;
            this.segment = segment;
            sizeBytes = file.sizeBytes();
            window = new ScanWindow(file, sizeBytes, sink.windowBytes());
        }

        void run(long firstRecord) throws IOException {
            long at = Math.max(firstRecord - RECORD_AT, 0);
            while (has(at, HEADER_AND_MARK) && !sink.isSatisfied()) {
                at = onHeader(at, (int) window.longAt(at));
            }
            sink.onEnd(at + RECORD_AT);
        }

        /** How much of the file is worth keeping: nothing when no record of the log is in it. */
        long worthKeeping() {
            return holdsRecords ? written : 0;
        }

        /** Returns where to go on. */
        private long onHeader(long at, int header) throws IOException {
            if (header == 0) {
                sink.onEnd(at + RECORD_AT);
                return search(at);
            }
            written = Math.max(written, at + ChronicleWriter.DOCUMENT_HEADER_BYTES);
            if ((header & NOT_COMPLETE) != 0) {
                sink.onEnd(at + RECORD_AT);
                return search(at);
            }
            int length = header & LENGTH;
            if (!has(at + ChronicleWriter.DOCUMENT_HEADER_BYTES, length)) {
                return damaged(at, "the length in front of it is wrong");
            }
            return (header & METADATA) != 0 ? following(at, length) : onDocument(at, length);
        }

        private long onDocument(long at, int length) throws IOException {
            if (length < ChronicleLife.MARK_BYTES + format.headerBytes || !isMarked(at)) {
                return damaged(at, "it does not begin like a record");
            }
            long offset = at + RECORD_AT;
            int recordLength = recordLengthIn(offset, length);
            if (recordLength < 0) {
                return damaged(at, "its header is wrong");
            }
            if (isWhole(offset, recordLength)) {
                onRecord(offset, recordLength);
            } else {
                // Told the same length twice: the next document is where it should be.
                sink.onDamage(offset, "its checksum is wrong");
            }
            return following(at, length);
        }

        private void onRecord(long offset, int length) throws IOException {
            boolean fits = window.canHold(length);
            int index = fits ? window.indexOf(offset, length) : 0;
            byte[] bytes = fits ? window.bytes() : window.copy(offset, length);
            holdsRecords |= sink.onRecord(offset, bytes, index, length);
        }

        private long damaged(long at, String reason) throws IOException {
            sink.onDamage(at + RECORD_AT, reason);
            return search(at);
        }

        /**
         * The next document behind {@code at} that is marked as ours and is a valid record; the end when there is none.
         */
        private long search(long at) throws IOException {
            long candidate = at + ChronicleWriter.ALIGNMENT;
            for (; has(candidate, HEADER_AND_MARK); candidate += ChronicleWriter.ALIGNMENT) {
                if (candidate % ChronicleJournal.PAGE_BYTES == 0 && isZeroPage(candidate)) {
                    // No mark is in it; one may begin in its last bytes.
                    candidate += ChronicleJournal.PAGE_BYTES - HEADER_AND_MARK;
                } else if (isRecordIn(candidate)) {
                    return candidate;
                } else if ((int) window.longAt(candidate) != 0) {
                    written = candidate + Integer.BYTES;
                }
            }
            return sizeBytes;
        }

        private boolean isRecordIn(long at) throws IOException {
            if (!isMarked(at)) {
                return false;
            }
            int length = (int) window.longAt(at);
            long offset = at + RECORD_AT;
            if (length < ChronicleLife.MARK_BYTES + format.headerBytes
                    || !has(at + ChronicleWriter.DOCUMENT_HEADER_BYTES, length)) {
                return false;
            }
            int recordLength = recordLengthIn(offset, length);
            return recordLength >= 0 && isWhole(offset, recordLength);
        }

        private boolean isMarked(long at) throws IOException {
            long markAt = at + ChronicleWriter.DOCUMENT_HEADER_BYTES;
            return window.longAt(markAt) == life.markOf(segment.number(), markAt);
        }

        /** Length of the record that seems to be in a document; -1 when there can be none. */
        private int recordLengthIn(long offset, int documentLength) throws IOException {
            int index = window.indexOf(offset, format.headerBytes);
            byte[] bytes = window.bytes();
            int bodyLength = format.bodyLength(bytes, index);
            if (!format.isHeader(bytes, index) || bodyLength < 0 || bodyLength > documentLength - format.headerBytes) {
                return -1;
            }
            int length = format.headerBytes + bodyLength;
            return format.roomOf(length) == documentLength ? length : -1;
        }

        private boolean isWhole(long offset, int length) throws IOException {
            int expected = format.crc(window.bytes(), window.indexOf(offset, format.headerBytes));
            int checked = length - format.checkedFrom;
            if (window.canHold(length)) {
                window.indexOf(offset, length);
            }
            return window.checksum(offset + format.checkedFrom, checked) == expected;
        }

        private boolean isZeroPage(long offset) throws IOException {
            if (!has(offset, ChronicleJournal.PAGE_BYTES)) {
                return false;
            }
            for (long at = offset; at < offset + ChronicleJournal.PAGE_BYTES; at += Long.BYTES) {
                if (window.longAt(at) != 0) {
                    return false;
                }
            }
            return true;
        }

        private boolean has(long offset, long count) {
            return count <= sizeBytes - offset;
        }

        private long following(long at, int length) {
            long end = at + ChronicleWriter.DOCUMENT_HEADER_BYTES + length;
            written = Math.max(written, end);
            return end + ChronicleWriter.ALIGNMENT - 1 & -ChronicleWriter.ALIGNMENT;
        }
    }
}
