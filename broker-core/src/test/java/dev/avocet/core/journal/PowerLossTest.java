package dev.avocet.core.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.avocet.core.journal.disk.DiskStorage;
import dev.avocet.testkit.LoopDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The power of a real file system is cut while a process writes; what it had called durable must be there afterwards.
 * Skipped where this machine cannot mount loop devices.
 */
class PowerLossTest {
    private static final long DISK_BYTES = 256L << 20;

    @TempDir
    private Path directory;

    private final SplittableRandom random = new SplittableRandom();

    @BeforeAll
    static void requireLoopDevices() {
        assumeThat(LoopDisk.obstacle())
                .as("power cuts need root and loop devices")
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void shouldLoseNothingThatWasDurable(JournalKind kind) throws IOException, InterruptedException {
        cutAgainAndAgain(kind, 2, 12);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("fault")
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    void shouldLoseNothingThatWasDurableInManyCuts(JournalKind kind) throws IOException, InterruptedException {
        cutAgainAndAgain(kind, 20, 110);
    }

    /** That the others can fail: the same with a disk that forgets to force. */
    @ParameterizedTest
    @EnumSource
    void shouldFindOutWhenNothingIsForced(JournalKind kind) throws IOException, InterruptedException {
        try (LoopDisk disk = LoopDisk.create(directory, DISK_BYTES)) {
            // when
            long durable = writeUntilThePowerIsCut(disk, kind, 12, false);

            // then
            assertThat(durable).isPositive();
            assertThat(lastSequenceOrDamage(disk, kind)).isLessThan(durable);
        }
    }

    /** @param rolls new segments between two cuts, at least */
    private void cutAgainAndAgain(JournalKind kind, int cuts, int rolls) throws IOException, InterruptedException {
        try (LoopDisk disk = LoopDisk.create(directory, DISK_BYTES)) {
            for (int cut = 1; cut <= cuts; cut++) {
                // when
                long durable = writeUntilThePowerIsCut(disk, kind, rolls, true);

                // then
                assertThat(lastSequence(disk, kind)).as("after cut %s", cut).isGreaterThanOrEqualTo(durable);
            }
        }
    }

    /**
     * Returns the last record that was heard to be durable before the cut. What is said during the cut does not count:
     * the file system first stops to note which reserved blocks are in use and only then lets forces fail, so one in
     * between may succeed for nothing. When the power really goes, nobody is left to hear of such a force.
     */
    private long writeUntilThePowerIsCut(LoopDisk disk, JournalKind kind, int rolls, boolean forces)
            throws IOException, InterruptedException {
        try (JournalProcess process = JournalProcess.start(List.of(), kind, journalOn(disk), forces)) {
            process.await("it to begin", () -> process.segments() > 0);
            int segments = process.segments() + rolls;
            long records = random.nextInt(200);
            process.await("enough segments", () -> process.segments() >= segments);
            long durable = process.durable() + records;
            process.await("a moment in the middle", () -> process.durable() >= durable);
            long heard = process.durable();
            disk.cutPower();
            process.kill();
            disk.restart();
            return heard;
        }
    }

    /** Also makes room: what is before the last record's segment is dropped. */
    private long lastSequence(LoopDisk disk, JournalKind kind) throws JournalException {
        try (Journal journal = kind.open(new DiskStorage(), journalOn(disk), JournalProcess.SEGMENT_BYTES)) {
            FoundRecords found = new FoundRecords();
            ScanResult result = journal.scan(Position.BEGINNING, found);
            if (result.records() > 0) {
                assertThat(found.sequences())
                        .containsExactlyElementsOf(
                                FoundRecords.from(found.sequences().get(0), result.lastSequence()));
                dropBefore(
                        journal,
                        journal.map()
                                .segmentOf(
                                        found.positions().get(found.positions().size() - 1)));
            }
            return result.lastSequence();
        }
    }

    private static void dropBefore(Journal journal, int number) throws JournalException {
        for (Segment segment : journal.segments()) {
            if (segment.number() < number) {
                journal.drop(segment.number());
            }
        }
    }

    private long lastSequenceOrDamage(LoopDisk disk, JournalKind kind) throws JournalException {
        try (Journal journal = kind.open(new DiskStorage(), journalOn(disk), JournalProcess.SEGMENT_BYTES)) {
            return journal.scan(Position.BEGINNING, new FoundRecords()).lastSequence();
        } catch (CorruptJournalException e) {
            return 0;
        }
    }

    private static Path journalOn(LoopDisk disk) {
        return disk.path().resolve("journal");
    }
}
