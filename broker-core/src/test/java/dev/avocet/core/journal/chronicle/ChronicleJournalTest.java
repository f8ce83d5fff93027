package dev.avocet.core.journal.chronicle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.core.journal.CorruptJournalException;
import dev.avocet.core.journal.FilePlace;
import dev.avocet.core.journal.FoundRecords;
import dev.avocet.core.journal.Journal;
import dev.avocet.core.journal.JournalContractTest;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.JournalFullException;
import dev.avocet.core.journal.LogWriter;
import dev.avocet.core.journal.Position;
import dev.avocet.core.journal.ScanResult;
import dev.avocet.core.journal.Segment;
import dev.avocet.core.journal.disk.DiskStorage;
import dev.avocet.core.journal.disk.ForwardingStorage;
import dev.avocet.core.journal.disk.Storage;
import dev.avocet.core.journal.disk.StorageFile;
import dev.avocet.core.journal.record.RecordHeader;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every journal does, and what is particular to Chronicle. */
class ChronicleJournalTest extends JournalContractTest {
    private static final int SEGMENT_BYTES = ChronicleJournal.SEGMENT_MIN_BYTES;

    @Override
    protected Journal openJournal(Path inDirectory) throws JournalException {
        return ChronicleJournal.open(new DiskStorage(), inDirectory, SEGMENT_BYTES);
    }

    @Test
    void shouldRollMoreThanAHundredTimesAndBeOpenedAgain() throws JournalException {
        // given
        Journal journal = open();
        ScanResult before = journal.scan(Position.BEGINNING, new FoundRecords());

        for (int life = 1; life <= 3; life++) {
            // when
            LogWriter writer = new LogWriter(journal, before);
            fill(journal, writer, 110);
            writer.force();

            // then
            journal = reopen(journal);
            FoundRecords found = new FoundRecords();
            before = journal.scan(Position.BEGINNING, found);
            assertThat(found.sequences()).containsExactlyElementsOf(FoundRecords.from(1, writer.sequence()));
        }
        assertThat(journal.segments())
                .extracting(Segment::number)
                .containsExactlyElementsOf(Stream.iterate(1, number -> number + 1)
                        .limit(journal.segments().size())
                        .toList());
    }

    @Test
    void shouldBeginWithASmallSegmentAndGoOnWithWholeOnes() throws JournalException {
        // given
        int segmentBytes = 2 * ChronicleTail.FIRST_SEGMENT_MAX_BYTES;
        Journal journal = ChronicleJournal.open(new DiskStorage(), directory, segmentBytes);
        journal.scan(Position.BEGINNING, new FoundRecords());

        // when one of its records is too large for the first segment
        LogWriter writer = new LogWriter(journal)
                .appendForced(2, 100)
                .appendForced(1, ChronicleTail.FIRST_SEGMENT_MAX_BYTES)
                .appendForced(1, 100);

        // then
        assertThat(journal.segments())
                .extracting(Segment::sizeBytes)
                .containsExactly((long) ChronicleTail.FIRST_SEGMENT_MAX_BYTES, (long) segmentBytes);

        // and the next life reads both, whatever size its own segments have
        journal.close();
        FoundRecords found = new FoundRecords();
        try (Journal next = openJournal(directory)) {
            next.scan(Position.BEGINNING, found);
        }
        assertThat(found.sequences()).containsExactlyElementsOf(FoundRecords.from(1, writer.sequence()));
    }

    @Test
    void shouldKeepNothingOfADroppedSegmentMappedOrOpen() throws IOException {
        // given
        Journal journal = open();
        LogWriter writer = new LogWriter(journal);
        fill(journal, writer, 20);
        for (long sequence = 1; sequence <= writer.sequence(); sequence++) {
            journal.read(writer.position(sequence), new byte[100], 0, 100);
        }
        writer.force();
        List<Segment> segments = journal.segments();

        // when
        for (Segment segment : segments.subList(0, segments.size() - 1)) {
            journal.drop(segment.number());
        }

        // then
        assertThat(filesInUse())
                .containsExactly(segments.get(segments.size() - 1).file().toString());
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldKeepFewOfThePagesMappedThatHoldRecords() throws IOException {
        // given
        Journal journal = ChronicleJournal.open(new DiskStorage(), directory, 4 << 20);
        journal.scan(Position.BEGINNING, new FoundRecords());
        LogWriter writer = new LogWriter(journal);

        // when
        writer.append(2_000, 1_000);

        // then
        Segment segment = journal.segments().get(0);
        assertThat(mappedKiB(segment)).isBetween(1L, 200L);

        // and they hold what was written
        writer.force();
        FoundRecords found = new FoundRecords();
        Journal next = ChronicleJournal.open(new DiskStorage(), directory, 4 << 20);
        next.scan(Position.BEGINNING, found);
        assertThat(found.sequences()).containsExactlyElementsOf(FoundRecords.from(1, writer.sequence()));
    }

    /** So much of the file the page tables of this process hold. */
    private static long mappedKiB(Segment segment) throws IOException {
        List<String> lines = Files.readAllLines(Path.of("/proc/self/smaps"));
        long sum = 0;
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).endsWith(segment.file().toString())) {
                sum += lines.subList(i, lines.size()).stream()
                        .filter(line -> line.startsWith("Rss:"))
                        .findFirst()
                        .map(line -> Long.parseLong(line.replaceAll("\\D", "")))
                        .orElseThrow();
            }
        }
        return sum;
    }

    @Test
    void shouldKeepNothingMappedWhenClosed() throws IOException {
        // given
        Journal journal = open();
        fill(journal, new LogWriter(journal), 5);

        // when
        journal.close();

        // then
        assertThat(filesInUse()).isEmpty();
    }

    @Test
    void shouldRemoveTheDirectoryOfALifeWithItsLastSegment() throws IOException {
        // given
        Journal journal = open();
        new LogWriter(journal).appendForced(2, 100);
        Journal second = reopen(journal);
        LogWriter writer =
                new LogWriter(second, second.scan(Position.BEGINNING, new FoundRecords())).appendForced(2, 100);
        assertThat(entriesOf(directory)).hasSize(2);

        // when
        second.drop(1);

        // then
        assertThat(entriesOf(directory)).hasSize(1);
        FoundRecords found = new FoundRecords();
        reopen(second).scan(Position.BEGINNING, found);
        assertThat(found.sequences()).containsExactly(3L, 4L);
        assertThat(writer.sequence()).isEqualTo(4);
    }

    @Test
    void shouldGiveBackTheRoomThatAnEarlierLifeHasNotUsed() throws JournalException {
        // given
        Journal journal = open();
        new LogWriter(journal).appendForced(10, 500);
        Journal again = reopen(journal);
        assertThat(again.segments().get(0).sizeBytes()).isEqualTo(SEGMENT_BYTES);

        // when
        new LogWriter(again, again.scan(Position.BEGINNING, new FoundRecords()));

        // then
        assertThat(again.segments().get(0).sizeBytes()).isBetween(10 * 500L, 10 * 500L + 8 * 1024);
        FoundRecords found = new FoundRecords();
        reopen(again).scan(Position.BEGINNING, found);
        assertThat(found.sequences()).hasSize(10);
    }

    @Test
    void shouldReserveAllOfASegmentAndNoMore() throws IOException {
        // given
        Journal journal = open();
        LogWriter writer = new LogWriter(journal);

        // when
        writer.append(100);

        // then Chronicle's block of four segments is no part of the file
        Path file = journal.segments().get(0).file();
        assertThat(Files.size(file)).isEqualTo(SEGMENT_BYTES);
        assertThat(blocksOf(file) * 512).isGreaterThanOrEqualTo(SEGMENT_BYTES);
    }

    /** A hole is a page that did not reach the disk, in front of others that did. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 5, 11})
    void shouldEndTheLogAtAHoleThatWasNeverDurable(int page) throws IOException {
        // given
        Journal journal = open();
        LogWriter writer = new LogWriter(journal);
        while (FilePlace.offset(journal.map().placeOf(writer.append(250))) < 50_000) {
            // Nobody forces.
        }
        journal.close();

        // when
        zero(journal.segments().get(0).file(), page * 4096L, 4096);

        // then
        Journal again = open();
        FoundRecords found = new FoundRecords();
        ScanResult result = again.scan(Position.BEGINNING, found);
        long firstLost = FoundRecords.from(1, writer.sequence()).stream()
                .filter(sequence -> FilePlace.offset(writer.place(sequence)) + 250 > page * 4096L)
                .findFirst()
                .orElseThrow();
        assertThat(result.tornTails()).isEqualTo(1);
        if (page == 0) {
            assertThat(found.sequences()).isEmpty();
        } else {
            assertThat(found.sequences()).hasSizeBetween((int) firstLost - 2, (int) firstLost);
            assertThat(found.sequences()).containsExactlyElementsOf(FoundRecords.from(1, result.lastSequence()));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 5, 11})
    void shouldFindAHoleThatHadBeenDurable(int page) throws IOException {
        // given
        Journal journal = open();
        LogWriter writer = new LogWriter(journal);
        while (FilePlace.offset(journal.map().placeOf(writer.append(250))) < 50_000) {
            writer.force();
        }
        journal.close();

        // when
        zero(journal.segments().get(0).file(), page * 4096L, 4096);

        // then
        Journal again = open();
        assertThatThrownBy(() -> again.scan(Position.BEGINNING, new FoundRecords()))
                .isInstanceOf(CorruptJournalException.class)
                .hasMessageContaining(journal.segments().get(0).file().toString());
    }

    /** A client may publish what looks like a document of ours with a record that claims anything. */
    @Test
    void shouldNotTakeTheBytesOfAClientForARecord() throws IOException {
        // given
        Journal journal = open();
        LogWriter writer = new LogWriter(journal).appendForced(5, 200);
        byte[] forged = LogWriter.record(99, 7, journal.end(), 1_000_000, 100);
        byte[] record = new byte[RecordHeader.BYTES + 600];
        for (int at = RecordHeader.BYTES; at + 12 + forged.length < record.length; at += 113) {
            ByteBuffer.wrap(record)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .position(at)
                    .putInt(8 + forged.length)
                    .putLong(FilePlace.of(1, 4096))
                    .put(forged);
        }
        RecordHeader.write(record, record.length, 1, 6, journal.end(), 5, 1);
        long position = journal.append(record, record.length);
        journal.close();

        // when nothing is left of what says where the record ends
        zero(
                journal.segments().get(0).file(),
                FilePlace.offset(journal.map().placeOf(position)) - 12,
                12 + RecordHeader.BYTES);

        // then
        FoundRecords found = new FoundRecords();
        open().scan(Position.BEGINNING, found);
        assertThat(found.sequences()).containsExactlyElementsOf(FoundRecords.from(1, writer.sequence()));
    }

    @Test
    void shouldGoOnWhenADiskThatWasFullHasRoomAgain() throws JournalException {
        // given
        AtomicLong room = new AtomicLong(3L * SEGMENT_BYTES);
        Journal journal = open(new ForwardingStorage() {
            @Override
            public long usableSpaceBytes(Path ofDirectory) {
                return room.get();
            }
        });
        LogWriter writer = new LogWriter(journal);
        assertThat(journal.prepareSpare()).isTrue();

        // when
        room.set(SEGMENT_BYTES - 1);

        // then there is the reserve, and nothing behind it
        assertThatThrownBy(() -> fill(journal, writer, 10)).isInstanceOf(JournalFullException.class);
        assertThat(journal.segments()).hasSize(2);
        assertThat(journal.hasSpare()).isFalse();
        assertThat(journal.prepareSpare()).isFalse();
        writer.force();

        // and when
        room.set(SEGMENT_BYTES);
        fill(journal, writer, 1);

        // then
        FoundRecords found = new FoundRecords();
        reopen(journal).scan(Position.BEGINNING, found);
        assertThat(found.sequences()).containsExactlyElementsOf(FoundRecords.from(1, writer.sequence()));
    }

    @Test
    void shouldAppendNothingAfterAForceThatFailed() throws JournalException {
        // given
        AtomicBoolean broken = new AtomicBoolean();
        Journal journal = open(diskThatRefuses(broken::get, () -> false));
        LogWriter writer = new LogWriter(journal).appendForced(3, 100);

        // when
        broken.set(true);

        // then
        assertThatThrownBy(journal::force)
                .isInstanceOf(JournalException.class)
                .hasMessageContaining("Input/output error");
        broken.set(false);
        assertThatThrownBy(journal::force).isInstanceOf(JournalException.class).hasMessageContaining("restart");
        assertThatThrownBy(() -> writer.append(100)).isInstanceOf(JournalException.class);
    }

    private static Storage diskThatRefuses(BooleanSupplier forces, BooleanSupplier writes) {
        return new ForwardingStorage() {
            @Override
            public StorageFile changed(StorageFile file) {
                return new ForwardingFile(file) {
                    @Override
                    public void force(boolean metadata) throws IOException {
                        refuseIf(forces);
                        super.force(metadata);
                    }

                    @Override
                    public int write(ByteBuffer source, long offset) throws IOException {
                        refuseIf(writes);
                        return super.write(source, offset);
                    }
                };
            }
        };
    }

    private static void refuseIf(BooleanSupplier refused) throws IOException {
        if (refused.getAsBoolean()) {
            throw new IOException("Input/output error");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {(16 << 10) - 1, 16 << 10, (16 << 10) + 1, 40_003})
    void shouldFindRecordsAgainThatAreWrittenInEitherWay(int length) throws JournalException {
        // given
        Journal journal = open();
        LogWriter writer = new LogWriter(journal);

        // when
        for (int i = 0; i < 20; i++) {
            writer.append(1, 100);
            writer.append(1, length);
        }

        // then
        FoundRecords found = new FoundRecords();
        reopen(journal).scan(Position.BEGINNING, found);
        assertThat(found.sequences()).containsExactlyElementsOf(FoundRecords.from(1, writer.sequence()));
    }

    @Test
    void shouldAppendNothingMoreAfterTheDiskHasRefusedALargeRecord() throws JournalException {
        // given
        AtomicBoolean broken = new AtomicBoolean();
        Journal journal = open(diskThatRefuses(() -> false, broken::get));
        LogWriter writer = new LogWriter(journal).appendForced(3, 100);

        // when
        broken.set(true);

        // then
        assertThatThrownBy(() -> writer.append(20_000))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining("cannot append")
                .hasMessageContaining("Input/output error");
        broken.set(false);
        assertThatThrownBy(() -> writer.append(100)).isInstanceOf(JournalException.class);
        assertThatThrownBy(journal::force).isInstanceOf(JournalException.class);

        // and what was there before is found again
        FoundRecords found = new FoundRecords();
        reopen(journal).scan(Position.BEGINNING, found);
        assertThat(found.sequences()).containsExactlyElementsOf(FoundRecords.from(1, 3));
    }

    @Test
    void shouldRefuseAFileWithTheNumberOfNoSegment() throws IOException {
        // given
        Path life = Files.createDirectories(directory.resolve("life-0000000000-8000000000000000"));

        // when, then
        assertThatThrownBy(this::open).isInstanceOf(JournalException.class).hasMessageContaining(life.toString());
    }

    private Journal open(Storage storage) throws JournalException {
        return ChronicleJournal.open(storage, directory, SEGMENT_BYTES);
    }

    /** Appends until there are so many more segments. */
    private static void fill(Journal journal, LogWriter writer, int more) throws JournalException {
        int wanted = journal.segments().size() + more;
        while (journal.segments().size() < wanted) {
            writer.append(RecordHeader.BYTES + 1_000);
        }
    }

    private static void zero(Path file, long offset, int count) throws IOException {
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
            open.seek(offset);
            open.write(new byte[count]);
        }
    }

    private static long blocksOf(Path file) throws IOException {
        Process stat = new ProcessBuilder("stat", "-c", "%b", file.toString()).start();
        return Long.parseLong(new String(stat.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip());
    }

    private static List<Path> entriesOf(Path ofDirectory) throws IOException {
        try (Stream<Path> entries = Files.list(ofDirectory)) {
            return entries.toList();
        }
    }

    /** The segments of this test that are mapped, or open, or both; deleted ones too. */
    private List<String> filesInUse() throws IOException {
        try (Stream<String> mappings = Files.lines(Path.of("/proc/self/maps"));
                Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            return Stream.concat(mappings, descriptors.map(ChronicleJournalTest::targetOf))
                    .filter(line ->
                            line.contains(directory.toString()) && line.contains(".cq4") && !line.contains("cq4t"))
                    .map(line -> line.substring(line.indexOf('/')))
                    .distinct()
                    .toList();
        }
    }

    private static String targetOf(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException e) {
            // Closed meanwhile.
            return "";
        }
    }
}
