package dev.avocet.core.journal.commit;

import dev.avocet.core.journal.BenchJournal;
import dev.avocet.core.journal.CommitGate;
import dev.avocet.core.journal.CommitMode;
import dev.avocet.core.journal.JournalBenchmark;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.JournalLimits;
import dev.avocet.core.journal.MeasuredJournal;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.time.SystemClock;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Messages of 256 bytes through the group commit, durable: how long one takes that comes alone, and how many go through
 * when batches of them come as fast as they are taken. With {@code forcedHere} 0 the {@code journal} thread never
 * forces: the alternative that a lone message pays for with a wake-up.
 */
@State(Scope.Thread)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class GroupCommitBenchmark {
    private static final int MESSAGE_BYTES = 256;
    private static final int BATCH = 100;
    private static final int BATCHES = 256;

    @Param({"FILE", "CHRONICLE"})
    private MeasuredJournal kind;

    @Param({"4", "0"})
    private int forcedHere;

    private final byte[] message = new byte[MESSAGE_BYTES];
    private final BlockingQueue<Batch> free = new ArrayBlockingQueue<>(BATCHES);
    private final BlockingQueue<Batch> returned = new ArrayBlockingQueue<>(1);
    private Batch lone;
    private BenchJournal bench;
    private GroupCommit commit;
    private ExecutorService reclaim;

    @Setup
    public void open() throws IOException {
        bench = new BenchJournal(kind);
        reclaim = Executors.newSingleThreadExecutor(task -> new Thread(task, "reclaim"));
        CommitSetup setup = new CommitSetup(
                bench.journal(),
                CommitMode.SYNC,
                1,
                1,
                new JournalLimits(0, 0, Duration.ofSeconds(1), Duration.ofSeconds(10)),
                new Reclaim(),
                bench.disk(),
                new SystemClock());
        commit = new GroupCommit(setup, CommitGate.OPEN, forcedHere);
        commit.start();
        IoLoop loop = new IoLoop(0, Runnable::run, () -> true, new SystemClock(), new MemoryGuard());
        lone = new Batch(loop, returned::add);
        for (int i = 0; i < BATCHES; i++) {
            free.add(new Batch(loop, free::add));
        }
    }

    @TearDown
    public void close() throws IOException {
        commit.close();
        reclaim.shutdown();
        bench.close();
    }

    /** To be held against {@link JournalBenchmark#appendAndForce}. */
    @Benchmark
    @BenchmarkMode(Mode.SampleTime)
    @OutputTimeUnit(TimeUnit.MICROSECONDS)
    public void latencyOfOne() throws InterruptedException {
        submit(lone, 1);
        returned.take();
    }

    /** Messages a second. */
    @Benchmark
    @BenchmarkMode(Mode.Throughput)
    @OutputTimeUnit(TimeUnit.SECONDS)
    @OperationsPerInvocation(BATCH)
    public void durableCeiling() throws InterruptedException {
        submit(free.take(), BATCH);
    }

    /** The same with a record for each message. */
    @Benchmark
    @BenchmarkMode(Mode.Throughput)
    @OutputTimeUnit(TimeUnit.SECONDS)
    public void durableCeilingOfSingleMessages() throws InterruptedException {
        submit(free.take(), 1);
    }

    private void submit(Batch batch, int messages) {
        batch.clear();
        for (int i = 0; i < messages; i++) {
            batch.buffer().putRaw(message, 0, MESSAGE_BYTES);
            batch.countEntry(1, 0);
        }
        commit.submit(batch);
    }

    /** Drops old segments on a thread of its own, as the store does. */
    private final class Reclaim implements CommitListener {
        private int current;

        @Override
        public void onAppended(int segment, int references, long referencedBytes) {
            if (segment != current) {
                current = segment;
                reclaim.execute(this::forgetOld);
            }
        }

        private void forgetOld() {
            try {
                bench.forgetOld();
            } catch (JournalException e) {
                throw new IllegalStateException("a segment could not be dropped", e);
            }
        }

        @Override
        public void onMessagesAccepted(boolean accepted, String lack) {}

        @Override
        public void onFailure(Throwable cause) {
            throw new IllegalStateException("the journal has failed", cause);
        }
    }
}
