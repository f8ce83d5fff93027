package dev.avocet.core.journal.chronicle;

import dev.avocet.core.journal.CopyJournal;
import dev.avocet.core.journal.CorruptJournalException;
import dev.avocet.core.journal.DamageVisitor;
import dev.avocet.core.journal.DiskFullException;
import dev.avocet.core.journal.FilePlace;
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
import java.util.NavigableMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A journal of Chronicle queues: one queue for each life of the broker, one file for each segment, one document for
 * each record.
 *
 * <p>Chronicle writes, and does nothing else here; of a large record it writes where it begins and how long it is. Its
 * own {@code sync} loses what lies between two mappings, so files are forced instead; its files fault on a full disk,
 * so each has its room before it is mapped; its readers stop at a hole, so {@link ChronicleScan} reads the files as
 * they are; its lock takes another process of the same number for itself, so every life has a lock of its own.
 *
 * <p>The directory belongs to this process alone: the caller sees to that. On file systems that write what was changed
 * to another place (Btrfs) no room can be reserved, and a full disk may end the process.
 */
public final class ChronicleJournal implements CopyJournal {
    /** So that a segment has room for something besides what Chronicle puts into it. */
    public static final int SEGMENT_MIN_BYTES = 64 * 1024;

    /** So that a record's length fits the bits that Chronicle has for it. */
    public static final int SEGMENT_MAX_BYTES = 1 << 30;

    static final int PAGE_BYTES = 4096;

    /** Old segments that are read at the same time, more or less. */
    private static final int READ_FILES = 64;

    private static final Logger LOG = LoggerFactory.getLogger(ChronicleJournal.class);

    private final Storage storage;
    private final ChronicleDirectory directory;
    private final int segmentBytes;
    private final NavigableMap<Integer, ChronicleLife> lives = new ConcurrentSkipListMap<>();
    private final NavigableMap<Integer, Segment> segments = new ConcurrentSkipListMap<>();
    private final ReadFiles readFiles;
    private final StoreIdentity identity = new StoreIdentity();
    private final AtomicReference<SegmentMap> map = new AtomicReference<>(SegmentMap.EMPTY);
    private final AppendPoint point = new AppendPoint();

    private ChronicleLife life;
    private volatile ChronicleSpare spare;
    private EarlierLives earlier;
    /** Before the begin: what the segments hold, also those that are not part of the log any more. */
    private SegmentMap located = SegmentMap.EMPTY;

    private boolean scanned;
    /** In which the last record lies. */
    private int lastWritten;

    /** From {@link #begin} on. */
    private volatile @Nullable ChronicleTail tail;

    private ChronicleJournal(Storage storage, Path path, int segmentBytes) throws IOException {
        this.storage = storage;
        this.segmentBytes = segmentBytes;
        directory = new ChronicleDirectory(storage, path);
        directory.create();
        readFiles = new ReadFiles(storage, READ_FILES);
        earlier = new EarlierLives(storage, segments);
        new CutMark(storage, directory.path()).finish();
        list();
        scanned = segments.isEmpty();
        life = nextLife();
        spare = new ChronicleSpare(directory, life, segmentBytes);
    }

    /** Finds what is there, and which positions the segments hold. */
    private void list() throws IOException {
        lives.clear();
        segments.clear();
        lives.putAll(directory.lives(identity));
        for (ChronicleLife before : lives.values()) {
            segments.putAll(directory.segmentsOf(before));
        }
        located = SegmentMap.EMPTY;
        for (Segment segment : segments.values()) {
            FirstRecord found = new FirstRecord(segment.number(), RecordFormat.AVJ2);
            try (StorageFile file = storage.openForReading(segment.file())) {
                new ChronicleScan(RecordFormat.AVJ2, found).scan(lifeOf(segment), segment, file, 0);
            }
            located = found.addTo(located, segment.sizeBytes());
        }
        map.set(located.withoutOverruled());
    }

    private ChronicleLife nextLife() {
        return ChronicleLife.next(directory.path(), segments.isEmpty() ? 1 : segments.lastKey() + 1, identity.id());
    }

    /**
     * Opens a journal, or creates it.
     *
     * @param path its directory
     * @param segmentBytes size of a segment, a multiple of 4096
     */
    public static ChronicleJournal open(Storage storage, Path path, int segmentBytes) throws JournalException {
        if (segmentBytes < SEGMENT_MIN_BYTES || segmentBytes > SEGMENT_MAX_BYTES || segmentBytes % PAGE_BYTES != 0) {
            throw new IllegalArgumentException("a segment cannot have " + segmentBytes + " bytes");
        }
        ChronicleFlags.check();
        ChronicleFlags.silence();
        try {
            return new ChronicleJournal(storage, path, segmentBytes);
        } catch (IOException e) {
            throw failed("cannot open the journal in " + path, e);
        }
    }

    @Override
    public ScanResult scan(long from, RecordVisitor visitor) throws JournalException {
        return scan(from, visitor, DamageVisitor.REFUSE);
    }

    @Override
    public ScanResult scan(long from, RecordVisitor visitor, DamageVisitor damages) throws JournalException {
        requireNotBegun();
        long place = from == Position.BEGINNING ? 0 : map.get().placeOf(from);
        int first = FilePlace.segment(place);
        if (from != Position.BEGINNING && (place == 0 || !ChronicleScan.canBegin(FilePlace.offset(place)))) {
            throw new CorruptJournalException(
                    fileOf(first), FilePlace.offset(place), "no record is there, where the log was said to begin");
        }
        EarlierLives found = new EarlierLives(storage, segments);
        LogScan scan = new LogScan(from, RecordFormat.AVJ2, located, found.durable(), visitor, damages);
        for (Segment segment : segments.tailMap(first).values()) {
            scan.onSegment(segment);
            scan(scan, segment, segment.number() == first ? FilePlace.offset(place) : 0, found);
        }
        earlier = found;
        if (damages == DamageVisitor.REFUSE) {
            map.updateAndGet(scan::withoutEmpty);
            point.at(scan.end());
            scanned = true;
        }
        return scan.result();
    }

    private void scan(LogScan scan, Segment segment, long offset, EarlierLives found) throws JournalException {
        try (StorageFile file = storage.openForReading(segment.file())) {
            long kept = new ChronicleScan(RecordFormat.AVJ2, scan).scan(lifeOf(segment), segment, file, offset);
            found.endsAt(segment.number(), kept);
        } catch (IOException e) {
            throw failed("cannot read " + segment.file(), e);
        }
    }

    @Override
    public void begin(int epoch) throws JournalException {
        requireScanned();
        point.requireNewer(epoch);
        if (tail == null) {
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
            earlier.settle();
            point.beginLife();
            forceNames();
            lives.put(life.firstSegment(), life);
            tail = new ChronicleTail(life, spare, storage, segmentBytes, segments);
        } catch (IOException e) {
            throw failed("cannot begin a segment in " + directory.path(), e);
        }
    }

    /** The names of what is there, which may have been seen without being durable. */
    private void forceNames() throws IOException {
        for (ChronicleLife before : lives.values()) {
            storage.forceDirectory(before.directory());
        }
        storage.forceDirectory(directory.path());
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
        point.skipTo(position, sequence);
        try {
            begun().skip();
        } catch (IOException e) {
            throw failed("cannot begin a segment in " + directory.path(), e);
        }
    }

    private void requireFits(int length) {
        if (length > maxRecordBytes()) {
            throw new IllegalArgumentException(
                    "a record of " + length + " bytes does not fit a segment, which takes " + maxRecordBytes());
        }
    }

    private long write(byte[] record, int length) throws JournalException {
        try {
            long position = point.position();
            long place = begun().append(record, length);
            int number = FilePlace.segment(place);
            if (number != lastWritten) {
                long sizeBytes = segments.get(number).sizeBytes();
                map.updateAndGet(known -> known.with(number, position, FilePlace.offset(place), sizeBytes));
                lastWritten = number;
            }
            point.appended(record, length);
            return position;
        } catch (IOException e) {
            throw failed("cannot append to the journal in " + directory.path(), e);
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
        renew();
    }

    /** What is to come has another name, or another number. */
    private void renew() {
        life = nextLife();
        spare = new ChronicleSpare(directory, life, segmentBytes);
    }

    @Override
    public void cutBack(long position) throws JournalException {
        requireNotBegun();
        requireScanned();
        if (position == end()) {
            return;
        }
        long place = RecordTail.requireRecord(this, position);
        int number = FilePlace.segment(place);
        try {
            boolean isFirst = position == map.get().firstOf(number);
            List<Path> later = segments.tailMap(number, isFirst).values().stream()
                    .map(Segment::file)
                    .toList();
            long left = isFirst ? 0 : FilePlace.offset(place) - ChronicleScan.RECORD_AT;
            readFiles.close();
            new CutMark(storage, directory.path()).cut(fileOf(number), left, later);
            list();
            renew();
            scanned = false;
        } catch (IOException e) {
            throw failed("cannot cut the journal in " + directory.path() + " back to position " + position, e);
        }
    }

    @Override
    public void force() throws JournalException {
        try {
            begun().force();
        } catch (IOException e) {
            throw failed("cannot force the journal in " + directory.path(), e);
        }
    }

    @Override
    public void read(long position, byte[] target, int offset, int length) throws JournalException {
        long place = map.get().placeOf(position);
        Segment segment = segments.get(FilePlace.segment(place));
        if (segment == null) {
            throw new JournalException(
                    "the segment that held position " + position + " was dropped from " + directory.path());
        }
        try {
            long at = FilePlace.offset(place);
            int count = readFiles.read(segment, ByteBuffer.wrap(target, offset, length), at);
            if (count < length) {
                throw new JournalException(segment.file() + " ends before byte " + (at + length));
            }
            if (!segments.containsKey(segment.number())) {
                // Dropped meanwhile: the file is not to stay open.
                readFiles.forget(segment.number());
            }
        } catch (IOException e) {
            throw failed("cannot read " + segment.file(), e);
        }
    }

    @Override
    public int maxRecordBytes() {
        return ChronicleWriter.maxRecordBytes(segmentBytes);
    }

    @Override
    public List<Segment> segments() {
        return List.copyOf(segments.values());
    }

    @Override
    public void drop(int number) throws JournalException {
        Segment segment = segments.get(number);
        if (segment == null || number == segments.lastKey()) {
            throw new IllegalArgumentException("segment " + number + " cannot be dropped");
        }
        try {
            segments.remove(number);
            map.updateAndGet(known -> known.without(number));
            readFiles.forget(number);
            ChronicleWriter.unmapUnused();
            storage.delete(segment.file());
            removeIfOver(lifeOf(segment));
        } catch (IOException e) {
            throw failed("cannot remove " + segment.file(), e);
        }
    }

    private void removeIfOver(ChronicleLife before) throws IOException {
        if (!before.equals(life) && directory.removeIfOver(before)) {
            lives.remove(before.firstSegment());
        }
    }

    @Override
    public boolean prepareSpare() throws JournalException {
        try {
            spare.prepare();
            return true;
        } catch (DiskFullException e) {
            return false;
        } catch (IOException e) {
            throw failed("cannot reserve room for a segment in " + directory.path(), e);
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
        return CopyJournal.super.sizeBytes() + (spare.isReady() ? segmentBytes : 0);
    }

    @Override
    public void close() {
        try {
            ChronicleTail last = tail;
            if (last != null) {
                last.close();
            }
            readFiles.close();
        } catch (IOException e) {
            // It changes nothing: what must be durable was forced.
            LOG.warn("A file of the journal could not be closed", e);
        }
    }

    private Path fileOf(int number) {
        Segment segment = segments.get(number);
        return segment == null ? directory.path() : segment.file();
    }

    private ChronicleLife lifeOf(Segment segment) {
        return lives.floorEntry(segment.number()).getValue();
    }

    private ChronicleTail begun() {
        ChronicleTail begun = tail;
        if (begun == null) {
            throw new IllegalStateException("the journal has not begun");
        }
        return begun;
    }

    private void requireScanned() {
        if (!scanned) {
            throw new IllegalStateException("the journal was not scanned to its end");
        }
    }

    private void requireNotBegun() {
        if (tail != null) {
            throw new IllegalStateException("the journal has begun already");
        }
    }

    private static JournalException failed(String what, IOException cause) {
        if (cause instanceof JournalException known) {
            return known;
        }
        if (cause instanceof DiskFullException) {
            JournalFullException full = new JournalFullException(what + ", the disk has no room for it: make room");
            full.initCause(cause);
            return full;
        }
        return new JournalException(what + ": " + cause.getMessage(), cause);
    }
}
