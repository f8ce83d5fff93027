package dev.avocet.core.journal;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The end of the log: the segments of this life that are appended to or wait for a force. Appending belongs to the journal thread;
 * {@link #force} may run beside it.
 */
final class ChronicleTail implements AutoCloseable {
    /** How many segments may wait for a force, with open files, before the journal thread does it: nobody else may ask for any. */
    private static final int MAX_UNFORCED_SEGMENTS = 4;

    private final ChronicleWriter writer;
    private final ChronicleSpare spare;
    private final Storage storage;
    private final int segmentBytes;
    private final Map<Integer, Segment> segments;
    private ChronicleSegment current;

    /** The first failure of the storage: after it nobody knows what is on the disk. */
    private volatile @Nullable IOException failure;

    /** Held while files are forced: whoever asks for a force must not return before the one that is under way. */
    private final ReentrantLock forcing = new ReentrantLock();

    /** The oldest segment that may hold bytes that were not forced. Guarded by {@link #forcing}. */
    private ChronicleSegment unforced;

    /** @param segments every segment that is begun is put into it */
    ChronicleTail(ChronicleLife life, ChronicleSpare spare, Storage storage, int segmentBytes, Map<Integer, Segment> segments)
            throws IOException {
        this.spare = spare;
        this.storage = storage;
        this.segmentBytes = segmentBytes;
        this.segments = segments;
        spare.prepare();
        writer = ChronicleWriter.open(life, segmentBytes);
        current = begin(life.firstSegment());
        unforced = current;
    }

    /** Returns the position of the record. */
    long append(byte[] record, int length) throws IOException {
        requireWhole();
        if (!writer.hasRoomFor(length)) {
            roll();
        }
        try {
            boolean mapsFile = writer.isAtFront();
            long offset = writer.append(record, length);
            if (mapsFile) {
                current.restoreLength();
            }
            return Position.of(current.segment().number(), offset);
        } catch (IOException e) {
            // A part of the record may be there.
            failure = e;
            throw e;
        }
    }

    /** Returns when every record whose append returned before the call is durable. */
    void force() throws IOException {
        requireWhole();
        forcing.lock();
        try {
            forceAll();
        } catch (IOException e) {
            failure = e;
            throw e;
        } finally {
            forcing.unlock();
        }
    }

    private void forceAll() throws IOException {
        ChronicleSegment segment = unforced;
        // A segment without a next one when we look is where those appends ended.
        for (ChronicleSegment next = segment.next(); next != null; next = segment.next()) {
            segment.force();
            segment.close();
            segment = next;
            unforced = next;
        }
        segment.force();
    }

    private void requireWhole() throws JournalException {
        IOException earlier = failure;
        if (earlier != null) {
            throw new JournalException("the journal has failed: restart", earlier);
        }
    }

    private void roll() throws IOException {
        ChronicleSegment next = begin(current.segment().number() + 1);
        current.followedBy(next);
        current = next;
        if (unforcedSegments() > MAX_UNFORCED_SEGMENTS) {
            force();
        }
    }

    /** Its last step is the one that cannot fail: before it, a segment may be begun again. */
    private ChronicleSegment begin(int number) throws IOException {
        Segment segment = new Segment(number, segmentBytes, spare.take(number));
        ChronicleSegment begun = new ChronicleSegment(segment, storage);
        segments.put(number, segment);
        writer.advanceTo(number);
        return begun;
    }

    private int unforcedSegments() {
        forcing.lock();
        try {
            return current.segment().number() - unforced.segment().number();
        } finally {
            forcing.unlock();
        }
    }

    @Override
    public void close() throws IOException {
        writer.close();
        forcing.lock();
        try {
            for (ChronicleSegment segment = unforced; segment != null; segment = segment.next()) {
                segment.close();
            }
        } finally {
            forcing.unlock();
        }
    }
}
