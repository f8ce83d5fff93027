package dev.avocet.core.journal.file;

import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.Segment;
import dev.avocet.core.journal.disk.DiskStorage;
import dev.avocet.core.journal.record.RecordHeader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a record costs in plain files: appended only, and appended and forced one at a time. Beside it a thread prepares
 * segments and drops old ones, as in the broker. Run it where the directory of temporary files (java.io.tmpdir) is on
 * the disk in question.
 */
@State(Scope.Benchmark)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class FileJournalBenchmark {
    private static final int KEPT_SEGMENTS = 3;

    @Param({"256", "4096", "65536"})
    public int recordBytes;

    private byte[] record;
    private Path directory;
    private FileJournal journal;
    private Thread housekeeper;
    private volatile boolean stopped;
    private long sequence;

    @Setup
    public void open() throws IOException {
        record = new byte[recordBytes];
        directory = Files.createTempDirectory("journal-benchmark");
        journal = FileJournal.open(new DiskStorage(), directory, FileJournal.DEFAULT_SEGMENT_BYTES);
        journal.begin(1);
        journal.prepareSpare();
        housekeeper = new Thread(this::keepHouse, "housekeeper");
        housekeeper.start();
    }

    @TearDown
    public void close() throws IOException, InterruptedException {
        stopped = true;
        housekeeper.join();
        journal.close();
        DiskStorage disk = new DiskStorage();
        for (Path file : disk.list(directory)) {
            disk.delete(file);
        }
        disk.delete(directory);
    }

    @Benchmark
    @BenchmarkMode(Mode.AverageTime)
    public long append() throws JournalException {
        RecordHeader.write(record, recordBytes, 1, ++sequence, journal.end(), 0, 1);
        return journal.append(record, recordBytes);
    }

    @Benchmark
    @BenchmarkMode(Mode.SampleTime)
    public long appendAndForce() throws JournalException {
        long position = append();
        journal.force();
        return position;
    }

    private void keepHouse() {
        while (!stopped) {
            try {
                journal.prepareSpare();
                List<Segment> segments = journal.segments();
                if (segments.size() > KEPT_SEGMENTS) {
                    journal.drop(segments.get(0).number());
                }
            } catch (JournalException e) {
                throw new IllegalStateException(e);
            }
            LockSupport.parkNanos(1_000_000);
        }
    }
}
