package dev.avocet.core.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.avocet.core.journal.disk.DiskStorage;
import dev.avocet.core.journal.record.RecordHeader;
import dev.avocet.testkit.LoopDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A real file system without a free block. Skipped where this machine cannot mount loop devices. */
class FullDiskTest {
    private static final int SEGMENT_BYTES = 256 * 1024;
    private static final long DISK_BYTES = 12L << 20;

    @TempDir
    private Path directory;

    @BeforeAll
    static void requireLoopDevices() {
        assumeThat(LoopDisk.obstacle())
                .as("a small disk needs root and loop devices")
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void shouldFillTheDiskAndGoOnWhenSegmentsAreDropped(JournalKind kind) throws IOException {
        try (LoopDisk disk = LoopDisk.create(directory, DISK_BYTES);
                Journal journal = open(kind, disk)) {
            // given
            LogWriter writer = new LogWriter(journal);

            for (int round = 1; round <= 3; round++) {
                // when
                assertThatThrownBy(() -> fill(journal, writer)).isInstanceOf(JournalFullException.class);

                // then
                assertThat(journal.prepareSpare()).isFalse();
                writer.force();
                for (Segment segment : journal.segments().subList(0, 5)) {
                    journal.drop(segment.number());
                }
                assertThat(journal.prepareSpare()).isTrue();
            }
            writer.append(1_000);
            writer.force();
            assertReadable(journal, writer);
        }
    }

    /**
     * The others on the disk take the last block while a segment is being written: what was reserved is still there.
     */
    @ParameterizedTest
    @EnumSource
    void shouldWriteIntoTheReserveOfADiskThatOthersFill(JournalKind kind) throws IOException {
        try (LoopDisk disk = LoopDisk.create(directory, DISK_BYTES)) {
            // when
            long written = fillBesideOthers(kind, disk);

            // then a start finds all of it, and what is missing
            assertThat(written).isGreaterThan(2 * SEGMENT_BYTES / 1_200);
            try (Journal again = open(kind, disk)) {
                ScanResult result = again.scan(Position.BEGINNING, new FoundRecords());
                assertThat(result.lastSequence()).isEqualTo(written);
                assertThatThrownBy(() -> again.begin(2)).isInstanceOf(JournalFullException.class);
            }

            // and goes on when there is room
            Files.delete(disk.path().resolve("others"));
            try (Journal again = open(kind, disk)) {
                LogWriter next = new LogWriter(again, again.scan(Position.BEGINNING, new FoundRecords()));
                next.appendForced(3, 500);
                assertThat(next.sequence()).isEqualTo(written + 3);
            }
        }
    }

    /** Returns the last record. */
    private static long fillBesideOthers(JournalKind kind, LoopDisk disk) throws IOException {
        try (Journal journal = open(kind, disk)) {
            LogWriter writer = new LogWriter(journal);
            writer.append(1_000);
            assertThat(journal.prepareSpare()).isTrue();
            disk.fill();

            assertThatThrownBy(() -> fill(journal, writer)).isInstanceOf(JournalFullException.class);
            writer.force();
            assertThat(journal.segments()).hasSize(2);
            assertReadable(journal, writer);
            return writer.sequence();
        }
    }

    private static Journal open(JournalKind kind, LoopDisk disk) throws JournalException {
        return kind.open(new DiskStorage(), disk.path().resolve("journal"), SEGMENT_BYTES);
    }

    private static void fill(Journal journal, LogWriter writer) throws JournalException {
        while (journal.sizeBytes() < 2 * DISK_BYTES) {
            writer.append(1_000);
        }
    }

    private static void assertReadable(Journal journal, LogWriter writer) throws JournalException {
        for (long sequence = writer.sequence(); sequence > 0; sequence--) {
            long position = writer.position(sequence);
            if (journal.map().segmentOf(position) == 0) {
                break;
            }
            byte[] record = new byte[1_000];
            journal.read(position, record, 0, record.length);
            assertThat(RecordHeader.isValid(record, 0, record.length)).isTrue();
            assertThat(RecordHeader.sequence(record, 0)).isEqualTo(sequence);
        }
    }
}
