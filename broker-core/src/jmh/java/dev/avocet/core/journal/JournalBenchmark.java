package dev.avocet.core.journal;

import dev.avocet.core.journal.record.RecordHeader;
import java.io.IOException;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
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
 * What a journal costs on its own, for a message of 256 bytes: to append it, to make it durable, to read it back. An
 * append is measured with its share of the segments that it begins.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class JournalBenchmark {
    private static final int BODY_BYTES = 256;
    private static final int RECORD_BYTES = RecordHeader.BYTES + BODY_BYTES;
    private static final int READABLE = 100_000;

    @Param({"FILE", "CHRONICLE"})
    private MeasuredJournal kind;

    private final SplittableRandom random = new SplittableRandom(1);
    private final byte[] record = new byte[RECORD_BYTES];
    private final byte[] read = new byte[RECORD_BYTES];
    private final long[] positions = new long[READABLE];
    private BenchJournal bench;
    private Journal journal;
    private long sequence;
    private int segment;
    private int nextRead;

    @Setup(Level.Iteration)
    public void open() throws IOException {
        bench = new BenchJournal(kind);
        journal = bench.journal();
        journal.begin(1);
        for (int i = 0; i < READABLE; i++) {
            positions[i] = append();
        }
        journal.force();
    }

    @TearDown(Level.Iteration)
    public void close() throws IOException {
        bench.close();
    }

    @Benchmark
    public long append() throws JournalException {
        RecordHeader.write(record, RECORD_BYTES, 1, ++sequence, journal.end(), sequence - 1, 1);
        long position = journal.append(record, RECORD_BYTES);
        int now = journal.map().segmentOf(position);
        if (now != segment) {
            segment = now;
            bench.forgetOld();
        }
        return position;
    }

    /** What a durable message costs without any group: the floor of a commit's latency. */
    @Benchmark
    @BenchmarkMode(Mode.SampleTime)
    @OutputTimeUnit(TimeUnit.MICROSECONDS)
    public long appendAndForce() throws JournalException {
        long position = append();
        journal.force();
        return position;
    }

    @Benchmark
    public byte[] readInOrder() throws JournalException {
        nextRead = nextRead + 1 < READABLE ? nextRead + 1 : 0;
        journal.read(positions[nextRead], read, 0, RECORD_BYTES);
        return read;
    }

    @Benchmark
    public byte[] readAtRandom() throws JournalException {
        journal.read(positions[random.nextInt(READABLE)], read, 0, RECORD_BYTES);
        return read;
    }
}
