package dev.avocet.core.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A journal of Chronicle queues: one queue for each life of the broker, one file for each segment, one document for
 * each record.
 *
 * <p>Chronicle writes, and does nothing else here. Its own {@code sync} loses what lies between two mappings, so files
 * are forced instead; its files fault on a full disk, so each has its room before it is mapped; its readers stop at a
 * hole, so {@link ChronicleScan} reads the files as they are; its lock takes another process of the same number for
 * itself, so every life has a lock of its own.
 *
 * <p>The directory belongs to this process alone: the caller sees to that. On file systems that write what was changed
 * to another place (Btrfs) no room can be reserved, and a full disk may end the process.
 */
public final class ChronicleJournal implements Journal {
    /** So that a segment has room for something besides what Chronicle puts into it. */
    public static final int SEGMENT_MIN_BYTES = 64 * 1024;

    /** So that a record's length fits the bits that Chronicle has for it. */
    public static final int SEGMENT_MAX_BYTES = 1 << 30;

    private static final int PAGE_BYTES = 4096;

    /** Old segments that are read at the same time, more or less. */
    private static final int READ_FILES = 64;

    private static final Logger LOG = LoggerFactory.getLogger(ChronicleJournal.class);

    private final Storage storage;
    private final ChronicleDirectory directory;
    private final int segmentBytes;
    private final NavigableMap<Integer, ChronicleLife> lives = new ConcurrentSkipListMap<>();
    private final NavigableMap<Integer, Segment> segments = new ConcurrentSkipListMap<>();
    private final ChronicleLife life;
    private final ChronicleSpare spare;
    private final ReadFiles readFiles;

    private EarlierLives earlier;

    /** From {@link #begin} on. */
    private volatile @Nullable ChronicleTail tail;

    private ChronicleJournal(Storage storage, Path path, int segmentBytes) throws IOException {
        this.storage = storage;
        this.segmentBytes = segmentBytes;
        directory = new ChronicleDirectory(storage, path);
        directory.create();
        lives.putAll(directory.lives());
        for (ChronicleLife before : lives.values()) {
            segments.putAll(directory.segmentsOf(before));
        }
        life = ChronicleLife.next(directory.path(), segments.isEmpty() ? 1 : segments.lastKey() + 1);
        spare = new ChronicleSpare(directory, life, segmentBytes);
        readFiles = new ReadFiles(storage, READ_FILES);
        earlier = new EarlierLives(storage, segments);
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
        int first = Position.segment(from);
        if (from != Position.BEGINNING && (!segments.containsKey(first) || !ChronicleScan.canBegin(from))) {
            throw new CorruptJournalException(
                    fileOf(first), Position.offset(from), "no record is there, where the log was said to begin");
        }
        earlier = new EarlierLives(storage, segments);
        ChronicleScan scan = new ChronicleScan(from, earlier, visitor, damages);
        for (Segment segment : segments.tailMap(first).values()) {
            scan(scan, segment, segment.number() == first ? Position.offset(from) : 0);
        }
        return scan.result();
    }

    private void scan(ChronicleScan scan, Segment segment, long offset) throws JournalException {
        try (StorageFile file = storage.openForReading(segment.file())) {
            scan.scan(lifeOf(segment), segment, file, offset);
        } catch (IOException e) {
            throw failed("cannot read " + segment.file(), e);
        }
    }

    @Override
    public void begin() throws JournalException {
        requireNotBegun();
        try {
            earlier.settle();
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
        if (length > maxRecordBytes()) {
            throw new IllegalArgumentException(
                    "a record of " + length + " bytes does not fit a segment, which takes " + maxRecordBytes());
        }
        try {
            return begun().append(record, length);
        } catch (IOException e) {
            throw failed("cannot append to the journal in " + directory.path(), e);
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
        Segment segment = segments.get(Position.segment(position));
        if (segment == null) {
            throw new JournalException(
                    "segment " + Position.segment(position) + " of " + directory.path() + " was dropped");
        }
        try {
            int count = readFiles.read(segment, ByteBuffer.wrap(target, offset, length), Position.offset(position));
            if (count < length) {
                throw new JournalException(
                        segment.file() + " ends before byte " + (Position.offset(position) + length));
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
        return Journal.super.sizeBytes() + (spare.isReady() ? segmentBytes : 0);
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
