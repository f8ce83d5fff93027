package dev.avocet.core.store;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.broker.BrokerOptions;
import dev.avocet.core.journal.CommitGate;
import dev.avocet.core.journal.CommitMode;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.JournalLimits;
import dev.avocet.core.journal.commit.SteppedCommit;
import dev.avocet.core.journal.file.FileJournal;
import dev.avocet.core.queue.TestProperties;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.store.entry.Formats;
import dev.avocet.core.store.image.Recovery;
import dev.avocet.core.store.reclaim.ManualReclaimThread;
import dev.avocet.core.store.reclaim.ReclaimSettings;
import dev.avocet.core.store.reclaim.ReclaimThread;
import dev.avocet.core.store.replay.NoteState;
import dev.avocet.core.store.replay.RecoveredState;
import dev.avocet.core.transaction.TransactionLimits;
import dev.avocet.testkit.FaultyStorage;
import dev.avocet.testkit.ManualClock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executor;

/** One life of a broker with a store, in which a test takes each step: of loops, of commits, of the store's threads. */
final class ModelBroker {
    static final int LOOPS = 3;

    private static final ReclaimSettings RECLAIM =
            new ReclaimSettings(Duration.ofSeconds(5), 2, 50, 1L << 30, Duration.ofSeconds(60));
    private static final long MEMORY_BYTES = 16 << 10;

    final ModelLoops loops;
    final Broker broker;
    final Store store;
    private final ManualReclaimThread reclaim;
    private final Deque<Runnable> reads = new ArrayDeque<>();
    private SteppedCommit commits;

    ModelBroker(FaultyStorage storage, Path directory, ManualClock clock) throws Exception {
        loops = new ModelLoops(LOOPS, clock);
        reclaim = new ManualReclaimThread(clock);
        store = new Store(
                journal(storage, directory),
                storage,
                new StoreOptions(
                        directory,
                        CommitMode.SYNC,
                        MEMORY_BYTES,
                        new JournalLimits(0, 0, Duration.ofSeconds(1), Duration.ofSeconds(1)),
                        RECLAIM),
                List.of(TestProperties.FORMAT),
                NoteState::new,
                loops.memory(),
                clock,
                new Failures(),
                setup -> commits = new SteppedCommit(setup, CommitGate.OPEN),
                new Threads());
        store.recover();
        store.start(loops.all());
        BrokerOptions options = BrokerOptions.DEFAULT.withSubscriptionLimits(
                new QueueLimits(40, 0, dev.avocet.core.config.object.policy.FullBehavior.REJECT_NEW_MESSAGES));
        broker = new Broker(options, TransactionLimits.DEFAULT, loops.all(), store);
        waitingFor(() -> store.restoreInto(broker.storedParts()), () -> {});
    }

    static FileJournal journal(FaultyStorage storage, Path directory) throws JournalException {
        return FileJournal.open(storage, directory.resolve("journal"), FileJournal.MIN_SEGMENT_BYTES);
    }

    static RecoveredState recover(FaultyStorage storage, Path directory, ManualClock clock) throws JournalException {
        return new Recovery(journal(storage, directory), storage, directory, formats(), NoteState::new, clock).read();
    }

    static Formats formats() {
        return new Formats(List.of(TestProperties.FORMAT));
    }

    /** One step of those that go on by themselves. */
    void step(Random chance) {
        switch (chance.nextInt(8)) {
            case 0 -> append();
            case 1 -> force();
            case 2 -> complete();
            case 3 -> read();
            default -> loops.runOne(chance.nextInt(LOOPS));
        }
    }

    void append() {
        commits.watchSpace();
        attempt(commits::append);
    }

    void force() {
        attempt(commits::force);
    }

    private boolean complete() {
        return attempt(commits::complete);
    }

    private boolean read() {
        Runnable next = reads.poll();
        if (next != null) {
            next.run();
        }
        return next != null;
    }

    /** Has all that was written become durable, and all that follows from it happen. */
    void settle() {
        boolean more = true;
        for (int round = 0; more; round++) {
            if (round > 10_000) {
                throw new AssertionError("it does not come to rest: " + loops + ", " + reads);
            }
            for (int loop = 0; loop < LOOPS; loop++) {
                while (loops.runOne(loop)) {
                    // the next one
                }
            }
            commits.watchSpace();
            more = attempt(commits::append);
            more |= attempt(commits::force);
            more |= complete();
            more |= read();
            more |= !loops.isIdle();
        }
    }

    /** The store looks after its segments, and takes a checkpoint if it is time. */
    void reclaim(Runnable meanwhile) throws Exception {
        waitingFor(reclaim::runOne, meanwhile);
    }

    void checkpoint(Runnable meanwhile) throws Exception {
        waitingFor(() -> store.checkpoints().take(), meanwhile);
    }

    private void waitingFor(ModelLoops.Action action, Runnable meanwhile) throws Exception {
        loops.waitingFor(action, new ModelLoops.Between() {
            @Override
            public void before() {
                meanwhile.run();
            }

            @Override
            public void after() {
                meanwhile.run();
                settle();
            }
        });
    }

    private static boolean attempt(Step step) {
        try {
            return step.run();
        } catch (IOException e) {
            throw new AssertionError("the disk is whole", e);
        }
    }

    @FunctionalInterface
    private interface Step {
        boolean run() throws IOException;
    }

    private final class Threads implements StoreThreads {
        @Override
        public ReclaimThread reclaim() {
            return reclaim;
        }

        @Override
        public Executor reader() {
            return reads::add;
        }

        @Override
        public void endReclaim() {
            // its tasks are not run any more
        }

        @Override
        public void endReader() {
            // the same
        }
    }

    private static final class Failures implements StoreListener {
        @Override
        public void onStoreFailed(Throwable cause) {
            throw new AssertionError("the store has failed", cause);
        }

        @Override
        public void onMessagesAccepted(boolean accepted, String lack) {
            if (!accepted) {
                throw new AssertionError("the disk has room, but: " + lack);
            }
        }
    }
}
