package dev.avocet.core.journal.chronicle;

import dev.avocet.core.journal.FilePlace;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.Segment;
import dev.avocet.core.journal.disk.Storage;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The end of the log: the segments of this life that are appended to or wait for a force. Appending belongs to the
 * journal thread; {@link #force} may run beside it.
 */
final class ChronicleTail implements AutoCloseable {
    /**
     * How many segments may wait for a force, with open files, before the journal thread does it: no other thread may
     * ask for any.
     */
    private static final int MAX_UNFORCED_SEGMENTS = 4;

    /** A broker that starts waits for the zeros of its first segment; those of the next one are written beside. */
    static final int FIRST_SEGMENT_MAX_BYTES = 16 << 20;

    private final ChronicleWriter writer;
    private final ChronicleSpare spare;
    private final Storage storage;
    private final int segmentBytes;
    private final Map<Integer, Segment> segments;
    private volatile ChronicleSegment current;

    /** The first failure of the storage: after it what is on the disk is not known. */
    private volatile @Nullable IOException failure;

    /** Held while files are forced: a caller that asks for a force must not return before the one that is under way. */
    private final ReentrantLock forcing = new ReentrantLock();

    /** The oldest segment that may hold bytes that were not forced. Moves on under {@link #forcing}. */
    private volatile ChronicleSegment unforced;

    /** @param segments every segment that is begun is put into it */
    ChronicleTail(
            ChronicleLife life, ChronicleSpare spare, Storage storage, int segmentBytes, Map<Integer, Segment> segments)
            throws IOException {
        this.spare = spare;
        this.storage = storage;
        this.segmentBytes = segmentBytes;
        this.segments = segments;
        int firstBytes = Math.min(segmentBytes, FIRST_SEGMENT_MAX_BYTES);
        spare.prepareFirst(firstBytes);
        writer = ChronicleWriter.open(life, segmentBytes);
        current = begin(life.firstSegment(), firstBytes);
        unforced = current;
    }

    /** Returns the {@link FilePlace} of the record. */
    long append(byte[] record, int length) throws IOException {
        requireWhole();
        if (!writer.hasRoomFor(length)) {
            roll();
        }
        try {
            boolean mapsFile = writer.isAtFront();
            long offset = writer.append(record, length, current);
            if (mapsFile) {
                current.restoreLength();
            }
            return FilePlace.of(current.segment().number(), offset);
        } catch (IOException e) {
            // A part of the record may be there.
            failure = e;
            throw e;
        }
    }

    /** Returns when every record whose append returned before the call is durable. */
    void force() throws IOException {
        requireWhole();
        // Those appends ended here; what is begun later is not asked for.
        ChronicleSegment last = current;
        forcing.lock();
        try {
            while (unforced.segment().number() < last.segment().number()) {
                forceOldest();
            }
            if (unforced == last) {
                last.force();
            }
        } catch (IOException e) {
            failure = e;
            throw e;
        } finally {
            forcing.unlock();
        }
    }

    /** Under the lock. The oldest segment is complete: there is a next one. */
    private void forceOldest() throws IOException {
        ChronicleSegment oldest = unforced;
        oldest.force();
        oldest.close();
        unforced = Objects.requireNonNull(oldest.next());
    }

    private void requireWhole() throws JournalException {
        IOException earlier = failure;
        if (earlier != null) {
            throw new JournalException("the journal has failed: restart", earlier);
        }
    }

    /** The next record begins a segment, as though the one before that was dropped. */
    void skip() throws IOException {
        requireWhole();
        roll(current.segment().number() + 2);
    }

    private void roll() throws IOException {
        roll(current.segment().number() + 1);
    }

    private void roll(int number) throws IOException {
        ChronicleSegment next = begin(number, segmentBytes);
        current.followedBy(next);
        current = next;
        if (isTooFarFromForced(next)) {
            forcing.lock();
            try {
                if (isTooFarFromForced(next)) {
                    forceOldest();
                }
            } catch (IOException e) {
                failure = e;
                throw e;
            } finally {
                forcing.unlock();
            }
        }
    }

    private boolean isTooFarFromForced(ChronicleSegment last) {
        return last.segment().number() - unforced.segment().number() > MAX_UNFORCED_SEGMENTS;
    }

    /** Its last step is the one that cannot fail: before it, a segment may be begun again. */
    private ChronicleSegment begin(int number, int sizeBytes) throws IOException {
        Segment segment = new Segment(number, sizeBytes, spare.take(number));
        ChronicleSegment begun = new ChronicleSegment(segment, storage);
        segments.put(number, segment);
        writer.advanceTo(segment);
        return begun;
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
