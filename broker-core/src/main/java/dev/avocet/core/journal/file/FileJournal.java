package dev.avocet.core.journal.file;

import dev.avocet.core.journal.CopyJournal;
import dev.avocet.core.journal.CorruptJournalException;
import dev.avocet.core.journal.DamageVisitor;
import dev.avocet.core.journal.DiskFullException;
import dev.avocet.core.journal.FilePlace;
import dev.avocet.core.journal.FormerStoreException;
import dev.avocet.core.journal.Journal;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.JournalFullException;
import dev.avocet.core.journal.Position;
import dev.avocet.core.journal.RecordVisitor;
import dev.avocet.core.journal.ScanResult;
import dev.avocet.core.journal.Segment;
import dev.avocet.core.journal.SegmentMap;
import dev.avocet.core.journal.StoreIdentity;
import dev.avocet.core.journal.disk.Storage;
import dev.avocet.core.journal.disk.StorageFile;
import dev.avocet.core.journal.log.AppendPoint;
import dev.avocet.core.journal.log.CutMark;
import dev.avocet.core.journal.log.EarlierLives;
import dev.avocet.core.journal.log.FirstRecord;
import dev.avocet.core.journal.log.LogScan;
import dev.avocet.core.journal.log.ReadFiles;
import dev.avocet.core.journal.record.RecordFormat;
import dev.avocet.core.journal.record.RecordTail;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A {@link Journal} in plain files, one for each segment, whose room is on the disk before they are used.
 * {@link SegmentHeader} says how a file is laid out, {@link SpareSegment} how one comes to be, {@link OpenSegments}
 * what a force does.
 *
 * <p>Opening changes nothing on the disk; {@link #begin} does. No other process may write to the directory meanwhile:
 * the caller sees to that.
 */
public final class FileJournal implements CopyJournal {
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
    private final StoreIdentity identity = new StoreIdentity();
    private final AtomicReference<SegmentMap> map = new AtomicReference<>(SegmentMap.EMPTY);
    private final AppendPoint point = new AppendPoint();
    private EarlierLives earlier;
    /** Before the begin: what the segments hold, also those that are not part of the log any more. */
    private SegmentMap located = SegmentMap.EMPTY;

    private boolean scanned;

    private volatile @Nullable IOException failure;

    private FileJournal(SegmentDirectory directory, int segmentBytes) throws IOException {
        this.directory = directory;
        this.segmentBytes = segmentBytes;
        new CutMark(directory.storage(), directory.path()).finish();
        segments = new ConcurrentSkipListMap<>(directory.segments());
        spare = new SpareSegment(directory, segmentBytes, identity::id);
        open = new OpenSegments(directory);
        readFiles = new ReadFiles(directory.storage(), READ_FILES);
        earlier = new EarlierLives(directory.storage(), segments);
        locateAll();
        scanned = segments.isEmpty();
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
        } catch (JournalException e) {
            throw e;
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
        long place = placeToScanFrom(from);
        int first = FilePlace.segment(place);
        EarlierLives lives = new EarlierLives(directory.storage(), segments);
        LogScan scan = new LogScan(from, RecordFormat.AVJ2, located, lives.durable(), visitor, damages);
        for (Segment segment : segments.tailMap(first).values()) {
            scan.onSegment(segment);
            long start = segment.number() == first ? FilePlace.offset(place) : SegmentHeader.FIRST_RECORD;
            scan(segment, start, scan, lives, damages);
        }
        // Only now: nothing may be cut off after a scan that has stopped, or has gone on behind damage.
        if (damages == DamageVisitor.REFUSE) {
            earlier = lives;
            map.updateAndGet(scan::withoutEmpty);
            point.at(scan.end());
            scanned = true;
        }
        return scan.result();
    }

    private long placeToScanFrom(long from) throws JournalException {
        if (from == Position.BEGINNING) {
            return FilePlace.of(1, SegmentHeader.FIRST_RECORD);
        }
        long place = map.get().placeOf(from);
        if (place == 0 || from % Position.ALIGNMENT != 0) {
            throw new CorruptJournalException(
                    directory.path(), 0, "no record lies at position " + from + ", where the log was said to begin");
        }
        return place;
    }

    private void locateAll() throws IOException {
        located = SegmentMap.EMPTY;
        for (Segment segment : segments.values()) {
            locate(segment);
        }
        map.set(located.withoutOverruled());
    }

    /** Finds out which positions a segment holds. */
    private void locate(Segment segment) throws IOException {
        try (StorageFile file = directory.storage().openForReading(segment.file())) {
            SegmentHeader header = SegmentHeader.read(file, segment.number());
            if (header == null) {
                return; // a scan says what that means
            }
            if (header.version() == SegmentHeader.FORMER_VERSION) {
                throw new FormerStoreException(segment.file());
            }
            if (header.version() != SegmentHeader.VERSION) {
                throw new JournalException(
                        segment.file() + " is of version " + header.version()
                                + " of the format, written by a later broker: use that one, or a later one. Nothing was changed");
            }
            identity.onPart(segment.file(), header.storeId());
            FirstRecord found = new FirstRecord(segment.number(), RecordFormat.AVJ2);
            new SegmentScan(RecordFormat.AVJ2, header, file, found).run(SegmentHeader.FIRST_RECORD);
            located = found.addTo(located, segment.sizeBytes());
        }
    }

    @Override
    public void begin(int epoch) throws JournalException {
        requireScanned();
        point.requireNewer(epoch);
        if (open.current() == null) {
            start();
        }
        point.lead(epoch);
    }

    @Override
    public void follow() throws JournalException {
        requireNotBegun();
        requireScanned();
        start();
    }

    private void start() throws JournalException {
        try {
            directory.create();
            earlier.settle();
            point.beginLife();
            spare.adopt();
            spare.prepare(lastNumber() + 1); // no thread is in a hurry yet
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
        requireFits(length);
        point.accept(record);
        return write(record, length);
    }

    @Override
    public long appendCopy(byte[] record, int length, long durableSequence) throws JournalException {
        requireFits(length);
        point.acceptCopy(record, length, durableSequence);
        return write(record, length);
    }

    @Override
    public void skipTo(long position, long sequence) throws JournalException {
        requireWhole();
        OpenSegment current = open.current();
        if (current == null) {
            throw new IllegalStateException("the journal was not begun");
        }
        point.skipTo(position, sequence);
        try {
            startSegment(current.number() + 2); // as though the one between was dropped
        } catch (DiskFullException e) {
            throw full(e);
        } catch (IOException e) {
            failure = e;
            throw failed("cannot begin a segment in " + directory.path(), e);
        }
    }

    private void requireFits(int length) throws JournalException {
        requireWhole();
        if (length > maxRecordBytes()) {
            throw new IllegalArgumentException("a record of " + length + " bytes is larger than " + maxRecordBytes());
        }
    }

    private long write(byte[] record, int length) throws JournalException {
        try {
            long position = point.position();
            segmentFor(length).append(record, length, chunk);
            point.appended(record, length);
            return position;
        } catch (DiskFullException e) {
            throw full(e);
        } catch (IOException e) {
            failure = e;
            throw failed("cannot append to " + directory.path(), e);
        }
    }

    @Override
    public long end() {
        return point.position();
    }

    @Override
    public SegmentMap map() {
        return map.get();
    }

    @Override
    public UUID storeId() {
        return identity.id();
    }

    @Override
    public void adopt(UUID storeId) throws JournalException {
        requireNotBegun();
        identity.adopt(storeId);
    }

    @Override
    public void cutBack(long position) throws JournalException {
        requireNotBegun();
        requireScanned();
        if (position == end()) {
            return;
        }
        long place = RecordTail.requireRecord(this, position);
        try {
            Path file = directory.segmentFile(FilePlace.segment(place));
            boolean isFirst = FilePlace.offset(place) == SegmentHeader.FIRST_RECORD;
            List<Path> later = segments.tailMap(FilePlace.segment(place), isFirst).values().stream()
                    .map(Segment::file)
                    .toList();
            new CutMark(directory.storage(), directory.path())
                    .cut(file, isFirst ? 0 : FilePlace.offset(place) - SegmentHeader.MARK_BYTES, later);
            readFiles.close();
            segments.clear();
            segments.putAll(directory.segments());
            locateAll();
            scanned = false;
        } catch (IOException e) {
            throw failed("cannot cut the journal in " + directory.path() + " back to position " + position, e);
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
        long place = map.get().placeOf(position);
        int number = FilePlace.segment(place);
        long at = FilePlace.offset(place);
        Segment segment = segmentToRead(number, position);
        try {
            int count = readFiles.read(segment, ByteBuffer.wrap(target, offset, length), at);
            if (count < length) {
                throw new JournalException(segment.file() + " ends before byte " + (at + length));
            }
        } catch (JournalException e) {
            throw e;
        } catch (IOException e) {
            segmentToRead(number, position);
            throw failed("cannot read " + segment.file(), e);
        }
        // Dropped meanwhile, its file may have become another segment: what was read is worth nothing then.
        segmentToRead(number, position);
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
        map.updateAndGet(known -> known.without(number));
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
        return CopyJournal.super.sizeBytes() + (hasSpare() ? segmentBytes : 0);
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

    private void scan(Segment segment, long start, LogScan scan, EarlierLives lives, DamageVisitor damages)
            throws JournalException {
        try (StorageFile file = directory.storage().openForReading(segment.file())) {
            SegmentHeader header = SegmentHeader.read(file, segment.number());
            if (header == null) {
                damages.onDamage(
                        located.positionAt(segment.number(), 0),
                        new CorruptJournalException(segment.file(), 0, "it has no header of a segment"));
                return;
            }
            SegmentScan its = new SegmentScan(RecordFormat.AVJ2, header, file, scan);
            its.run(start);
            boolean isLast = !segments.containsKey(segment.number() + 1);
            if (its.isClean() ? isLast : its.isEmpty()) {
                lives.endsAt(segment.number(), its.end());
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
        map.updateAndGet(known -> known.with(
                number,
                point.position(),
                SegmentHeader.FIRST_RECORD,
                next.segment().sizeBytes()));
        open.begin(next);
        return next;
    }

    private int lastNumber() {
        Map.Entry<Integer, Segment> last = segments.lastEntry();
        return last == null ? 0 : last.getKey();
    }

    private Segment segmentToRead(int number, long position) throws JournalException {
        Segment segment = segments.get(number);
        if (segment == null) {
            throw new JournalException(
                    "the segment that held position " + position + " was dropped from " + directory.path());
        }
        return segment;
    }

    private void requireNotBegun() {
        if (open.current() != null) {
            throw new IllegalStateException("the journal was begun");
        }
    }

    private void requireScanned() {
        if (!scanned) {
            throw new IllegalStateException("the journal was not scanned to its end");
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
