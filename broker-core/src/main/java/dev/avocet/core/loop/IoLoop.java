package dev.avocet.core.loop;

import dev.avocet.core.metrics.LoopCounters;
import dev.avocet.core.time.Clock;
import dev.avocet.core.time.TimerWheel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One event loop as the broker sees it: a thread that owns connections, sessions and queues, and the end of its
 * batches.
 *
 * <p>A <em>batch</em> is what a loop does between two waits for input: some reads, some tasks. A handler that has
 * output to send or another loop to wake registers with {@link #atBatchEnd} or {@link #post}, and it happens once, when
 * the batch is over: one write per connection, one task per other loop, however many messages went through. An action
 * or task that throws ends alone: the executor hears of it, and the others run.
 *
 * <p>Only {@link #execute}, {@link #inLoop}, {@link #index}, {@link #memory} and {@link #counters} may be used from
 * other threads.
 */
public final class IoLoop {
    private static final long TICK_NS = 50_000_000;

    private final int index;
    private final Executor executor;
    private final Executor afterInput;
    private final BooleanSupplier inLoop;
    private final Clock clock;
    private final MemoryGuard memory;
    private final TimerWheel timers;
    private final LoopCounters counters = new LoopCounters();

    private final Queue<Runnable> batchEnd = new ArrayDeque<>();
    private final List<Outbox> outboxes = new ArrayList<>();
    private boolean batchEndScheduled;
    private boolean batchTimeKnown;
    private long batchTimeNs;

    /**
     * @param executor runs tasks on the loop's thread in the order of their submission
     * @param inLoop tells whether the calling thread is the loop's
     */
    public IoLoop(int index, Executor executor, BooleanSupplier inLoop, Clock clock, MemoryGuard memory) {
        this(index, executor, executor, inLoop, clock, memory);
    }

    /**
     * @param executor runs tasks on the loop's thread in the order of their submission
     * @param afterInput runs tasks, submitted on the loop's thread, after the loop has looked for input once more
     * @param inLoop tells whether the calling thread is the loop's
     */
    public IoLoop(
            int index,
            Executor executor,
            Executor afterInput,
            BooleanSupplier inLoop,
            Clock clock,
            MemoryGuard memory) {
        this.index = index;
        this.executor = executor;
        this.afterInput = afterInput;
        this.inLoop = inLoop;
        this.clock = clock;
        this.memory = memory;
        this.timers = new TimerWheel(clock, TICK_NS);
    }

    /** Position among the broker's loops, from 0. */
    public int index() {
        return index;
    }

    public boolean inLoop() {
        return inLoop.getAsBoolean();
    }

    public Clock clock() {
        return clock;
    }

    /**
     * The clock as a task of this batch has seen it first, which saves the others the look: for times of which what one
     * batch takes is a small part. On the loop.
     */
    public long batchNanoTime() {
        assert inLoop() : "time of a batch of loop " + index + " asked by another thread";
        if (!batchTimeKnown) {
            batchTimeKnown = true;
            batchTimeNs = clock.nanoTime();
            scheduleBatchEnd();
        }
        return batchTimeNs;
    }

    /** How short of memory the broker is; the same object for all loops. */
    public MemoryGuard memory() {
        return memory;
    }

    /** The loop's timers; ticks of 50 ms. */
    public TimerWheel timers() {
        return timers;
    }

    /** What this loop has counted. */
    public LoopCounters counters() {
        return counters;
    }

    /** Runs a task on the loop, from any thread. It is not batched: for messages use {@link #post}. */
    public void execute(Runnable task) {
        executor.execute(task);
    }

    /**
     * Runs a task on the loop once it has looked for input again: for work in many steps, which would hold up every
     * connection if each step simply executed the next. On the loop.
     */
    public void executeAfterInput(Runnable task) {
        assert inLoop() : "task of loop " + index + " put off by another thread";
        afterInput.execute(task);
    }

    /** Runs an action once the current batch is over. Actions may register further ones, which run in the same end. */
    public void atBatchEnd(Runnable action) {
        assert inLoop() : "batch of loop " + index + " touched by another thread";
        batchEnd.add(action);
        scheduleBatchEnd();
    }

    /** Hands a task to another loop together with everything else that this batch has for it: one wake-up for all. */
    public void post(IoLoop target, Runnable task) {
        assert inLoop() : "outbox of loop " + index + " touched by another thread";
        while (outboxes.size() <= target.index) {
            outboxes.add(new Outbox());
        }
        outboxes.get(target.index).add(target, task);
        scheduleBatchEnd();
    }

    /** Fires due timers. Called by the loop's own ticker every 50 ms, by tests at will. */
    public void tick() {
        timers.advance();
    }

    private void scheduleBatchEnd() {
        if (!batchEndScheduled) {
            batchEndScheduled = true;
            executor.execute(this::endBatch);
        }
    }

    private void endBatch() {
        boolean failed = true;
        try {
            for (Runnable action = batchEnd.poll(); action != null; action = batchEnd.poll()) {
                action.run();
            }
            failed = false;
        } finally {
            if (failed) {
                executor.execute(this::endBatch); // that one action has failed is not the fault of the others
            }
        }
        batchEndScheduled = false;
        batchTimeKnown = false;
        for (int i = 0; i < outboxes.size(); i++) {
            outboxes.get(i).send();
        }
    }

    /** Tasks for one other loop. */
    private static final class Outbox {
        private List<Runnable> tasks = new ArrayList<>();
        private @Nullable IoLoop target;

        void add(IoLoop target, Runnable task) {
            this.target = target;
            tasks.add(task);
        }

        void send() {
            if (target == null || tasks.isEmpty()) {
                return;
            }
            List<Runnable> batch = tasks;
            tasks = new ArrayList<>();
            target.execute(() -> runAll(batch, 0, target));
        }

        private static void runAll(List<Runnable> batch, int from, IoLoop target) {
            int done = from;
            try {
                for (; done < batch.size(); done++) {
                    batch.get(done).run();
                }
            } finally {
                int next = done + 1;
                if (next < batch.size()) { // one has failed: the others belong to other connections
                    target.execute(() -> runAll(batch, next, target));
                }
            }
        }
    }
}
