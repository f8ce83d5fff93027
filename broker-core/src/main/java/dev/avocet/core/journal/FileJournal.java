package dev.avocet.core.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A {@link Journal} in plain files, one for each segment, whose room is on the disk before they are used.
 * {@link SegmentHeader} says how a file is laid out, {@link SpareSegment} how one comes to be, {@link OpenSegments}
 * what a force does.
 *
 * <p>Opening changes nothing on the disk; {@link #begin} does. Nobody else may write to the directory meanwhile: the
 * caller sees to that.
 */
public final class FileJournal implements Journal {
    public static final int DEFAULT_SEGMENT_BYTES = 256 << 20;
    public static final int MIN_SEGMENT_BYTES = 64 << 10;

    private static final Logger LOG = LoggerFactory.getLogger(FileJournal.class);

    /** Old segments that are read at the same time, more or less. */
    private static final int READ_FILES = 64;

    private final SegmentDirectory directory;
    private final NavigableMap<Integer, Segment> segments;
    private final int segmentBytes;
    private final SpareSegment spare;
    private final OpenSegments open;
    private final ReadFiles readFiles;
    private final ByteBuffer chunk = OpenSegment.newChunk();
    private EarlierLives earlier;

    private volatile @Nullable IOException failure;

    private FileJournal(SegmentDirectory directory, int segmentBytes) throws IOException {
        this.directory = directory;
        this.segmentBytes = segmentBytes;
        segments = new ConcurrentSkipListMap<>(directory.segments());
        spare = new SpareSegment(directory, segmentBytes);
        open = new OpenSegments(directory);
        readFiles = new ReadFiles(directory.storage(), READ_FILES);
        earlier = new EarlierLives(directory.storage(), segments);
    }

    /**
     * Opens what there is; nothing yet in a directory that is new.
     *
     * @param segmentBytes size of segments to come, a multiple of 8, at least {@link #MIN_SEGMENT_BYTES}
     */
    public static FileJournal open(Storage storage, Path directory, int segmentBytes) throws JournalException {
        if (segmentBytes < MIN_SEGMENT_BYTES || segmentBytes % SegmentHeader.ALIGNMENT != 0) {
            throw new IllegalArgumentException("no size of a segment: " + segmentBytes);
        }
        try {
            return new FileJournal(new SegmentDirectory(storage, directory), segmentBytes);
        } catch (IOException e) {
            throw failed("cannot list " + directory, e);
        }
    }

    @Override
    public ScanResult scan(long from, RecordVisitor visitor) throws JournalException {
        return scan(from, visitor, DamageVisitor.REFUSE);
    }

    @Override
    public ScanResult scan(long from, RecordVisitor visitor, DamageVisitor damages) throws JournalException {
        requireNotBegun();
        int first = Math.max(Position.segment(from), 1);
        if (from != Position.BEGINNING && !segments.containsKey(first)) {
            throw new CorruptJournalException(directory.segmentFile(first), 0, "the segment is missing");
        }
        long offset = from == Position.BEGINNING ? SegmentHeader.FIRST_RECORD : Position.offset(from);
        if (offset < SegmentHeader.FIRST_RECORD || offset % SegmentHeader.ALIGNMENT != 0) {
            throw new CorruptJournalException(directory.segmentFile(first), offset, "no record can begin here");
        }
        EarlierLives scanned = new EarlierLives(directory.storage(), segments);
        LogContinuity continuity = new LogContinuity(from, damages);
        for (Segment segment : segments.tailMap(first).values()) {
            continuity.onSegment(segment.number(), segment.file());
            long start = segment.number() == first ? offset : SegmentHeader.FIRST_RECORD;
            scan(segment, start, continuity, scanned, visitor, damages);
        }
        // Only now: nothing may be cut off after a scan that has stopped, or has gone on behind damage.
        if (damages == DamageVisitor.REFUSE) {
            earlier = scanned;
        }
        return continuity.result();
    }

    @Override
    public void begin() throws JournalException {
        requireNotBegun();
        try {
            directory.create();
            earlier.settle();
            spare.adopt();
            spare.prepare(lastNumber() + 1); // nobody is in a hurry yet
            startSegment(lastNumber() + 1);
            open.force();
        } catch (DiskFullException e) {
            throw full(e);
        } catch (IOException e) {
            throw failed("cannot begin a segment in " + directory.path(), e);
        }
    }

    @Override
    public long append(byte[] record, int length) throws JournalException {
        requireWhole();
        if (length > maxRecordBytes()) {
            throw new IllegalArgumentException("a record of " + length + " bytes is larger than " + maxRecordBytes());
        }
        try {
            return segmentFor(length).append(record, length, chunk);
        } catch (DiskFullException e) {
            throw full(e);
        } catch (IOException e) {
            failure = e;
            throw failed("cannot append to " + directory.path(), e);
        }
    }

    @Override
    public void force() throws JournalException {
        requireWhole();
        try {
            open.force();
        } catch (IOException e) {
            failure = e;
            throw failed("cannot make durable what was written to " + directory.path(), e);
        }
    }

    @Override
    public void read(long position, byte[] target, int offset, int length) throws JournalException {
        int number = Position.segment(position);
        Segment segment = segmentToRead(number);
        try {
            int count = readFiles.read(segment, ByteBuffer.wrap(target, offset, length), Position.offset(position));
            if (count < length) {
                throw new JournalException(
                        segment.file() + " ends before byte " + (Position.offset(position) + length));
            }
        } catch (JournalException e) {
            throw e;
        } catch (IOException e) {
            segmentToRead(number);
            throw failed("cannot read " + segment.file(), e);
        }
        // Dropped meanwhile, its file may have become another segment: what was read is worth nothing then.
        segmentToRead(number);
    }

    @Override
    public int maxRecordBytes() {
        return OpenSegment.maxRecordBytes(segmentBytes);
    }

    @Override
    public List<Segment> segments() {
        return List.copyOf(segments.values());
    }

    @Override
    public void drop(int number) throws JournalException {
        if (number == lastNumber()) {
            throw new IllegalArgumentException("segment " + number + " is the last one");
        }
        Segment dropped = segments.remove(number);
        if (dropped == null) {
            return;
        }
        try {
            readFiles.forget(number);
            open.forget(number);
            spare.recycle(dropped, lastNumber() + 1);
        } catch (IOException e) {
            throw failed("cannot remove " + dropped.file() + ", which is not needed any more", e);
        }
    }

    @Override
    public boolean prepareSpare() throws JournalException {
        try {
            spare.prepare(lastNumber() + 1);
            return true;
        } catch (DiskFullException e) {
            return false;
        } catch (IOException e) {
            throw failed("cannot prepare a segment in " + directory.path(), e);
        }
    }

    @Override
    public void hurry() {
        spare.hurry();
    }

    @Override
    public boolean hasSpare() {
        return spare.isReady();
    }

    @Override
    public long sizeBytes() {
        return Journal.super.sizeBytes() + (hasSpare() ? segmentBytes : 0);
    }

    @Override
    public void close() {
        failure = new IOException("it is closed");
        close(readFiles::close);
        close(open::close);
        close(spare::close);
    }

    /** A failure to close changes nothing: what must be durable was forced. */
    private static void close(Closing files) {
        try {
            files.close();
        } catch (IOException e) {
            LOG.warn("A file of the journal could not be closed", e);
        }
    }

    private void scan(
            Segment segment,
            long start,
            LogContinuity continuity,
            EarlierLives scanned,
            RecordVisitor visitor,
            DamageVisitor damages)
            throws JournalException {
        try (StorageFile file = directory.storage().openForReading(segment.file())) {
            if (!SegmentScan.hasHeader(segment, file)) {
                damages.onDamage(
                        Position.of(segment.number(), 0),
                        new CorruptJournalException(
                                segment.file(), 0, "it has no header of a segment that this version reads"));
                return;
            }
            SegmentScan scan = new SegmentScan(segment, file, continuity, scanned.durable(), visitor);
            scan.run(start);
            if (scan.isClean() ? segment.number() == lastNumber() : scan.isEmpty()) {
                scanned.endsAt(segment.number(), scan.end());
            }
        } catch (JournalException e) {
            throw e;
        } catch (IOException e) {
            throw failed("cannot read " + segment.file(), e);
        }
    }

    private OpenSegment segmentFor(int length) throws IOException {
        OpenSegment current = open.current();
        if (current == null) {
            throw new IllegalStateException("the journal was not begun");
        }
        return current.fits(length) ? current : startSegment(current.number() + 1);
    }

    private OpenSegment startSegment(int number) throws IOException {
        OpenSegment next = spare.take(number);
        segments.put(number, next.segment());
        open.begin(next);
        return next;
    }

    private int lastNumber() {
        Map.Entry<Integer, Segment> last = segments.lastEntry();
        return last == null ? 0 : last.getKey();
    }

    private Segment segmentToRead(int number) throws JournalException {
        Segment segment = segments.get(number);
        if (segment == null) {
            throw new JournalException("segment " + number + " of " + directory.path() + " was dropped");
        }
        return segment;
    }

    private void requireNotBegun() {
        if (open.current() != null) {
            throw new IllegalStateException("the journal was begun");
        }
    }

    private void requireWhole() throws JournalException {
        IOException earlier = failure;
        if (earlier != null) {
            throw new JournalException("the journal in " + directory.path() + " has failed: restart", earlier);
        }
    }

    private JournalFullException full(DiskFullException cause) {
        JournalFullException full = new JournalFullException(
                "the disk of " + directory.path() + " has no room for another segment: make room");
        full.initCause(cause);
        return full;
    }

    private static JournalException failed(String what, IOException cause) {
        return new JournalException(what + ": " + cause.getMessage(), cause);
    }

    @FunctionalInterface
    private interface Closing {
        void close() throws IOException;
    }
}
