package dev.avocet.core.journal.former;

import dev.avocet.core.journal.CorruptJournalException;
import dev.avocet.core.journal.DamageVisitor;
import dev.avocet.core.journal.FilePlace;
import dev.avocet.core.journal.Journal;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.Position;
import dev.avocet.core.journal.RecordVisitor;
import dev.avocet.core.journal.ScanResult;
import dev.avocet.core.journal.Segment;
import dev.avocet.core.journal.SegmentMap;
import dev.avocet.core.journal.chronicle.ChronicleDirectory;
import dev.avocet.core.journal.chronicle.ChronicleLife;
import dev.avocet.core.journal.chronicle.ChronicleScan;
import dev.avocet.core.journal.disk.Storage;
import dev.avocet.core.journal.disk.StorageFile;
import dev.avocet.core.journal.file.SegmentDirectory;
import dev.avocet.core.journal.file.SegmentHeader;
import dev.avocet.core.journal.file.SegmentScan;
import dev.avocet.core.journal.log.DurableMark;
import dev.avocet.core.journal.log.LogScan;
import dev.avocet.core.journal.log.ReadFiles;
import dev.avocet.core.journal.record.RecordFormat;
import dev.avocet.core.journal.record.RecordHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads a journal of the first format (records "AVJ1"), of either kind, and changes nothing: what an upgrade reads
 * from. Its positions are {@link FilePlace}s. Visitors see its records with a header of today's length in front of the
 * body, so that all but the header lies where it did. One owner.
 */
public final class FormerJournal implements Journal {
    /** Of records of the first format. */
    static final int HEADER_BYTES = RecordFormat.FORMER_HEADER_BYTES;

    /** No segment of the first format was larger than a Chronicle queue lets it be. */
    private static final int MAX_RECORD_BYTES = 1 << 30;

    private static final int READ_FILES = 16;
    private static final UUID NO_STORE = new UUID(0, 0);

    private final Storage storage;
    private final Path directory;
    private final NavigableMap<Integer, Segment> segments = new TreeMap<>();
    /** By first segment; empty when the journal is one of plain files. */
    private final NavigableMap<Integer, ChronicleLife> lives = new TreeMap<>();

    private final ReadFiles readFiles;
    private SegmentMap map = SegmentMap.EMPTY;

    private FormerJournal(Storage storage, Path directory) throws IOException {
        this.storage = storage;
        this.directory = directory.toAbsolutePath().normalize();
        readFiles = new ReadFiles(storage, READ_FILES);
        segments.putAll(new SegmentDirectory(storage, directory).segments());
        for (Path entry : storage.list(this.directory)) {
            ChronicleLife life = ChronicleLife.in(entry);
            if (life != null) {
                lives.put(life.firstSegment(), life);
                segments.putAll(new ChronicleDirectory(storage, this.directory).segmentsOf(life));
            }
        }
        for (Segment segment : segments.values()) {
            requireFormer(segment);
            map = map.with(segment.number(), FilePlace.of(segment.number(), 0), 0, segment.sizeBytes());
        }
    }

    /**
     * Opens what there is.
     *
     * @throws JournalException when it is of today's format, and cannot be read this way
     */
    public static FormerJournal open(Storage storage, Path directory) throws JournalException {
        try {
            return new FormerJournal(storage, directory);
        } catch (JournalException e) {
            throw e;
        } catch (IOException e) {
            throw new JournalException("cannot open the journal in " + directory + ": " + e.getMessage(), e);
        }
    }

    /** True when there is a journal of the first format in a directory. */
    public static boolean isIn(Storage storage, Path directory) throws IOException {
        Path path = directory.toAbsolutePath().normalize();
        for (Path entry : storage.list(path)) {
            ChronicleLife life = ChronicleLife.in(entry);
            if (life != null) {
                return life.storeId() == null;
            }
        }
        for (Segment segment : new SegmentDirectory(storage, path).segments().values()) {
            SegmentHeader header = headerOf(storage, segment);
            if (header != null) {
                return header.version() == SegmentHeader.FORMER_VERSION;
            }
        }
        return false;
    }

    @Override
    public ScanResult scan(long from, RecordVisitor visitor) throws JournalException {
        int first = FilePlace.segment(from);
        if (from != Position.BEGINNING && !segments.containsKey(first)) {
            throw new CorruptJournalException(directory, 0, "segment " + first + " is missing");
        }
        LogScan scan = new LogScan(
                from, RecordFormat.AVJ1, map, new DurableMark(), new Lengthened(visitor), DamageVisitor.REFUSE);
        for (Segment segment : segments.tailMap(first).values()) {
            long offset = from != Position.BEGINNING && segment.number() == first ? FilePlace.offset(from) : 0;
            scan.onSegment(segment);
            scan(segment, offset, scan);
        }
        return scan.result();
    }

    private void scan(Segment segment, long offset, LogScan scan) throws JournalException {
        try (StorageFile file = storage.openForReading(segment.file())) {
            if (!lives.isEmpty()) {
                ChronicleLife life = lives.floorEntry(segment.number()).getValue();
                new ChronicleScan(RecordFormat.AVJ1, scan).scan(life, segment, file, offset);
                return;
            }
            SegmentHeader header = SegmentHeader.read(file, segment.number());
            if (header == null) {
                throw new CorruptJournalException(segment.file(), 0, "it has no header of a segment");
            }
            new SegmentScan(RecordFormat.AVJ1, header, file, scan)
                    .run(offset == 0 ? SegmentHeader.FIRST_RECORD : offset);
        } catch (JournalException e) {
            throw e;
        } catch (IOException e) {
            throw new JournalException("cannot read " + segment.file() + ": " + e.getMessage(), e);
        }
    }

    @Override
    public void read(long position, byte[] target, int offset, int length) throws JournalException {
        Segment segment = segments.get(FilePlace.segment(position));
        if (segment == null) {
            throw new JournalException("segment " + FilePlace.segment(position) + " of " + directory + " is missing");
        }
        try {
            ByteBuffer buffer = ByteBuffer.wrap(target, offset, length);
            if (readFiles.read(segment, buffer, FilePlace.offset(position)) < length) {
                throw new JournalException(segment.file() + " ends too early");
            }
        } catch (JournalException e) {
            throw e;
        } catch (IOException e) {
            throw new JournalException("cannot read " + segment.file() + ": " + e.getMessage(), e);
        }
    }

    @Override
    public UUID storeId() {
        return NO_STORE;
    }

    @Override
    public SegmentMap map() {
        return map;
    }

    @Override
    public List<Segment> segments() {
        return List.copyOf(segments.values());
    }

    @Override
    public int maxRecordBytes() {
        return MAX_RECORD_BYTES;
    }

    @Override
    public void begin(int epoch) {
        throw readOnly();
    }

    @Override
    public long end() {
        return segments.isEmpty() ? 0 : FilePlace.of(segments.lastKey() + 1, 0);
    }

    @Override
    public long append(byte[] record, int length) {
        throw readOnly();
    }

    @Override
    public void force() {
        throw readOnly();
    }

    @Override
    public void drop(int segment) {
        throw readOnly();
    }

    @Override
    public boolean prepareSpare() {
        throw readOnly();
    }

    @Override
    public boolean hasSpare() {
        return false;
    }

    @Override
    public void close() {
        try {
            readFiles.close();
        } catch (IOException e) {
            // Nothing was written.
        }
    }

    private static UnsupportedOperationException readOnly() {
        return new UnsupportedOperationException("a journal of the first format is only read");
    }

    private void requireFormer(Segment segment) throws IOException {
        boolean isFormer;
        if (lives.isEmpty()) {
            SegmentHeader header = headerOf(storage, segment);
            isFormer = header == null || header.version() == SegmentHeader.FORMER_VERSION;
        } else {
            isFormer = lives.floorEntry(segment.number()).getValue().storeId() == null;
        }
        if (!isFormer) {
            throw new JournalException(segment.file() + " is of today's format already: there is nothing to upgrade");
        }
    }

    private static @Nullable SegmentHeader headerOf(Storage storage, Segment segment) throws IOException {
        try (StorageFile file = storage.openForReading(segment.file())) {
            return SegmentHeader.read(file, segment.number());
        }
    }

    /** Puts a header of today's length in front of each body. */
    private static final class Lengthened implements RecordVisitor {
        private static final int MORE_BYTES = RecordHeader.BYTES - HEADER_BYTES;

        private final RecordVisitor visitor;

        Lengthened(RecordVisitor visitor) {
            this.visitor = visitor;
        }

        @Override
        public void onRecord(long position, byte[] bytes, int offset, int length) throws JournalException {
            byte[] record = new byte[length + MORE_BYTES];
            System.arraycopy(bytes, offset + HEADER_BYTES, record, RecordHeader.BYTES, length - HEADER_BYTES);
            RecordFormat format = RecordFormat.AVJ1;
            RecordHeader.write(
                    record,
                    record.length,
                    format.epoch(bytes, offset),
                    format.sequence(bytes, offset),
                    position,
                    format.durableSequence(bytes, offset),
                    format.entries(bytes, offset));
            visitor.onRecord(position - MORE_BYTES, record, 0, record.length);
        }
    }
}
