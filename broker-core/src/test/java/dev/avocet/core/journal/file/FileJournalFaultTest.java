package dev.avocet.core.journal.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.core.journal.CorruptJournalException;
import dev.avocet.core.journal.FoundRecords;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.JournalFullException;
import dev.avocet.core.journal.JournalLives;
import dev.avocet.core.journal.LogWriter;
import dev.avocet.core.journal.Position;
import dev.avocet.core.journal.ScanResult;
import dev.avocet.core.journal.Segment;
import dev.avocet.core.journal.record.RecordHeader;
import dev.avocet.testkit.FaultyStorage;
import dev.avocet.testkit.FaultyStorage.Fault;
import dev.avocet.testkit.FaultyStorage.Operation;
import dev.avocet.testkit.RandomSuite;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A file journal on a disk that fails: at every single operation in turn, by becoming full, by losing its power. */
class FileJournalFaultTest {
    private static final Path DIRECTORY = Path.of("/disk/journal");

    /** What happens after the fault. */
    private enum Aftermath {
        RESTART,
        POWER_LOSS,
        POWER_LOSS_WITH_REMAINS;

        void happenTo(FaultyStorage storage) {
            switch (this) {
                case RESTART -> storage.restart();
                case POWER_LOSS -> storage.losePower(null);
                case POWER_LOSS_WITH_REMAINS -> storage.losePower(new SplittableRandom(storage.count(Operation.WRITE)));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Operation.class)
    void shouldKeepWhatWasAcknowledgedWhicheverOperationFails(Operation operation) throws JournalException {
        int count = operationsOfALife().get(operation);
        assertThat(count).isPositive();
        for (int nth = 1; nth <= count; nth++) {
            for (Fault fault : Fault.values()) {
                for (Aftermath aftermath : Aftermath.values()) {
                    // given a life behind it, and this one until something goes wrong
                    FaultyStorage storage = new FaultyStorage();
                    JournalLives lives = new JournalLives(storage);
                    firstLife(storage, lives);
                    storage.failAt(operation, nth, fault);
                    boolean failed = !liveUntilAFault(lives);

                    // when
                    long acknowledged = lives.acknowledged();
                    aftermath.happenTo(storage);

                    // then it starts, with all that was acknowledged, and goes on
                    lives.start();
                    assertThat(lives.acknowledged()).isGreaterThanOrEqualTo(acknowledged);
                    work(lives);
                    storage.losePower(null);
                    lives.start();
                    assertThat(failed && fault == Fault.SHORT).isFalse();
                }
            }
        }
    }

    private static long[] seeds() {
        return RandomSuite.seeds(4, 80);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldFindAllThatWasForcedWheneverThePowerFails(long seed) throws JournalException {
        for (int round = 0; round < 25; round++) {
            // given
            SplittableRandom random = new SplittableRandom(1000 * seed + round);
            FaultyStorage storage = new FaultyStorage();
            JournalLives lives = new JournalLives(storage);

            for (int life = 0; life < 12; life++) {
                // when
                if (random.nextInt(3) == 0) {
                    crashSoon(storage, random);
                }
                liveAtRandom(lives, random);
                if (random.nextInt(4) == 0) {
                    storage.restart();
                } else {
                    storage.losePower(random.nextInt(4) == 0 ? null : random);
                }

                // then
                lives.start();
                lives.end();
            }
        }
    }

    @Test
    void shouldFailForGoodWhenAForceHasFailed() throws JournalException {
        // given
        FaultyStorage storage = new FaultyStorage();
        FileJournal journal = FileJournal.open(storage, DIRECTORY, FileJournal.MIN_SEGMENT_BYTES);
        LogWriter writer = new LogWriter(journal);
        writer.append(100);
        storage.failAt(Operation.FORCE, 1, Fault.ERROR);

        // when, then
        assertThatThrownBy(journal::force)
                .isInstanceOf(JournalException.class)
                .hasMessageContaining(DIRECTORY.toString());
        assertThatThrownBy(journal::force).isInstanceOf(JournalException.class);
        assertThatThrownBy(() -> writer.append(100)).isInstanceOf(JournalException.class);
    }

    @Test
    void shouldUseUpTheSpareAndThenSayThatTheDiskIsFull() throws JournalException {
        // given
        FaultyStorage storage = new FaultyStorage();
        FileJournal journal = FileJournal.open(storage, DIRECTORY, FileJournal.MIN_SEGMENT_BYTES);
        LogWriter writer = new LogWriter(journal);
        assertThat(journal.prepareSpare()).isTrue();
        storage.capacity(2L * FileJournal.MIN_SEGMENT_BYTES);

        // when
        assertThatThrownBy(() -> writer.append(1000, 1000)).isInstanceOf(JournalFullException.class);

        // then
        assertThat(journal.segments()).hasSize(2);
        assertThat(journal.hasSpare()).isFalse();
        assertThat(journal.prepareSpare()).isFalse();
        assertThatThrownBy(() -> writer.append(1000)).isInstanceOf(JournalFullException.class);
        writer.force();

        // and what still fits is taken, and all of it once there is room
        writer.append(RecordHeader.BYTES);
        storage.capacity(3L * FileJournal.MIN_SEGMENT_BYTES);
        assertThat(journal.prepareSpare()).isTrue();
        writer.append(1000);
        writer.force();
        journal.close();
        storage.losePower(null);
        FoundRecords found = new FoundRecords();
        FileJournal.open(storage, DIRECTORY, FileJournal.MIN_SEGMENT_BYTES).scan(Position.BEGINNING, found);
        assertThat(found.sequences()).containsExactlyElementsOf(FoundRecords.from(1, writer.sequence()));
    }

    @Test
    void shouldNotBeginWithoutRoom() throws JournalException {
        // given
        FaultyStorage storage = new FaultyStorage();
        storage.capacity(1000);
        FileJournal journal = FileJournal.open(storage, DIRECTORY, FileJournal.MIN_SEGMENT_BYTES);

        // when, then
        assertThatThrownBy(() -> journal.begin(1)).isInstanceOf(JournalFullException.class);
        storage.capacity(FileJournal.MIN_SEGMENT_BYTES);
        new LogWriter(journal).appendForced(1, 100);
    }

    @Test
    void shouldMakeDurableWhatAKilledLifeHasLeftBeforeTheNextOneBuildsOnIt() throws JournalException {
        // given records that only the system has seen
        FaultyStorage storage = new FaultyStorage();
        FileJournal journal = FileJournal.open(storage, DIRECTORY, FileJournal.MIN_SEGMENT_BYTES);
        new LogWriter(journal).append(10, 100);
        storage.restart();

        // when the next life goes on behind them
        FileJournal next = FileJournal.open(storage, DIRECTORY, FileJournal.MIN_SEGMENT_BYTES);
        LogWriter writer = new LogWriter(next, next.scan(Position.BEGINNING, new FoundRecords()));
        writer.appendForced(2, 100);
        storage.losePower(null);

        // then
        FoundRecords found = new FoundRecords();
        FileJournal.open(storage, DIRECTORY, FileJournal.MIN_SEGMENT_BYTES).scan(Position.BEGINNING, found);
        assertThat(found.sequences()).containsExactlyElementsOf(FoundRecords.from(1, 12));
    }

    @Test
    void shouldTakeNothingInAFileThatIsUsedAgainForARecord() throws JournalException {
        // given a segment full of records
        FaultyStorage storage = new FaultyStorage();
        FileJournal journal = FileJournal.open(storage, DIRECTORY, FileJournal.MIN_SEGMENT_BYTES);
        LogWriter writer = new LogWriter(journal);
        writer.append(300, 500);
        writer.force();

        // when its file becomes the next one
        int allocations = storage.count(Operation.ALLOCATE);
        journal.drop(1);
        assertThat(journal.hasSpare()).isTrue();
        int last = journal.segments().get(journal.segments().size() - 1).number();
        while (journal.segments().stream().noneMatch(segment -> segment.number() == last + 1)) {
            writer.append(500);
        }
        writer.force();

        // then
        assertThat(storage.count(Operation.ALLOCATE)).isEqualTo(allocations);
        journal.close();
        FoundRecords found = new FoundRecords();
        ScanResult result = FileJournal.open(storage, DIRECTORY, FileJournal.MIN_SEGMENT_BYTES)
                .scan(Position.BEGINNING, found);
        assertThat(result.lastSequence()).isEqualTo(writer.sequence());
        assertThat(result.tornTails()).isZero();
        assertThat(found.positions()).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void shouldStopAtASegmentWithoutHeader() throws JournalException {
        // given
        FaultyStorage storage = new FaultyStorage();
        FileJournal journal = FileJournal.open(storage, DIRECTORY, FileJournal.MIN_SEGMENT_BYTES);
        new LogWriter(journal).appendForced(3, 100);
        Segment segment = journal.segments().get(0);

        // when
        storage.overwrite(segment.file(), 17, (byte) 1, (byte) 2);

        // then
        FileJournal again = FileJournal.open(storage, DIRECTORY, FileJournal.MIN_SEGMENT_BYTES);
        assertThatThrownBy(() -> again.scan(Position.BEGINNING, new FoundRecords()))
                .isInstanceOfSatisfying(CorruptJournalException.class, damage -> {
                    assertThat(damage.file()).isEqualTo(segment.file().toString());
                    assertThat(damage.offset()).isZero();
                });
    }

    private static Map<Operation, Integer> operationsOfALife() throws JournalException {
        FaultyStorage storage = new FaultyStorage();
        JournalLives lives = new JournalLives(storage);
        firstLife(storage, lives);
        Map<Operation, Integer> counts = new EnumMap<>(Operation.class);
        for (Operation operation : Operation.values()) {
            counts.put(operation, -storage.count(operation));
        }
        assertThat(liveUntilAFault(lives)).isTrue();
        counts.replaceAll((operation, before) -> before + storage.count(operation));
        return counts;
    }

    private static void firstLife(FaultyStorage storage, JournalLives lives) throws JournalException {
        lives.start();
        work(lives);
        storage.restart();
    }

    /** True when there was none that anybody has noticed. */
    private static boolean liveUntilAFault(JournalLives lives) {
        try {
            lives.start();
            work(lives);
            return true;
        } catch (JournalException e) {
            assertThat(e).isNotInstanceOf(CorruptJournalException.class).isNotInstanceOf(JournalFullException.class);
            return false;
        }
    }

    /** Five segments and a spare; the oldest one goes. */
    private static void work(JournalLives lives) throws JournalException {
        for (int i = 0; i < 22; i++) {
            if (i == 10) {
                lives.journal().prepareSpare();
            }
            if (i == 15) {
                lives.dropOldest();
            }
            lives.append(3000 + 1500 * (i % 7));
            lives.append(60);
            if (i % 2 == 0) {
                lives.force();
            }
        }
    }

    private static void liveAtRandom(JournalLives lives, SplittableRandom random) {
        try {
            lives.start();
            int steps = random.nextInt(120);
            for (int i = 0; i < steps; i++) {
                stepAtRandom(lives, random);
            }
        } catch (JournalException e) {
            assertThat(e).isNotInstanceOf(CorruptJournalException.class);
        }
    }

    private static void stepAtRandom(JournalLives lives, SplittableRandom random) throws JournalException {
        int step = random.nextInt(20);
        if (step < 14) {
            lives.append(RecordHeader.BYTES + random.nextInt(random.nextInt(5) == 0 ? 40_000 : 2_000));
        } else if (step < 17) {
            lives.force();
        } else if (step == 17) {
            lives.journal().prepareSpare();
        } else {
            lives.dropOldest();
        }
    }

    private static void crashSoon(FaultyStorage storage, SplittableRandom random) {
        Operation[] operations = Operation.values();
        storage.failAt(operations[random.nextInt(operations.length)], random.nextInt(1, 12), Fault.CRASH);
    }
}
