package dev.avocet.core.journal.chronicle;

import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.Position;
import dev.avocet.core.journal.Segment;
import dev.avocet.core.journal.log.SegmentCycle;
import dev.avocet.core.journal.record.RecordFormat;
import java.io.IOException;
import java.nio.ByteBuffer;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.core.io.BackgroundResourceReleaser;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import net.openhft.chronicle.wire.DocumentContext;

/**
 * The Chronicle queue of one life of the broker, in a directory of its own, and its one appender. Owner: the journal
 * thread; it is closed when that thread has ended.
 *
 * <p>Maps only files that this life began and whose room is reserved. What a crash has left of others is read with
 * ordinary reads: a torn file may send Chronicle anywhere, and a fault in a mapping may end the JVM.
 */
final class ChronicleWriter implements AutoCloseable {
    /** Documents begin at multiples of this. */
    static final int ALIGNMENT = 4;

    /** In front of each document stands its length. */
    static final int DOCUMENT_HEADER_BYTES = RecordFormat.DOCUMENT_HEADER_BYTES;

    /** More than Chronicle puts in front of the first document: its own header and two arrays of the index. */
    private static final int FRONT_BYTES = 6 * 1024;

    /** More than may follow the last document: an array of the index, the mark of the end, cleared bytes behind it. */
    private static final int BACK_BYTES = 3 * 1024;

    /**
     * A record of so many bytes is written into the place that Chronicle has given it by one call of the system.
     * Through the mapping each page of it would fault, and be made read-only again by the next force.
     */
    private static final int WRITTEN_AT_ONCE_BYTES = 16 << 10;

    private final SegmentCycle cycle;
    private final SingleChronicleQueue queue;
    private final ExcerptAppender appender;
    private final ChronicleLife life;
    private final WrittenPages written = new WrittenPages();
    private int segment;
    /** Of the present segment. */
    private long sizeBytes;
    /** Behind the last document of the present segment. */
    private long end;

    private ChronicleWriter(ChronicleLife life, SegmentCycle cycle, SingleChronicleQueue queue) {
        this.life = life;
        this.cycle = cycle;
        this.queue = queue;
        this.appender = queue.createAppender();
        // The thread that opens it may be another than the journal thread, which then owns it.
        appender.singleThreadedCheckDisabled(true);
    }

    /**
     * Opens the queue of a life that has no segments. It has none until {@link #advanceTo}.
     *
     * @param segmentBytes size of the largest segment
     */
    static ChronicleWriter open(ChronicleLife life, int segmentBytes) throws JournalException {
        SegmentCycle cycle = new SegmentCycle();
        try {
            SingleChronicleQueue queue = SingleChronicleQueueBuilder.binary(life.directory())
                    .rollCycle(cycle)
                    .timeProvider(cycle)
                    .epoch(SegmentCycle.EPOCH_MS)
                    .blockSize(blockBytes(segmentBytes))
                    .build();
            return new ChronicleWriter(life, cycle, queue);
        } catch (RuntimeException | InternalError e) {
            throw new JournalException("cannot open a Chronicle queue in " + life.directory() + ": " + e, e);
        }
    }

    /**
     * A document may be a quarter of a block; so that one may be nearly as large as a segment, a block is four
     * segments. That costs addresses, neither memory nor disk. A segment never leaves its first block: one mapping for
     * each file.
     */
    private static long blockBytes(int segmentBytes) {
        return 4L * segmentBytes;
    }

    static int maxRecordBytes(int segmentBytes) {
        return segmentBytes - FRONT_BYTES - ALIGNMENT - (int) Position.streamBytes(0) - BACK_BYTES;
    }

    /** True when a record can be appended to the present segment. */
    boolean hasRoomFor(int length) {
        return end + ALIGNMENT + Position.streamBytes(length) + BACK_BYTES <= sizeBytes;
    }

    /** True until the first record of a segment, with which Chronicle maps its file. */
    boolean isAtFront() {
        return end == FRONT_BYTES;
    }

    /** The next record goes to this segment. Its file is there, is all zeros, and has its room. */
    void advanceTo(Segment next) {
        cycle.advanceTo(next.number());
        segment = next.number();
        sizeBytes = next.sizeBytes();
        end = FRONT_BYTES;
        written.beginAt(end);
    }

    /**
     * Returns the offset of the record in the file of the segment.
     *
     * @param file the same file
     */
    long append(byte[] record, int length, ChronicleSegment file) throws JournalException {
        try (DocumentContext document = appender.writingDocument()) {
            Bytes<?> bytes = document.wire().bytes();
            long start = bytes.writePosition();
            bytes.writeLong(life.markOf(segment, start));
            requireInLine(start);
            if (length < WRITTEN_AT_ONCE_BYTES) {
                bytes.write(record, 0, length);
                written.mapped(length);
            } else {
                bytes.writeSkip(length);
                file.write(ByteBuffer.wrap(record, 0, length), start + ChronicleLife.MARK_BYTES);
                written.mapped(ChronicleJournal.PAGE_BYTES); // in which Chronicle says how long it is
            }
            bytes.writeSkip(RecordFormat.AVJ2.roomOf(length) - ChronicleLife.MARK_BYTES - length);
            end = start + RecordFormat.AVJ2.roomOf(length);
            written.upTo(end, bytes.addressForWrite(start) - start);
            assert end + BACK_BYTES <= sizeBytes : "appended behind the room that is reserved";
            return start + ChronicleLife.MARK_BYTES;
        } catch (JournalException e) {
            throw e;
        } catch (IOException | RuntimeException | InternalError e) {
            // An InternalError is a fault in the mapping: the storage did not give or take a page.
            throw new JournalException("cannot append to " + appender.currentFile() + ": " + e, e);
        }
    }

    /** Positions are known by it: Chronicle puts nothing between documents. */
    private void requireInLine(long start) throws JournalException {
        if (!isAtFront() && start != end + DOCUMENT_HEADER_BYTES) {
            throw new JournalException("Chronicle has put something into " + appender.currentFile() + " at byte " + end
                    + " that is not a record: please report this, and restart the broker");
        }
    }

    /**
     * Waits until the mappings are gone that are not used any more: until then the room of a deleted file is not free.
     */
    static void unmapUnused() {
        BackgroundResourceReleaser.releasePendingResources();
    }

    @Override
    public void close() {
        appender.close();
        queue.close();
        unmapUnused();
    }
}
