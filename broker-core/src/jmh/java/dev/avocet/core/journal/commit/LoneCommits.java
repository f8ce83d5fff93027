package dev.avocet.core.journal.commit;

import dev.avocet.core.endpoint.EventLoops;
import dev.avocet.core.endpoint.LoopGroup;
import dev.avocet.core.endpoint.Transport;
import dev.avocet.core.journal.BenchJournal;
import dev.avocet.core.journal.CommitMode;
import dev.avocet.core.journal.Journal;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.JournalLimits;
import dev.avocet.core.journal.MeasuredJournal;
import dev.avocet.core.journal.TimedJournal;
import dev.avocet.core.journal.record.RecordHeader;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.time.Clock;
import dev.avocet.core.time.SystemClock;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * Where the time of a message goes that comes alone: one message at a time, some milliseconds apart, from a real event
 * loop through the group commit and back, in turns with the same append and force without other publishers.
 *
 * <p>{@code scripts/bench broker-core main=dev.avocet.core.journal.commit.LoneCommits [FILE|CHRONICLE]
 * [milliseconds apart] [turns]}
 */
public final class LoneCommits {
    private static final int MESSAGE_BYTES = 256;
    private static final int PER_TURN = 200;

    private final Clock clock = new SystemClock();
    private final Histogram alone = histogram();
    private final Histogram whole = histogram();
    private final Histogram submitted = histogram();
    private final Histogram forced = histogram();
    private final Histogram returned = histogram();
    private final byte[] record = new byte[RecordHeader.BYTES + MESSAGE_BYTES];
    private final long apartNs;
    private long sequence;

    private LoneCommits(long apartNs) {
        this.apartNs = apartNs;
    }

    public static void main(String[] arguments) throws IOException {
        MeasuredJournal kind = MeasuredJournal.valueOf(arguments.length > 0 ? arguments[0] : "CHRONICLE");
        int apartMs = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 3;
        int turns = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 10;
        LoneCommits commits = new LoneCommits(TimeUnit.MILLISECONDS.toNanos(apartMs));
        commits.run(kind, turns);
        System.out.println(kind + ", " + apartMs + " ms apart: " + commits);
    }

    private static Histogram histogram() {
        return new Histogram(1, TimeUnit.MINUTES.toNanos(1), 2);
    }

    private void run(MeasuredJournal kind, int turns) throws IOException {
        try (EventLoops threads = new EventLoops(Transport.best(), 1);
                LoopGroup group = new LoopGroup(threads, clock, new MemoryGuard());
                BenchJournal bench = new BenchJournal(kind);
                BenchJournal other = new BenchJournal(kind)) {
            TimedJournal timed = new TimedJournal(bench.journal(), clock);
            other.journal().begin(1);
            JournalLimits limits = new JournalLimits(0, 0, Duration.ofSeconds(1), Duration.ofSeconds(10));
            try (GroupCommit commit = new GroupCommit(
                    new CommitSetup(timed, CommitMode.SYNC, 1, 1, limits, new Deaf(), bench.disk(), clock))) {
                commit.start();
                for (int turn = -1; turn < turns; turn++) {
                    if (turn == 0) {
                        reset();
                    }
                    withoutOthers(other.journal());
                    through(commit, timed, group.loops().get(0));
                }
            }
        }
    }

    private void reset() {
        alone.reset();
        whole.reset();
        submitted.reset();
        forced.reset();
        returned.reset();
    }

    private void withoutOthers(Journal journal) throws JournalException {
        for (int i = 0; i < PER_TURN; i++) {
            LockSupport.parkNanos(apartNs);
            long beganNs = clock.nanoTime();
            RecordHeader.write(record, record.length, 1, ++sequence, journal.end(), sequence - 1, 1);
            journal.append(record, record.length);
            journal.force();
            alone.recordValue(clock.nanoTime() - beganNs);
        }
    }

    private void through(GroupCommit commit, TimedJournal timed, IoLoop loop) {
        for (int i = 0; i < PER_TURN; i++) {
            LockSupport.parkNanos(apartNs);
            CompletableFuture<Void> done = new CompletableFuture<>();
            loop.execute(() -> {
                long beganNs = clock.nanoTime();
                Batch batch = new Batch(loop, committed -> {
                    long nowNs = clock.nanoTime();
                    whole.recordValue(nowNs - beganNs);
                    submitted.recordValue(timed.appendNs - beganNs);
                    forced.recordValue(timed.forcedNs - timed.appendNs);
                    returned.recordValue(nowNs - timed.forcedNs);
                    done.complete(null);
                });
                batch.buffer().putRaw(record, 0, MESSAGE_BYTES);
                batch.countEntry(1, 0);
                commit.submit(batch);
            });
            done.join();
        }
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "p50 %.0f us without others, %.0f us through the group commit, %.2f times; of these %.0f us to the journal thread,"
                        + " %.0f us to append and force, %.0f us back to the loop",
                alone.getValueAtPercentile(50) / 1e3,
                whole.getValueAtPercentile(50) / 1e3,
                (double) whole.getValueAtPercentile(50) / alone.getValueAtPercentile(50),
                submitted.getValueAtPercentile(50) / 1e3,
                forced.getValueAtPercentile(50) / 1e3,
                returned.getValueAtPercentile(50) / 1e3);
    }

    /** Nothing happens that it would have to do something about. */
    private static final class Deaf implements CommitListener {
        @Override
        public void onAppended(int segment, int references, long referencedBytes) {}

        @Override
        public void onMessagesAccepted(boolean accepted, String lack) {}

        @Override
        public void onFailure(Throwable cause) {
            throw new IllegalStateException("the journal has failed", cause);
        }
    }
}
