package dev.avocet.core.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.core.journal.disk.DiskStorage;
import dev.avocet.core.journal.file.FileJournal;
import dev.avocet.core.journal.record.RecordHeader;
import dev.avocet.core.journal.record.RecordTail;
import dev.avocet.testkit.FaultyStorage;
import dev.avocet.testkit.FaultyStorage.Fault;
import dev.avocet.testkit.FaultyStorage.Operation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A journal that is fed with the records of another one, of whatever kinds the two are. */
class CopyTest {
    private static final int LEADER_SEGMENT_BYTES = 64 << 10;
    /** So that the copy rolls elsewhere. */
    private static final int COPY_SEGMENT_BYTES = 96 << 10;

    private static final Path DISK = Path.of("/disk/journal");

    @TempDir
    Path directory;

    static Stream<Arguments> pairings() {
        return Stream.of(JournalKind.values())
                .flatMap(leader -> Stream.of(JournalKind.values()).map(copy -> Arguments.of(leader, copy)));
    }

    @ParameterizedTest
    @MethodSource("pairings")
    void shouldReadEveryPositionOfTheOther(JournalKind leaderKind, JournalKind copyKind) throws JournalException {
        try (CopyJournal leader = leader(leaderKind);
                CopyJournal copy = copy(copyKind, leader.storeId())) {
            // given
            LogWriter writer = new LogWriter(leader);
            copy.scan(Position.BEGINNING, new FoundRecords());
            copy.follow();
            appendSegments(writer, leader, 4);

            // when
            feed(leader, copy);
            copy.force();

            // then
            assertSame(leader, copy, writer);
            assertThat(copy.end()).isEqualTo(leader.end());
            assertThat(copy.segments()).hasSizeLessThan(leader.segments().size());
        }

        // and when it is opened again
        try (CopyJournal leader = leader(leaderKind);
                CopyJournal copy = copy(copyKind, leader.storeId())) {
            FoundRecords ofLeader = new FoundRecords();
            FoundRecords ofCopy = new FoundRecords();
            leader.scan(Position.BEGINNING, ofLeader);
            copy.scan(Position.BEGINNING, ofCopy);

            // then
            assertThat(ofCopy.positions()).isEqualTo(ofLeader.positions());
            assertThat(copy.end()).isEqualTo(leader.end());
        }
    }

    @ParameterizedTest
    @MethodSource("pairings")
    void shouldTakeAJournalWithHoles(JournalKind leaderKind, JournalKind copyKind) throws JournalException {
        // given a journal of which segments were dropped, the first one among them
        List<Long> hole;
        UUID storeId;
        long last;
        LogWriter writer;
        try (CopyJournal leader = leader(leaderKind)) {
            storeId = leader.storeId();
            writer = new LogWriter(leader);
            appendSegments(writer, leader, 7);
            writer.force();
            SegmentMap before = leader.map();
            hole = List.of(before.firstOf(1), before.firstOf(3), before.firstOf(4), before.endOf(4) - 8);
            last = before.firstOf(6);
            for (int dropped : List.of(1, 3, 4)) {
                leader.drop(dropped);
            }

            // when
            try (CopyJournal copy = copy(copyKind, storeId)) {
                copy.follow();
                for (int segment : List.of(2, 5)) {
                    long from = before.firstOf(segment);
                    copy.skipTo(from, sequenceAt(leader, from));
                    feed(leader, copy, from, segment == 2 ? before.endOf(2) : leader.end());
                }
                copy.force();
            }
        }

        // then a start sees the same, and knows what is not there
        for (int start = 1; start <= 2; start++) {
            try (CopyJournal leader = leader(leaderKind);
                    CopyJournal copy = copy(copyKind, storeId)) {
                FoundRecords ofLeader = new FoundRecords();
                FoundRecords ofCopy = new FoundRecords();
                leader.scan(Position.BEGINNING, ofLeader);
                copy.scan(Position.BEGINNING, ofCopy);
                assertThat(ofCopy.positions()).isEqualTo(ofLeader.positions());
                assertThat(copy.end()).isEqualTo(leader.end());
                copy.follow();
            }
        }

        // and goes on from a position behind the holes
        try (CopyJournal copy = copy(copyKind, storeId)) {
            copy.scan(last, new FoundRecords());
            copy.follow();
            assertThat(hole)
                    .allSatisfy(position ->
                            assertThat(copy.map().segmentOf(position)).isZero());
            byte[] next = LogWriter.record(9, writer.sequence() + 1, copy.end(), 0, 200);
            long unused = copy.appendCopy(next, next.length, writer.sequence());
            assertThatThrownBy(() -> copy.skipTo(copy.end(), writer.sequence() + 3))
                    .isInstanceOf(CopyRefusedException.class);
        }
    }

    private static long sequenceAt(Journal journal, long position) throws JournalException {
        byte[] header = new byte[RecordHeader.BYTES];
        journal.read(position, header, 0, header.length);
        return RecordHeader.sequence(header, 0);
    }

    @ParameterizedTest
    @MethodSource("pairings")
    void shouldGoOnWhereItStoppedAfterEachStart(JournalKind leaderKind, JournalKind copyKind) throws JournalException {
        try (CopyJournal leader = leader(leaderKind)) {
            LogWriter writer = new LogWriter(leader);
            for (int life = 1; life <= 4; life++) {
                try (CopyJournal copy = copy(copyKind, leader.storeId())) {
                    copy.scan(Position.BEGINNING, new FoundRecords());
                    copy.follow();
                    writer.append(300, 200);
                    feed(leader, copy);
                    assertSame(leader, copy, writer);
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("pairings")
    void shouldLeadOnceItIsPromoted(JournalKind leaderKind, JournalKind copyKind) throws JournalException {
        UUID storeId;
        long last;
        try (CopyJournal leader = leader(leaderKind)) {
            // given
            storeId = leader.storeId();
            LogWriter writer = new LogWriter(leader);
            try (CopyJournal copy = copy(copyKind, storeId)) {
                copy.scan(Position.BEGINNING, new FoundRecords());
                copy.follow();
                writer.append(300, 200);
                feed(leader, copy);
                last = writer.sequence();

                // when
                assertThatThrownBy(() -> copy.begin(1))
                        .isInstanceOf(JournalException.class)
                        .hasMessageContaining("the epoch 1 is over");
                copy.begin(2);
                byte[] own = LogWriter.record(2, last + 1, copy.end(), last, 200);

                // then
                assertThat(copy.append(own, own.length)).isEqualTo(leader.end());
                writer.append(200);
            }
        }

        // and the one that led before goes on as a copy, without what it alone had
        try (CopyJournal promoted = copy(copyKind, storeId);
                CopyJournal returned = leader(leaderKind)) {
            FoundRecords found = new FoundRecords();
            promoted.scan(Position.BEGINNING, found);
            returned.scan(Position.BEGINNING, new FoundRecords());
            long position = found.positions().get((int) last);
            assertThat(returned.end()).isGreaterThan(position);
            returned.cutBack(position);
            FoundRecords left = new FoundRecords();
            returned.scan(Position.BEGINNING, left);
            assertThat(left.sequences()).isEqualTo(FoundRecords.from(1, last));
            returned.follow();
            feed(promoted, returned);
            assertThat(returned.end()).isEqualTo(promoted.end());
            byte[] here = new byte[200];
            byte[] there = new byte[200];
            returned.read(position, here, 0, here.length);
            promoted.read(position, there, 0, there.length);
            assertThat(travelling(here)).isEqualTo(travelling(there));
            assertThat(RecordHeader.epoch(here, 0)).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldTakeNothingButTheNextRecord(JournalKind kind) throws JournalException {
        try (CopyJournal copy = copy(kind, UUID.randomUUID())) {
            // given
            copy.scan(Position.BEGINNING, new FoundRecords());
            copy.follow();
            byte[] first = LogWriter.record(3, 1, Position.FIRST, 0, 100);
            copy.appendCopy(first, first.length, 0);
            long next = copy.end();

            // when, then
            assertRefused(copy, LogWriter.record(3, 2, next + 8, 0, 100), "record 2 at position " + (next + 8));
            assertRefused(copy, LogWriter.record(3, 3, next, 0, 100), "where record 2 at position " + next);
            assertRefused(copy, LogWriter.record(2, 2, next, 0, 100), "of epoch 2, which was over with epoch 3");
            byte[] damaged = LogWriter.record(3, 2, next, 0, 100);
            damaged[80] ^= 1;
            assertRefused(copy, damaged, "is damaged");
            byte[] whole = LogWriter.record(4, 2, next, 0, 100);
            assertThat(copy.appendCopy(whole, whole.length, 1)).isEqualTo(next);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldCutBackAtEveryRecord(JournalKind kind) throws JournalException {
        // given
        UUID storeId;
        LogWriter writer;
        try (CopyJournal journal = leader(kind)) {
            storeId = journal.storeId();
            writer = new LogWriter(journal);
            appendSegments(writer, journal, 3);
            writer.force();
        }
        long left = writer.sequence();
        while (left > 0) {
            long cut = Math.max(1, left - 97);
            try (CopyJournal journal = leader(kind)) {
                journal.scan(Position.BEGINNING, new FoundRecords());
                assertThatThrownBy(() -> journal.cutBack(writer.position(cut) + 8))
                        .isInstanceOf(JournalException.class);

                // when
                journal.cutBack(writer.position(cut));

                // then
                assertThatThrownBy(() -> journal.begin(9)).isInstanceOf(IllegalStateException.class);
            }
            try (CopyJournal journal = leader(kind)) {
                FoundRecords found = new FoundRecords();
                ScanResult result = journal.scan(Position.BEGINNING, found);
                assertThat(found.sequences()).isEqualTo(FoundRecords.from(1, cut - 1));
                assertThat(result.tornTails()).isZero();
                assertThat(journal.end()).isEqualTo(writer.position(cut));
                assertThat(cut == 1 || journal.storeId().equals(storeId)).isTrue();
            }
            left = cut - 1;
        }
    }

    @Test
    void shouldCutAllOrNothingWheneverThePowerFails() throws IOException {
        for (SplittableRandom kept : Arrays.asList(null, new SplittableRandom(1))) {
            for (Operation operation : Operation.values()) {
                for (int nth = 1; nth < 12; nth++) {
                    // given
                    FaultyStorage storage = new FaultyStorage();
                    LogWriter writer;
                    try (CopyJournal journal = FileJournal.open(storage, DISK, LEADER_SEGMENT_BYTES)) {
                        writer = new LogWriter(journal);
                        appendSegments(writer, journal, 4);
                        writer.force();
                    }
                    long cut = writer.sequence() / 3;

                    // when
                    try (CopyJournal journal = FileJournal.open(storage, DISK, LEADER_SEGMENT_BYTES)) {
                        journal.scan(Position.BEGINNING, new FoundRecords());
                        storage.failAt(operation, nth, Fault.CRASH);
                        journal.cutBack(writer.position(cut));
                    } catch (JournalException e) {
                        // the crash
                    }
                    storage.losePower(kept == null ? null : kept.split());
                    storage.restart();

                    // then
                    FoundRecords found = new FoundRecords();
                    try (CopyJournal journal = FileJournal.open(storage, DISK, LEADER_SEGMENT_BYTES)) {
                        journal.scan(Position.BEGINNING, found);
                    }
                    assertThat((long) found.sequences().size())
                            .as("%s %d", operation, nth)
                            .isIn(cut - 1, writer.sequence());
                }
            }
        }
    }

    @Test
    void shouldSurviveALossOfPowerAtEachOfItsWrites() throws IOException {
        for (Operation operation : List.of(Operation.WRITE, Operation.FORCE, Operation.RENAME, Operation.ALLOCATE)) {
            for (int nth = 1; nth < 40; nth += 3) {
                // given
                FaultyStorage storage = new FaultyStorage();
                SplittableRandom random = new SplittableRandom(nth);
                try (CopyJournal leader = leader(JournalKind.FILE, directory.resolve(operation + "-" + nth))) {
                    LogWriter writer = new LogWriter(leader);
                    writer.append(700, 200);

                    // when
                    long forced = feedUntilTheCrash(leader, storage, operation, nth);
                    storage.losePower(random.nextBoolean() ? random.split() : null);
                    storage.restart();

                    // then
                    try (CopyJournal copy = FileJournal.open(storage, DISK, COPY_SEGMENT_BYTES)) {
                        copy.adopt(leader.storeId());
                        FoundRecords found = new FoundRecords();
                        copy.scan(Position.BEGINNING, found);
                        assertThat((long) found.sequences().size()).isGreaterThanOrEqualTo(forced);
                        copy.follow();
                        feed(leader, copy);
                        copy.force();
                        assertSame(leader, copy, writer);
                    }
                    try (CopyJournal copy = FileJournal.open(storage, DISK, COPY_SEGMENT_BYTES)) {
                        FoundRecords found = new FoundRecords();
                        copy.scan(Position.BEGINNING, found);
                        assertThat(found.sequences()).isEqualTo(FoundRecords.from(1, writer.sequence()));
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseToBeACopyOfAnotherStore(JournalKind kind) throws JournalException {
        // given
        UUID storeId;
        try (CopyJournal journal = leader(kind)) {
            storeId = journal.storeId();
            new LogWriter(journal).appendForced(3, 100);
        }

        // when, then
        UUID other = UUID.randomUUID();
        try (CopyJournal journal = leader(kind)) {
            assertThat(journal.storeId()).isEqualTo(storeId);
            journal.adopt(storeId);
            assertThatThrownBy(() -> journal.adopt(other))
                    .isInstanceOf(JournalException.class)
                    .hasMessageContaining(storeId.toString())
                    .hasMessageContaining(other.toString());
        }
    }

    /** Returns the sequence up to which the copy had forced. */
    private static long feedUntilTheCrash(CopyJournal leader, FaultyStorage storage, Operation operation, int nth) {
        long forced = 0;
        try (CopyJournal copy = FileJournal.open(storage, DISK, COPY_SEGMENT_BYTES)) {
            copy.adopt(leader.storeId());
            copy.scan(Position.BEGINNING, new FoundRecords());
            copy.follow();
            storage.failAt(operation, nth, Fault.CRASH);
            RecordTail tail = new RecordTail(leader, copy.end());
            while (tail.next(leader.end())) {
                copy.appendCopy(tail.record(), tail.length(), forced);
                long sequence = RecordHeader.sequence(tail.record(), 0);
                if (sequence % 20 == 0) {
                    copy.force();
                    forced = sequence;
                }
            }
        } catch (JournalException e) {
            // the crash
        }
        return forced;
    }

    private static void feed(CopyJournal from, CopyJournal to) throws JournalException {
        feed(from, to, to.end(), from.end());
    }

    private static void feed(CopyJournal from, CopyJournal to, long position, long end) throws JournalException {
        RecordTail tail = new RecordTail(from, position);
        long durable = 0;
        while (tail.next(end)) {
            to.appendCopy(tail.record(), tail.length(), durable);
            if (RecordHeader.sequence(tail.record(), 0) % 50 == 0) {
                to.force();
                durable = RecordHeader.sequence(tail.record(), 0);
            }
        }
    }

    private static void assertRefused(CopyJournal copy, byte[] record, String reason) {
        long end = copy.end();
        assertThatThrownBy(() -> copy.appendCopy(record, record.length, 0))
                .isInstanceOf(CopyRefusedException.class)
                .hasMessageContaining(reason);
        assertThat(copy.end()).isEqualTo(end);
    }

    private static void assertSame(Journal leader, Journal copy, LogWriter writer) throws JournalException {
        for (long sequence = 1; sequence <= writer.sequence(); sequence++) {
            long position = writer.position(sequence);
            byte[] there = new byte[150];
            byte[] here = new byte[150];
            leader.read(position, there, 0, there.length);
            copy.read(position, here, 0, here.length);
            assertThat(travelling(here)).isEqualTo(travelling(there));
            copy.read(position + 70, here, 0, 30);
            assertThat(Arrays.copyOf(here, 30)).isEqualTo(Arrays.copyOfRange(there, 70, 100));
        }
    }

    private static byte[] travelling(byte[] record) {
        return Arrays.copyOfRange(record, RecordHeader.LOCAL_BYTES, record.length);
    }

    private static void appendSegments(LogWriter writer, Journal journal, int count) throws JournalException {
        while (journal.segments().size() < count) {
            writer.append(150 + (int) (writer.sequence() % 400));
        }
    }

    private CopyJournal leader(JournalKind kind) throws JournalException {
        return leader(kind, directory.resolve("leader"));
    }

    private static CopyJournal leader(JournalKind kind, Path path) throws JournalException {
        return (CopyJournal) kind.open(new DiskStorage(), path, LEADER_SEGMENT_BYTES);
    }

    private CopyJournal copy(JournalKind kind, UUID storeId) throws JournalException {
        CopyJournal copy = (CopyJournal) kind.open(new DiskStorage(), directory.resolve("copy"), COPY_SEGMENT_BYTES);
        copy.adopt(storeId);
        return copy;
    }
}
