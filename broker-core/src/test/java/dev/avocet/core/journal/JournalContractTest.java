package dev.avocet.core.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.core.journal.record.RecordHeader;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What every {@link Journal} does. */
public abstract class JournalContractTest {
    @TempDir
    public Path directory;

    private final List<Journal> opened = new ArrayList<>();

    /** Opens a journal whose segments are small: a few hundred records of 200 bytes. */
    protected abstract Journal openJournal(Path inDirectory) throws JournalException;

    @AfterEach
    void close() {
        opened.forEach(Journal::close);
    }

    @Test
    void shouldFindNothingWhereNothingIs() throws JournalException {
        // given
        Journal journal = open();

        // when
        ScanResult result = journal.scan(Position.BEGINNING, new FoundRecords());

        // then
        assertThat(result).isEqualTo(new ScanResult(0, 0, 0, 0));
        assertThat(journal.segments()).isEmpty();
    }

    @Test
    void shouldGiveBackWhatWasAppended() throws JournalException {
        // given
        Journal journal = open();
        LogWriter writer = new LogWriter(journal);
        writer.append(10, RecordHeader.BYTES + 60);

        // when
        writer.force();

        // then it is read as long as the journal is open
        for (long sequence = 1; sequence <= 10; sequence++) {
            byte[] target = new byte[70];
            journal.read(writer.position(sequence) + RecordHeader.BYTES, target, 10, 60);
            assertThat(target).endsWith(LogWriter.body(sequence, 60));
        }

        // and found when it is opened again
        FoundRecords found = new FoundRecords();
        ScanResult result = reopen(journal).scan(Position.BEGINNING, found);
        assertThat(result).isEqualTo(new ScanResult(10, 10, 1, 0));
        assertThat(found.positions()).containsExactlyElementsOf(positions(writer, 1, 10));
    }

    @Test
    void shouldReadTheHeaderAsItWasWritten() throws JournalException {
        // given
        Journal journal = open();
        LogWriter writer = new LogWriter(journal);

        // when
        long position = writer.append(333);

        // then
        byte[] record = new byte[333];
        journal.read(position, record, 0, 333);
        assertThat(record).isEqualTo(written(LogWriter.record(1, 1, position, 0, 333)));
    }

    @Test
    void shouldBeginANewSegmentWhenOneIsFull() throws JournalException {
        // given
        Journal journal = open();
        LogWriter writer = new LogWriter(journal);

        // when
        appendSegments(writer, journal, 5);
        writer.force();

        // then
        assertThat(journal.segments()).hasSize(5);
        assertThat(journal.segments()).extracting(Segment::number).containsExactly(1, 2, 3, 4, 5);
        assertThat(journal.sizeBytes())
                .isGreaterThanOrEqualTo(journal.segments().stream()
                        .mapToLong(Segment::sizeBytes)
                        .sum());
        List<Long> positions = positions(writer, 1, writer.sequence());
        assertThat(positions).isSorted();

        FoundRecords found = new FoundRecords();
        Journal again = reopen(journal);
        again.scan(Position.BEGINNING, found);
        assertThat(found.positions()).containsExactlyElementsOf(positions);
        assertThat(again.segments()).extracting(Segment::number).containsExactly(1, 2, 3, 4, 5);
    }

    @Test
    void shouldScanFromEveryPosition() throws JournalException {
        // given
        Journal journal = open();
        LogWriter writer = new LogWriter(journal);
        appendSegments(writer, journal, 3);
        writer.force();
        Journal again = reopen(journal);

        for (long first = 1; first <= writer.sequence(); first += 7) {
            // when
            FoundRecords found = new FoundRecords();
            ScanResult result = again.scan(writer.position(first), found);

            // then
            assertThat(found.sequences()).containsExactlyElementsOf(FoundRecords.from(first, writer.sequence()));
            assertThat(result.lastSequence()).isEqualTo(writer.sequence());
        }
    }

    @Test
    void shouldGoOnInANewSegmentAfterEveryStart() throws JournalException {
        // given
        Journal journal = open();
        ScanResult before = journal.scan(Position.BEGINNING, new FoundRecords());
        long written = 0;

        for (int life = 1; life <= 12; life++) {
            // when
            LogWriter writer = new LogWriter(journal, before);
            int firstSegment =
                    journal.segments().get(journal.segments().size() - 1).number();
            writer.append(life % 4, 150);
            writer.force();
            written += life % 4;

            // then
            assertThat(firstSegment).isEqualTo(life);
            journal = reopen(journal);
            FoundRecords found = new FoundRecords();
            before = journal.scan(Position.BEGINNING, found);
            assertThat(found.sequences()).containsExactlyElementsOf(FoundRecords.from(1, written));
            assertThat(before.tornTails()).isZero();
        }
    }

    @Test
    void shouldScanOnlyBeforeItIsBegun() throws JournalException {
        // given
        Journal journal = open();
        new LogWriter(journal);

        // when, then
        assertThatThrownBy(() -> journal.scan(Position.BEGINNING, new FoundRecords()))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> journal.begin(1)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldTakeRecordsOfEverySize() throws JournalException {
        // given
        Journal journal = open();
        LogWriter writer = new LogWriter(journal);
        int max = journal.maxRecordBytes();

        // when
        for (int length = RecordHeader.BYTES; length < 400; length++) {
            writer.append(length);
        }
        for (int length = 512; length < max; length += length / 7) {
            writer.append(length);
        }
        for (int length = max - 20; length <= max; length++) {
            writer.append(length);
        }
        writer.append(RecordHeader.BYTES);
        writer.force();

        // then
        FoundRecords found = new FoundRecords();
        reopen(journal).scan(Position.BEGINNING, found);
        assertThat(found.positions()).containsExactlyElementsOf(positions(writer, 1, writer.sequence()));
    }

    @Test
    void shouldRefuseARecordThatNoSegmentTakes() throws JournalException {
        // given
        Journal journal = open();
        LogWriter writer = new LogWriter(journal);

        // when, then
        assertThatThrownBy(() -> writer.append(journal.maxRecordBytes() + 1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** What a crash may do to the end of a file. */
    enum Harm {
        TRUNCATED,
        ZEROED,
        GARBLED
    }

    @ParameterizedTest
    @EnumSource(Harm.class)
    void shouldTakeWhatIsHarmedAtTheEndForUnfinished(Harm harm) throws IOException {
        for (int kept : List.of(0, 1, 4, 12, 39, 40, 41, 100, 299)) {
            // given
            Path place = directory.resolve(harm + "-" + kept);
            Journal journal = open(place);
            LogWriter writer = new LogWriter(journal).appendForced(20, 300);
            long last = writer.append(300);

            // when
            journal.close();
            harm(journal, last, kept, 300 - kept, harm);

            // then
            assertUnfinished(place, 20);
        }
    }

    /** The log holds this much, takes more, and holds that as well. */
    private void assertUnfinished(Path place, long lastSequence) throws JournalException {
        Journal again = open(place);
        FoundRecords found = new FoundRecords();
        ScanResult result = again.scan(Position.BEGINNING, found);
        assertThat(found.sequences()).containsExactlyElementsOf(FoundRecords.from(1, lastSequence));
        assertThat(result.tornTails()).isLessThanOrEqualTo(1);

        LogWriter writer = new LogWriter(again, result).appendForced(3, 120);
        again.close();
        FoundRecords more = new FoundRecords();
        open(place).scan(Position.BEGINNING, more);
        assertThat(more.sequences()).containsExactlyElementsOf(FoundRecords.from(1, lastSequence + 3));
        assertThat(writer.sequence()).isEqualTo(lastSequence + 3);
    }

    @Test
    void shouldSkipRecordsBehindAnUnfinishedOne() throws IOException {
        // given five that nobody forced, the second of which has not reached the disk
        Journal journal = open();
        LogWriter writer = new LogWriter(journal).appendForced(10, 300);
        writer.append(5, 300);
        journal.close();

        // when
        harm(journal, writer.position(12), 60, 100, Harm.GARBLED);

        // then
        assertUnfinished(directory, 11);
    }

    @Test
    void shouldSkipASegmentBehindAnUnfinishedRecord() throws IOException {
        // given
        Journal journal = open();
        LogWriter writer = new LogWriter(journal).appendForced(10, 300);
        appendSegments(writer, journal, 3);
        journal.close();

        // when
        harm(journal, writer.position(12), 60, 100, Harm.ZEROED);

        // then
        assertUnfinished(directory, 11);
    }

    @ParameterizedTest
    @EnumSource(value = Harm.class, names = "TRUNCATED", mode = EnumSource.Mode.EXCLUDE)
    void shouldStopAtARecordThatIsDamaged(Harm harm) throws IOException {
        for (int damaged = 1; damaged < 20; damaged += 3) {
            for (int at : List.of(0, 5, 30, 41, 150, 299)) {
                // given
                Path place = directory.resolve(harm + "-" + damaged + "-" + at);
                Journal journal = open(place);
                LogWriter writer = new LogWriter(journal).appendForced(20, 300);
                journal.close();
                long position = writer.position(damaged);

                // when
                harm(journal, position, at, at == 0 ? 300 : 1, harm);

                // then
                assertDamagedAt(journal, place, position);
            }
        }
    }

    @Test
    void shouldStopAtADamagedRecordOfAnEarlierSegment() throws IOException {
        // given
        Journal journal = open();
        LogWriter writer = new LogWriter(journal);
        while (journal.segments().size() < 3) {
            writer.appendForced(1, 1500);
        }
        journal.close();
        long position = lastIn(writer, 1);

        // when
        harm(journal, position, 60, 10, Harm.GARBLED);

        // then
        assertDamagedAt(journal, directory, position);
    }

    @Test
    void shouldShowWhatIsLeftToWhoeverGoesOnBehindDamage() throws IOException {
        // given
        Journal journal = open();
        LogWriter writer = new LogWriter(journal).appendForced(10, 300);
        writer.append(5, 300); // durable only as the next force tells
        writer.force();
        writer.append(5, 300);
        journal.close();
        List<Long> damaged = List.of(4L, 5L, 11L);
        for (long sequence : damaged) {
            harm(journal, writer.position(sequence), 60, 10, Harm.GARBLED);
        }
        Journal again = open();
        Map<Long, CorruptJournalException> found = new TreeMap<>();

        // when
        again.scan(Position.BEGINNING, new FoundRecords(), found::put);
        FoundRecords left = new FoundRecords();
        again.scan(Position.BEGINNING, left, new DamageVisitor() {
            @Override
            public void onDamage(long position, CorruptJournalException damage) {
                throw new IllegalStateException("all of it is known", damage);
            }

            @Override
            public boolean isCertain(long position) {
                return found.containsKey(position);
            }
        });
        again.close();

        // then
        assertThat(found.keySet()).containsExactly(writer.position(4), writer.position(11));
        assertThat(found.values())
                .extracting(CorruptJournalException::offset)
                .containsExactly(FilePlace.offset(writer.place(4)), FilePlace.offset(writer.place(11)));
        List<Long> expected = FoundRecords.from(1, 20).stream()
                .filter(sequence -> !damaged.contains(sequence))
                .toList();
        assertThat(left.sequences()).isEqualTo(expected);
    }

    @Test
    void shouldStopAtADamagedRecordOfAnEarlierLife() throws IOException {
        // given
        Journal journal = open();
        LogWriter writer = new LogWriter(journal).appendForced(10, 300);
        long position = writer.position(10);
        Journal again = reopen(journal);
        new LogWriter(again, again.scan(Position.BEGINNING, new FoundRecords())).appendForced(1, 300);
        again.close();

        // when
        harm(journal, position, 60, 10, Harm.GARBLED);

        // then
        assertDamagedAt(journal, directory, position);
    }

    @Test
    void shouldNotScanFromWhereNoRecordIs() throws JournalException {
        // given
        Journal journal = open();
        LogWriter writer = new LogWriter(journal).appendForced(10, 300);
        Journal again = reopen(journal);

        for (long position : List.of(
                writer.position(3) + 8, writer.position(3) + 1, writer.position(10) + 1_000_000, 5_000_000_000L)) {
            // when, then
            assertThatThrownBy(() -> again.scan(position, new FoundRecords())).isInstanceOf(JournalException.class);
        }
    }

    @Test
    void shouldRemoveSegments() throws JournalException {
        // given
        Journal journal = open();
        LogWriter writer = new LogWriter(journal);
        appendSegments(writer, journal, 6);
        writer.force();
        long lost = lastIn(writer, 1);
        long kept = lastIn(writer, 3);

        // when
        journal.drop(1);
        journal.drop(2);
        journal.drop(5);

        // then
        assertThat(journal.segments()).extracting(Segment::number).containsExactly(3, 4, 6);
        assertThatThrownBy(() -> journal.read(lost, new byte[10], 0, 10)).isInstanceOf(JournalException.class);
        byte[] body = new byte[50];
        journal.read(kept + RecordHeader.BYTES, body, 0, 50);
        assertThat(body).isEqualTo(LogWriter.body(sequenceAt(writer, kept), 50));

        FoundRecords found = new FoundRecords();
        Journal again = reopen(journal);
        ScanResult result = again.scan(Position.BEGINNING, found);
        assertThat(result.lastSequence()).isEqualTo(writer.sequence());
        assertThat(found.positions())
                .extracting(again.map()::segmentOf)
                .containsOnly(3, 4, 6)
                .isSorted();
        assertThat(again.segments()).extracting(Segment::number).containsExactly(3, 4, 6);
    }

    @Test
    void shouldNotRemoveTheLastSegment() throws JournalException {
        // given
        Journal journal = open();
        LogWriter writer = new LogWriter(journal);
        appendSegments(writer, journal, 2);

        // when, then
        assertThatThrownBy(() -> journal.drop(2)).isInstanceOf(IllegalArgumentException.class);
        assertThat(journal.segments()).hasSize(2);
    }

    @Test
    void shouldNotGrowWhileSegmentsAreRemovedAsFastAsTheyAreFilled() throws JournalException {
        // given
        Journal journal = open();
        LogWriter writer = new LogWriter(journal);
        long largest = 0;

        // when
        for (int segments = 2; segments < 20; segments++) {
            while (last(journal).number() < segments) {
                writer.append(1500);
            }
            writer.force();
            journal.prepareSpare();
            journal.drop(segments - 1);
            largest = Math.max(largest, journal.sizeBytes());
        }

        // then
        assertThat(largest).isLessThanOrEqualTo(3 * last(journal).sizeBytes());
        FoundRecords found = new FoundRecords();
        reopen(journal).scan(Position.BEGINNING, found);
        assertThat(found.positions()).containsExactly(writer.position(writer.sequence()));
    }

    @Test
    void shouldUseTheSpareForTheNextSegment() throws JournalException {
        // given
        Journal journal = open();
        LogWriter writer = new LogWriter(journal);

        // when
        boolean prepared = journal.prepareSpare();

        // then
        assertThat(prepared).isTrue();
        assertThat(journal.hasSpare()).isTrue();
        assertThat(journal.prepareSpare()).isTrue();

        // and when
        appendSegments(writer, journal, 2);

        // then
        assertThat(journal.hasSpare()).isFalse();
    }

    @Test
    void shouldStartAgainWithASpareThatWasLeft() throws JournalException {
        // given
        Journal journal = open();
        new LogWriter(journal).appendForced(3, 200);
        journal.prepareSpare();

        // when
        Journal again = reopen(journal);
        ScanResult result = again.scan(Position.BEGINNING, new FoundRecords());
        LogWriter writer = new LogWriter(again, result);
        appendSegments(writer, again, 4);
        writer.force();

        // then
        FoundRecords found = new FoundRecords();
        reopen(again).scan(Position.BEGINNING, found);
        assertThat(found.sequences()).containsExactlyElementsOf(FoundRecords.from(1, writer.sequence()));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void shouldAppendForceAndReadAtTheSameTime(long seed) throws Exception {
        // given
        Journal journal = open();
        LogWriter writer = new LogWriter(journal);
        int count = 8_000;
        AtomicLongArray positions = new AtomicLongArray(count + 1);
        AtomicBoolean done = new AtomicBoolean();
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try {
            // when
            Future<?> forcing = threads.submit(() -> {
                while (!done.get()) {
                    journal.force();
                }
                return null;
            });
            Future<?> reading = threads.submit(() -> {
                SplittableRandom random = new SplittableRandom(seed);
                while (!done.get()) {
                    assertReadable(journal, positions, random.nextInt(1, count + 1));
                }
                return null;
            });
            Future<?> preparing = threads.submit(() -> {
                while (!done.get()) {
                    journal.prepareSpare();
                    Thread.onSpinWait();
                }
                return null;
            });
            SplittableRandom sizes = new SplittableRandom(seed);
            try {
                for (int i = 1; i <= count; i++) {
                    positions.set(i, writer.append(sizes.nextInt(RecordHeader.BYTES + 60, 900)));
                }
            } finally {
                done.set(true);
            }
            forcing.get();
            reading.get();
            preparing.get();
        } finally {
            threads.shutdown();
        }

        // then
        FoundRecords found = new FoundRecords();
        reopen(journal).scan(Position.BEGINNING, found);
        assertThat(found.positions()).containsExactlyElementsOf(positions(writer, 1, count));
    }

    private static void assertReadable(Journal journal, AtomicLongArray positions, int sequence)
            throws JournalException {
        long position = positions.get(sequence);
        if (position != 0) {
            byte[] body = new byte[60];
            journal.read(position + RecordHeader.BYTES, body, 0, 60);
            assertThat(body).isEqualTo(LogWriter.body(sequence, 60));
        }
    }

    protected final Journal open() throws JournalException {
        return open(directory);
    }

    protected final Journal open(Path place) throws JournalException {
        Journal journal = openJournal(place);
        opened.add(journal);
        return journal;
    }

    /** As the first life of a journal has it on the disk. */
    private static byte[] written(byte[] record) {
        RecordHeader.stamp(record, 1);
        return record;
    }

    protected final Journal reopen(Journal journal) throws JournalException {
        journal.close();
        return open();
    }

    private void assertDamagedAt(Journal journal, Path place, long position) throws JournalException {
        Journal again = open(place);
        assertThatThrownBy(() -> again.scan(Position.BEGINNING, new FoundRecords()))
                .isInstanceOfSatisfying(CorruptJournalException.class, damage -> {
                    assertThat(damage.file())
                            .isEqualTo(fileOf(journal, position).toString());
                    assertThat(damage.offset())
                            .isEqualTo(FilePlace.offset(journal.map().placeOf(position)));
                });
        again.close();
    }

    /** Appends until there are so many segments. */
    private static void appendSegments(LogWriter writer, Journal journal, int count) throws JournalException {
        while (last(journal).number() < count) {
            writer.append(RecordHeader.BYTES + 160 + (int) (writer.sequence() % 100));
        }
    }

    private static Segment last(Journal journal) {
        return journal.segments().get(journal.segments().size() - 1);
    }

    private static List<Long> positions(LogWriter writer, long first, long last) {
        return FoundRecords.from(first, last).stream().map(writer::position).toList();
    }

    private static long lastIn(LogWriter writer, int segment) {
        return positions(writer, 1, writer.sequence()).stream()
                .filter(position -> FilePlace.segment(writer.placeOf(position)) == segment)
                .max(Long::compare)
                .orElseThrow();
    }

    private static long sequenceAt(LogWriter writer, long position) {
        return positions(writer, 1, writer.sequence()).indexOf(position) + 1L;
    }

    private static Path fileOf(Journal journal, long position) {
        return journal.segments().stream()
                .filter(segment -> segment.number() == journal.map().segmentOf(position))
                .findFirst()
                .orElseThrow()
                .file();
    }

    private static void harm(Journal journal, long position, int from, int count, Harm harm) throws IOException {
        long offset = FilePlace.offset(journal.map().placeOf(position)) + from;
        try (RandomAccessFile file =
                new RandomAccessFile(fileOf(journal, position).toFile(), "rw")) {
            if (harm == Harm.TRUNCATED) {
                file.setLength(offset);
                return;
            }
            byte[] bytes = new byte[count];
            file.seek(offset);
            file.readFully(bytes);
            for (int i = 0; i < count; i++) {
                bytes[i] = harm == Harm.ZEROED && bytes[i] != 0 ? 0 : (byte) (bytes[i] + 1);
            }
            file.seek(offset);
            file.write(bytes);
        }
    }
}
