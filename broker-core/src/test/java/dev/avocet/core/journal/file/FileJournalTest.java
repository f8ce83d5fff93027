package dev.avocet.core.journal.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.avocet.core.journal.FoundRecords;
import dev.avocet.core.journal.Journal;
import dev.avocet.core.journal.JournalContractTest;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.LogWriter;
import dev.avocet.core.journal.Position;
import dev.avocet.core.journal.Segment;
import dev.avocet.core.journal.disk.DiskStorage;
import dev.avocet.core.journal.disk.Storage;
import dev.avocet.core.journal.disk.StorageFile;
import dev.avocet.core.journal.record.RecordHeader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class FileJournalTest extends JournalContractTest {
    @Override
    protected Journal openJournal(Path inDirectory) throws JournalException {
        return FileJournal.open(new DiskStorage(), inDirectory, FileJournal.MIN_SEGMENT_BYTES);
    }

    @Test
    void shouldTakeRecordsLargerThanItsBuffers() throws JournalException {
        // given
        FileJournal journal = FileJournal.open(new DiskStorage(), directory, 8 << 20);
        LogWriter writer = new LogWriter(journal);
        SplittableRandom sizes = new SplittableRandom(1);

        // when
        for (int i = 0; i < 12; i++) {
            writer.append(sizes.nextInt(200_000, 4_000_000));
            writer.append(sizes.nextInt(100, 3_000));
        }
        writer.append(journal.maxRecordBytes());
        writer.append(256 * 1024);
        writer.append(1 << 20);
        writer.force();
        journal.close();

        // then
        FoundRecords found = new FoundRecords();
        FileJournal again = FileJournal.open(new DiskStorage(), directory, 8 << 20);
        again.scan(Position.BEGINNING, found);
        assertThat(found.sequences()).isEqualTo(FoundRecords.from(1, writer.sequence()));
    }

    @Test
    void shouldOpenOnlySoManyFilesToRead() throws JournalException {
        // given
        Journal journal = open();
        LogWriter writer = new LogWriter(journal);
        writer.append(200, FileJournal.MIN_SEGMENT_BYTES / 2 + 100);
        assertThat(journal.segments()).hasSize(200);
        long before = openFiles();

        // when
        byte[] target = new byte[100];
        for (long sequence = 1; sequence <= 200; sequence++) {
            journal.read(writer.position(sequence) + RecordHeader.BYTES, target, 0, 100);
            assertThat(target).isEqualTo(LogWriter.body(sequence, 100));
        }

        // then
        assertThat(openFiles() - before).isLessThan(100);
        journal.close();
        assertThat(openFiles()).isLessThan(before + 30);
    }

    @Test
    void shouldNotBeHarmedByAReaderWhoIsInterrupted() throws JournalException {
        // given
        Journal journal = open();
        LogWriter writer = new LogWriter(journal);
        long position = writer.append(300);

        // when
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> journal.read(position, new byte[300], 0, 300)).isInstanceOf(JournalException.class);
        assertThat(Thread.interrupted()).isTrue();

        // then
        journal.read(position, new byte[300], 0, 300);
        writer.appendForced(5, 300);
    }

    @Test
    void shouldNotGiveBackWhatAnotherSegmentHasWrittenIntoTheFileMeanwhile() throws JournalException {
        // given a disk on which the segment is dropped, and its file used again, while it is read
        AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {});
        Storage slow = slowToRead(new DiskStorage(), meanwhile);
        FileJournal journal = FileJournal.open(slow, directory, FileJournal.MIN_SEGMENT_BYTES);
        LogWriter writer = new LogWriter(journal);
        writer.append(3, 40_000);
        meanwhile.set(() -> {
            try {
                journal.drop(1);
                writer.append(40_000);
            } catch (JournalException e) {
                throw new UncheckedIOException(e);
            }
        });

        // when, then
        assertThatThrownBy(() -> journal.read(writer.position(1), new byte[300], 0, 300))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining("dropped");
        assertThat(journal.segments()).extracting(Segment::number).containsExactly(2, 3, 4);
        journal.close();
    }

    private static Storage slowToRead(Storage disk, AtomicReference<Runnable> meanwhile) {
        return proxy(Storage.class, (self, method, arguments) -> {
            Object result = call(disk, method, arguments);
            return method.getName().equals("openForReading")
                    ? proxy(StorageFile.class, (file, operation, its) -> {
                        meanwhile.getAndSet(() -> {}).run();
                        return call(result, operation, its);
                    })
                    : result;
        });
    }

    private static Object call(Object target, Method method, Object... arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    @Test
    void shouldRefuseToReadBehindTheEnd() throws JournalException {
        // given
        Journal journal = open();
        LogWriter writer = new LogWriter(journal);
        long position = writer.append(300);

        // when, then
        int tooMuch = FileJournal.MIN_SEGMENT_BYTES;
        assertThatThrownBy(() -> journal.read(position, new byte[tooMuch], 0, tooMuch))
                .isInstanceOf(JournalException.class);
        assertThatThrownBy(() -> journal.read(position + (1 << 20), new byte[8], 0, 8))
                .isInstanceOf(JournalException.class);
    }

    @Test
    void shouldGiveBackTheRoomThatALifeHasNotUsed() throws JournalException {
        // given
        Journal journal = open();
        new LogWriter(journal).appendForced(3, 1000);

        // when
        Journal again = reopen(journal);
        new LogWriter(again, again.scan(Position.BEGINNING, new FoundRecords()));

        // then
        assertThat(again.segments().get(0).sizeBytes()).isLessThan(4000);
        assertThat(again.segments().get(1).sizeBytes()).isEqualTo(FileJournal.MIN_SEGMENT_BYTES);
    }

    @Test
    void shouldLeaveOtherFilesAlone() throws IOException {
        // given
        Path other = Files.writeString(directory.resolve("journal-12.seg.backup"), "mine");
        Journal journal = open();

        // when
        new LogWriter(journal).appendForced(3, 1000);

        // then
        assertThat(reopen(journal).segments()).hasSize(1);
        assertThat(other).hasContent("mine");
    }

    private static long openFiles() {
        return ((UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getOpenFileDescriptorCount();
    }
}
