package dev.avocet.core.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.journal.disk.DiskStorage;
import dev.avocet.core.journal.disk.VolatileDisk;
import dev.avocet.core.journal.record.RecordHeader;
import dev.avocet.core.journal.record.RecordTail;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The power of a node is lost while its journal is fed with the records of another one, of whatever kinds the two are:
 * what was forced is there, and the copy goes on from where it is.
 */
class CopyPowerLossTest {
    private static final int RECORDS = 700;
    private static final int RECORD_BYTES = 200;
    private static final int LEADER_SEGMENT_BYTES = 96 << 10;
    /** So that the copy rolls elsewhere. */
    private static final int COPY_SEGMENT_BYTES = 64 << 10;

    private static final int RECORDS_PER_FORCE = 20;
    private static final int RECORDS_PER_LOSS = 37;
    private static final int LOSSES_PER_STEP = 3;

    @TempDir
    private Path directory;

    private final SplittableRandom random = new SplittableRandom(7);

    static Stream<Arguments> pairings() {
        return Stream.of(JournalKind.values())
                .flatMap(leader -> Stream.of(JournalKind.values()).map(copy -> Arguments.of(leader, copy)));
    }

    @ParameterizedTest
    @MethodSource("pairings")
    void shouldGoOnAfterALossOfPowerWhereverItWas(JournalKind leaderKind, JournalKind copyKind) throws IOException {
        VolatileDisk disk = new VolatileDisk();
        Path place = directory.resolve("copy");
        try (CopyJournal leader = open(leaderKind, "leader", LEADER_SEGMENT_BYTES);
                CopyJournal copy = (CopyJournal) copyKind.open(disk, place, COPY_SEGMENT_BYTES)) {
            // given
            LogWriter writer = new LogWriter(leader);
            writer.append(RECORDS, RECORD_BYTES);
            copy.adopt(leader.storeId());
            copy.scan(Position.BEGINNING, new FoundRecords());
            copy.follow();
            copy.force();
            disk.forceAll(place);

            // when
            int losses = 0;
            long forced = 0;
            RecordTail tail = new RecordTail(leader, copy.end());
            while (tail.next(leader.end())) {
                int segments = copy.segments().size();
                copy.appendCopy(tail.record(), tail.length(), forced);
                long sequence = RecordHeader.sequence(tail.record(), 0);
                if (sequence % RECORDS_PER_LOSS == 0 || copy.segments().size() > segments) {
                    String name = "lost-" + sequence;
                    disk.losePower(random.split(), place, directory.resolve(name));
                    losses++;

                    // then
                    assertGoesOn(leader, copyKind, name, forced);
                }
                if (sequence % RECORDS_PER_FORCE == 0) {
                    copy.force();
                    forced = sequence;
                }
            }
            assertThat(losses).isGreaterThan(RECORDS / RECORDS_PER_LOSS);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldCutAllOrNothingWhereverThePowerIsLost(JournalKind kind) throws IOException {
        // given
        Path place = directory.resolve("journal");
        long last;
        long cut;
        long position;
        try (CopyJournal journal = open(kind, "journal", COPY_SEGMENT_BYTES)) {
            LogWriter writer = new LogWriter(journal);
            writer.append(RECORDS * 2, RECORD_BYTES);
            writer.force();
            last = writer.sequence();
            cut = RECORDS / 2;
            position = writer.position(cut);
        }
        int[] losses = {0};
        VolatileDisk[] disk = new VolatileDisk[1];
        disk[0] = new VolatileDisk(() -> {
            for (int i = 0; i < LOSSES_PER_STEP; i++) {
                loseIn(disk[0], place, "lost-" + losses[0]++);
            }
        });
        disk[0].forceAll(place);

        // when
        try (CopyJournal journal = (CopyJournal) kind.open(disk[0], place, COPY_SEGMENT_BYTES)) {
            journal.scan(Position.BEGINNING, new FoundRecords());
            journal.cutBack(position);
        }
        loseIn(disk[0], place, "lost-" + losses[0]++);

        // then
        int whole = 0;
        for (int loss = 0; loss < losses[0]; loss++) {
            FoundRecords found = new FoundRecords();
            try (CopyJournal journal = open(kind, "lost-" + loss, COPY_SEGMENT_BYTES)) {
                journal.scan(Position.BEGINNING, found);
            }
            assertThat((long) found.sequences().size()).as("loss %d", loss).isIn(cut - 1, last);
            whole += found.sequences().size() == last ? 1 : 0;
        }
        assertThat(whole).isBetween(1, losses[0] - 1);
    }

    private void loseIn(VolatileDisk disk, Path place, String name) {
        try {
            disk.losePower(random.split(), place, directory.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void assertGoesOn(CopyJournal leader, JournalKind kind, String name, long forced) throws JournalException {
        try (CopyJournal copy = open(kind, name, COPY_SEGMENT_BYTES)) {
            copy.adopt(leader.storeId());
            FoundRecords found = new FoundRecords();
            copy.scan(Position.BEGINNING, found);
            assertThat((long) found.sequences().size()).as(name).isGreaterThanOrEqualTo(forced);
            copy.follow();
            RecordTail tail = new RecordTail(leader, copy.end());
            while (tail.next(leader.end())) {
                copy.appendCopy(tail.record(), tail.length(), forced);
            }
            copy.force();
            assertThat(copy.end()).isEqualTo(leader.end());
        }
        try (CopyJournal copy = open(kind, name, COPY_SEGMENT_BYTES)) {
            FoundRecords found = new FoundRecords();
            copy.scan(Position.BEGINNING, found);
            assertThat(found.sequences()).as(name).isEqualTo(FoundRecords.from(1, RECORDS));
            byte[] there = new byte[RECORD_BYTES];
            byte[] here = new byte[RECORD_BYTES];
            for (long position : found.positions()) {
                leader.read(position, there, 0, there.length);
                copy.read(position, here, 0, here.length);
                assertThat(travelling(here)).isEqualTo(travelling(there));
            }
        }
    }

    private static byte[] travelling(byte[] record) {
        return Arrays.copyOfRange(record, RecordHeader.LOCAL_BYTES, record.length);
    }

    private CopyJournal open(JournalKind kind, String name, int segmentBytes) throws JournalException {
        return (CopyJournal) kind.open(new DiskStorage(), directory.resolve(name), segmentBytes);
    }
}
