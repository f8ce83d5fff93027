package dev.avocet.core.journal.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.core.journal.CommitMode;
import dev.avocet.core.journal.FoundRecords;
import dev.avocet.core.journal.Journal;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.JournalLimits;
import dev.avocet.core.journal.LogWriter;
import dev.avocet.core.journal.Position;
import dev.avocet.core.journal.ScanResult;
import dev.avocet.core.journal.disk.DiskSpace;
import dev.avocet.core.journal.file.FileJournal;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.testkit.FaultyStorage;
import dev.avocet.testkit.FaultyStorage.Fault;
import dev.avocet.testkit.FaultyStorage.Operation;
import dev.avocet.testkit.ManualClock;
import dev.avocet.testkit.RandomSuite;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The commits of a node in which a seed decides what happens next, on a disk that may lose its power at any step. */
class SteppedCommitTest {
    private static final Path DIRECTORY = Path.of("/disk/journal");
    private static final int LOOPS = 3;
    private static final int STEPS = 400;
    private static final JournalLimits LIMITS = new JournalLimits(0, 0, Duration.ofSeconds(1), Duration.ofSeconds(1));

    private final FaultyStorage storage = new FaultyStorage();
    private final ManualClock clock = new ManualClock();
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final List<Throwable> failures = new ArrayList<>();
    /** Sequences, for each loop. */
    private final List<List<Long>> completed = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());

    private long confirmed;

    static long[] seeds() {
        return RandomSuite.seeds(1_000);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldCompleteInOrderOnlyWhatIsDurableAndConfirmed(long seed) throws JournalException {
        // given
        SplittableRandom random = new SplittableRandom(seed);
        long lastCompleted;
        try (Journal journal = open();
                SteppedCommit commit = start(journal)) {
            List<IoLoop> loops = loops();

            // when
            long submitted = 0;
            int steps = random.nextInt(STEPS);
            for (int step = 0; step < steps; step++) {
                switch (random.nextInt(6)) {
                    case 0, 1 -> submit(commit, loops.get(random.nextInt(LOOPS)), ++submitted, random.nextInt(2_000));
                    case 2 -> commit.append();
                    case 3 -> commit.force();
                    case 4 -> commit.complete();
                    default -> confirmed = Math.max(confirmed, random.nextLong(submitted + 1));
                }
                runTasks();
                assertThat(lastCompleted()).as("seed %s", seed).isLessThanOrEqualTo(confirmed);
            }
            lastCompleted = lastCompleted();
            assertThat(completed)
                    .as("seed %s", seed)
                    .allSatisfy(sequences -> assertThat(sequences).isSorted());
            assertThat(allCompleted()).as("seed %s", seed).isEqualTo(FoundRecords.from(1, lastCompleted));
            storage.losePower(random);
        }

        // then
        try (Journal journal = open()) {
            ScanResult found = journal.scan(Position.BEGINNING, (position, bytes, offset, length) -> {});
            assertThat(found.lastSequence()).as("seed %s", seed).isGreaterThanOrEqualTo(lastCompleted);
        }
    }

    @Test
    void shouldNotCoverWhatIsAppendedAfterTheForce() throws JournalException {
        try (Journal journal = open();
                SteppedCommit commit = start(journal)) {
            // given
            confirmed = Long.MAX_VALUE;
            IoLoop loop = loops().get(0);
            submit(commit, loop, 1, 10);
            assertThat(commit.append()).isTrue();
            assertThat(commit.force()).isTrue();
            submit(commit, loop, 2, 10);
            assertThat(commit.append()).isTrue();

            // when
            assertThat(commit.complete()).isTrue();
            runTasks();

            // then
            assertThat(allCompleted()).containsExactly(1L);
            assertThat(commit.complete()).isFalse();
        }
    }

    @Test
    void shouldDoNothingMoreAfterAFailure() throws JournalException {
        try (Journal journal = open();
                SteppedCommit commit = start(journal)) {
            // given
            confirmed = Long.MAX_VALUE;
            submit(commit, loops().get(0), 1, 10);
            commit.append();
            storage.failAt(Operation.FORCE, 1, Fault.ERROR);

            // when
            assertThatThrownBy(commit::force).isInstanceOf(JournalException.class);

            // then
            assertThat(failures).hasSize(1);
            assertThat(commit.force()).isFalse();
            assertThat(commit.complete()).isFalse();
            runTasks();
            assertThat(allCompleted()).isEmpty();
        }
    }

    private List<Long> allCompleted() {
        return completed.stream().flatMap(List::stream).sorted().toList();
    }

    private long lastCompleted() {
        return completed.stream()
                .filter(sequences -> !sequences.isEmpty())
                .mapToLong(sequences -> sequences.get(sequences.size() - 1))
                .max()
                .orElse(0);
    }

    private Journal open() throws JournalException {
        return FileJournal.open(storage, DIRECTORY, FileJournal.MIN_SEGMENT_BYTES);
    }

    private SteppedCommit start(Journal journal) throws JournalException {
        journal.scan(Position.BEGINNING, (position, bytes, offset, length) -> {});
        SteppedCommit commit = new SteppedCommit(
                new CommitSetup(journal, CommitMode.SYNC, 1, 1, LIMITS, new Listener(), new Disk(), clock),
                () -> confirmed);
        commit.start();
        return commit;
    }

    private List<IoLoop> loops() {
        List<IoLoop> loops = new ArrayList<>();
        for (int index = 0; index < LOOPS; index++) {
            loops.add(new IoLoop(index, tasks::add, () -> true, clock, new MemoryGuard()));
        }
        return loops;
    }

    private void submit(SteppedCommit commit, IoLoop loop, long number, int length) {
        Batch batch = new Batch(loop, done -> completed.get(loop.index()).add(done.sequence()));
        batch.buffer().putBytes(LogWriter.body(number, length + 1));
        batch.countEntry(0, length);
        commit.submit(batch);
    }

    private void runTasks() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    private final class Listener implements CommitListener {
        @Override
        public void onAppended(int segment, int references, long referencedBytes) {}

        @Override
        public void onMessagesAccepted(boolean accepted, String lack) {}

        @Override
        public void onFailure(Throwable cause) {
            failures.add(cause);
        }
    }

    private static final class Disk implements DiskSpace {
        @Override
        public long freeBytes() {
            return Long.MAX_VALUE;
        }

        @Override
        public long totalBytes() {
            return Long.MAX_VALUE;
        }
    }
}
