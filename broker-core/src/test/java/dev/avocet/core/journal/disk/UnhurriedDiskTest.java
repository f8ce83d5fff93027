package dev.avocet.core.journal.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.core.journal.Journal;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.JournalKind;
import dev.avocet.core.journal.Position;
import dev.avocet.core.journal.record.RecordHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Neither who appends nor who ends waits for what the disk does at leisure. */
final class UnhurriedDiskTest {
    private static final int SEGMENT_BYTES = 1 << 20;
    private static final int RECORD_BYTES = 300_000;

    @TempDir
    Path directory;

    private long sequence;

    @ParameterizedTest
    @EnumSource
    void shouldNotWaitForAllTheZerosOfTheNextSegment(JournalKind kind) throws Exception {
        // given
        SlowDisk disk = new SlowDisk();
        try (Journal journal = kind.open(disk, directory, SEGMENT_BYTES)) {
            journal.scan(Position.BEGINNING, (position, bytes, offset, length) -> {});
            journal.begin(1);
            disk.fillsSlowly = true;
            CompletableFuture<Void> prepared = CompletableFuture.runAsync(() -> prepareSpare(journal));
            await().until(() -> disk.filled.get() > 0);

            // when
            appendUntilNextSegment(journal);

            // then
            prepared.join();
            assertThat(disk.filled.get()).as("pieces of zeros").isLessThan(SlowDisk.PIECES);
            journal.force();
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldNotWaitForThoseZerosAtTheEnd(JournalKind kind) throws Exception {
        // given
        SlowDisk disk = new SlowDisk();
        try (Journal journal = kind.open(disk, directory, SEGMENT_BYTES)) {
            journal.scan(Position.BEGINNING, (position, bytes, offset, length) -> {});
            journal.begin(1);
            disk.fillsSlowly = true;
            CompletableFuture<Void> prepared = CompletableFuture.runAsync(() -> prepareSpare(journal));
            await().until(() -> disk.filled.get() > 0);

            // when
            journal.hurry();

            // then
            prepared.join();
            assertThat(disk.filled.get()).as("pieces of zeros").isLessThan(SlowDisk.PIECES);
            assertThat(journal.hasSpare()).isTrue();
        }
    }

    @Test
    void shouldNotWaitForTheDeletionOfAnother() throws Exception {
        // given
        SlowDisk disk = new SlowDisk();
        try (Journal journal = JournalKind.FILE.open(disk, directory, SEGMENT_BYTES)) {
            journal.scan(Position.BEGINNING, (position, bytes, offset, length) -> {});
            journal.begin(1);
            int first = appendUntilNextSegment(journal);
            journal.force();
            journal.prepareSpare();
            disk.deletesSlowly = true;
            CompletableFuture<Void> dropped = CompletableFuture.runAsync(() -> drop(journal, first));
            disk.deleting.await();

            // when
            appendUntilNextSegment(journal);

            // then
            assertThat(dropped).isNotDone();
            disk.mayDelete.countDown();
            dropped.join();
        }
    }

    /** Returns the segment that was left. */
    private int appendUntilNextSegment(Journal journal) throws JournalException {
        byte[] record = new byte[RECORD_BYTES];
        int first = append(journal, record);
        while (append(journal, record) == first) {
            // there is room for more
        }
        return first;
    }

    private int append(Journal journal, byte[] record) throws JournalException {
        RecordHeader.write(record, record.length, 1, ++sequence, journal.end(), 0, 1);
        long position = journal.append(record, record.length);
        return journal.map().segmentOf(position);
    }

    private static void prepareSpare(Journal journal) {
        try {
            journal.prepareSpare();
        } catch (JournalException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void drop(Journal journal, int segment) {
        try {
            journal.drop(segment);
        } catch (JournalException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A disk that takes its time to be filled, and to delete. */
    private static final class SlowDisk extends ForwardingStorage {
        /** As large as those in which zeros are written. */
        static final int PIECES = SEGMENT_BYTES / (16 << 10);

        private static final long PIECE_NS = 40_000_000;

        final AtomicInteger filled = new AtomicInteger();
        final CountDownLatch deleting = new CountDownLatch(1);
        final CountDownLatch mayDelete = new CountDownLatch(1);
        volatile boolean fillsSlowly;
        volatile boolean deletesSlowly;

        @Override
        public void delete(Path file) throws IOException {
            if (deletesSlowly) {
                deleting.countDown();
                awaitDeletion();
            }
            super.delete(file);
        }

        private void awaitDeletion() throws IOException {
            try {
                mayDelete.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }

        private void fill() {
            filled.incrementAndGet();
            LockSupport.parkNanos(PIECE_NS);
        }

        @Override
        public StorageFile changed(StorageFile file) {
            return new ForwardingFile(file) {
                @Override
                public int write(ByteBuffer source, long offset) throws IOException {
                    if (fillsSlowly && source.remaining() == SEGMENT_BYTES / PIECES) {
                        fill();
                    }
                    return super.write(source, offset);
                }

                @Override
                public void allocate(long size, BooleanSupplier hurried) throws IOException {
                    for (int i = 0; fillsSlowly && i < PIECES && !hurried.getAsBoolean(); i++) {
                        fill();
                    }
                    super.allocate(size, hurried);
                }
            };
        }
    }
}
