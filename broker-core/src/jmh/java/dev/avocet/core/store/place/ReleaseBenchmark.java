package dev.avocet.core.store.place;

import dev.avocet.core.journal.FilePlace;
import dev.avocet.core.journal.SegmentMap;
import dev.avocet.core.journal.SegmentMaps;
import dev.avocet.core.loop.MemoryGuard;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What it costs, for each acknowledged message, that its segment has one reference less: collected for each record of a
 * hundred, and told to the shared table at once. Two loops do it at the same time, with the acknowledged messages lying
 * in one segment or in many.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Threads(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class ReleaseBenchmark {
    private static final int BATCH = 100;
    private static final int SIZE_BYTES = 60;

    @Param({"1", "3", "100"})
    private int segments;

    private static final SegmentMap MAP = SegmentMaps.upTo(1100);

    private final SegmentTable table = new SegmentTable(() -> MAP);
    private final MemoryBudget budget = new MemoryBudget(1L << 40, new MemoryGuard());
    private final long[] positions = new long[BATCH];

    @Setup
    public void fill() {
        for (int segment = 1; segment <= segments; segment++) {
            table.appended(1000 + segment, Integer.MAX_VALUE, 1L << 50);
        }
        for (int i = 0; i < BATCH; i++) {
            positions[i] = FilePlace.of(1001 + i % segments, 60L * i);
        }
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public void collected(Loop loop) {
        loop.begin(table);
        for (long position : positions) {
            loop.releases.add(position, SIZE_BYTES);
        }
        loop.releases.flush();
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public void atOnce() {
        for (long position : positions) {
            table.release(position, SIZE_BYTES);
        }
    }

    /** The other thing that loops share for each message. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public boolean memory() {
        boolean kept = true;
        for (int i = 0; i < BATCH; i++) {
            kept &= budget.keep(SIZE_BYTES);
            budget.letGo(SIZE_BYTES);
        }
        return kept;
    }

    /** What each loop has of its own. */
    @State(Scope.Thread)
    public static class Loop {
        SegmentReleases releases = new SegmentReleases(new SegmentTable(() -> MAP));
        private boolean begun;

        void begin(SegmentTable table) {
            if (!begun) {
                releases = new SegmentReleases(table);
                begun = true;
            }
        }
    }
}
