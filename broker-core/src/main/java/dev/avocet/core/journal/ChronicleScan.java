package dev.avocet.core.journal;

import java.io.IOException;

/**
 * Finds the records in the files of a {@link ChronicleJournal} without Chronicle, which stops at the first hole. A file
 * is a chain of documents: four bytes of length and kind, then that many bytes, then up to three to the next multiple
 * of four. Where the chain is broken, records are looked for by their marks; {@link LogContinuity} says what they mean.
 * One owner; one scan.
 */
final class ChronicleScan {
    /** Bits of the four bytes before a document. */
    private static final int NOT_COMPLETE = 1 << 31;

    private static final int METADATA = 1 << 30;
    private static final int LENGTH = METADATA - 1;

    /** From the beginning of a document to the record in it. */
    private static final int RECORD_AT = ChronicleWriter.DOCUMENT_HEADER_BYTES + ChronicleLife.MARK_BYTES;

    private static final int HEADER_AND_MARK = RECORD_AT;

    private static final int PAGE_BYTES = 4096;

    private final LogContinuity continuity;
    private final EarlierLives earlier;
    private final RecordVisitor visitor;

    ChronicleScan(long from, EarlierLives earlier, RecordVisitor visitor, DamageVisitor damages) {
        this.continuity = new LogContinuity(from, damages);
        this.earlier = earlier;
        this.visitor = visitor;
    }

    /** False when this is no place for a record. */
    static boolean canBegin(long position) {
        return Position.offset(position) >= RECORD_AT && Position.offset(position) % ChronicleWriter.ALIGNMENT == 0;
    }

    ScanResult result() {
        return continuity.result();
    }

    /**
     * Goes through a segment.
     *
     * @param firstRecord offset of the first record to see; 0 for all
     */
    void scan(ChronicleLife life, Segment segment, StorageFile file, long firstRecord) throws IOException {
        continuity.onSegment(segment.number(), segment.file());
        Pass pass = new Pass(life, segment, file);
        pass.run(firstRecord);
        earlier.endsAt(segment.number(), pass.worthKeeping());
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
            window = new ScanWindow(file, sizeBytes);
        }

        void run(long firstRecord) throws IOException {
            long at = Math.max(firstRecord - RECORD_AT, 0);
            while (has(at, HEADER_AND_MARK)) {
                at = onHeader(at, (int) window.longAt(at));
            }
            continuity.onEnd(at + RECORD_AT);
        }

        /** How much of the file is worth keeping: nothing when no record of the log is in it. */
        long worthKeeping() {
            return holdsRecords ? written : 0;
        }

        /** Returns where to go on. */
        private long onHeader(long at, int header) throws IOException {
            if (header == 0) {
                continuity.onEnd(at + RECORD_AT);
                return search(at);
            }
            written = Math.max(written, at + ChronicleWriter.DOCUMENT_HEADER_BYTES);
            if ((header & NOT_COMPLETE) != 0) {
                continuity.onEnd(at + RECORD_AT);
                return search(at);
            }
            int length = header & LENGTH;
            if (!has(at + ChronicleWriter.DOCUMENT_HEADER_BYTES, length)) {
                return damaged(at, "the length in front of it is wrong");
            }
            return (header & METADATA) != 0 ? following(at, length) : onDocument(at, length);
        }

        private long onDocument(long at, int length) throws IOException {
            int recordLength = length - ChronicleLife.MARK_BYTES;
            if (recordLength < RecordHeader.BYTES || !isMarked(at)) {
                return damaged(at, "it does not begin like a record");
            }
            long offset = at + RECORD_AT;
            if (!isOfLength(offset, recordLength)) {
                return damaged(at, "its length is wrong");
            }
            if (isWhole(offset, recordLength)) {
                onRecord(offset, recordLength);
            } else {
                // Told the same length twice: the next document is where it should be.
                continuity.onDamage(offset, "its checksum is wrong");
            }
            return following(at, length);
        }

        private void onRecord(long offset, int length) throws IOException {
            boolean fits = window.canHold(length);
            int index = fits ? window.indexOf(offset, length) : 0;
            byte[] bytes = fits ? window.bytes() : window.copy(offset, length);
            long position = Position.of(segment.number(), offset);
            long sequence = RecordHeader.sequence(bytes, index);
            long durableSequence = RecordHeader.durableSequence(bytes, index);
            if (continuity.accepts(offset, RecordHeader.epoch(bytes, index), sequence, durableSequence)) {
                holdsRecords = true;
                earlier.durable().onRecord(position, sequence, durableSequence);
                visitor.onRecord(position, bytes, index, length);
            }
        }

        private long damaged(long at, String reason) throws IOException {
            continuity.onDamage(at + RECORD_AT, reason);
            return search(at);
        }

        /**
         * The next document behind {@code at} that is marked as ours and is a valid record; the end when there is none.
         */
        private long search(long at) throws IOException {
            long candidate = at + ChronicleWriter.ALIGNMENT;
            for (; has(candidate, HEADER_AND_MARK); candidate += ChronicleWriter.ALIGNMENT) {
                if (candidate % PAGE_BYTES == 0 && isZeroPage(candidate)) {
                    // No mark is in it; one may begin in its last bytes.
                    candidate += PAGE_BYTES - HEADER_AND_MARK;
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
            int length = (int) window.longAt(at) - ChronicleLife.MARK_BYTES;
            long offset = at + RECORD_AT;
            return length >= RecordHeader.BYTES
                    && has(offset, length)
                    && isOfLength(offset, length)
                    && isWhole(offset, length);
        }

        private boolean isMarked(long at) throws IOException {
            long markAt = at + ChronicleWriter.DOCUMENT_HEADER_BYTES;
            return window.longAt(markAt) == life.markOf(segment.number(), markAt);
        }

        private boolean isOfLength(long offset, int length) throws IOException {
            int index = window.indexOf(offset, RecordHeader.BYTES);
            return RecordHeader.hasMagic(window.bytes(), index)
                    && RecordHeader.bodyLength(window.bytes(), index) == length - RecordHeader.BYTES;
        }

        private boolean isWhole(long offset, int length) throws IOException {
            int expected = RecordHeader.crc(window.bytes(), window.indexOf(offset, RecordHeader.BYTES));
            int checked = length - RecordHeader.CHECKED_FROM;
            if (window.canHold(length)) {
                window.indexOf(offset, length);
            }
            return window.checksum(offset + RecordHeader.CHECKED_FROM, checked) == expected;
        }

        private boolean isZeroPage(long offset) throws IOException {
            if (!has(offset, PAGE_BYTES)) {
                return false;
            }
            for (long at = offset; at < offset + PAGE_BYTES; at += Long.BYTES) {
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
