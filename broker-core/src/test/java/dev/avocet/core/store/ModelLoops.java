package dev.avocet.core.store;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Event loops without threads, for code that waits for loops as well: while {@link #waitingFor} runs such code, a task
 * that it gives to a loop is done before it goes on. One thread does everything, so a seed decides the order of
 * everything.
 */
final class ModelLoops {
    private final ManualClock clock;
    private final MemoryGuard memory = new MemoryGuard();
    private final List<Loop> loops;
    private @Nullable Loop inside;
    private @Nullable Between between;

    ModelLoops(int count, ManualClock clock) {
        this.clock = clock;
        loops = IntStream.range(0, count).mapToObj(Loop::new).toList();
    }

    ManualClock clock() {
        return clock;
    }

    MemoryGuard memory() {
        return memory;
    }

    List<IoLoop> all() {
        return loops.stream().map(loop -> loop.io).toList();
    }

    int count() {
        return loops.size();
    }

    IoLoop io(int index) {
        return loops.get(index).io;
    }

    /** Does something now as the loop would. */
    void on(IoLoop loop, Runnable action) {
        loops.get(loop.index()).run(action);
    }

    /** Runs the task that has waited longest; false when there is none. */
    boolean runOne(int index) {
        return loops.get(index).runOne();
    }

    boolean isIdle() {
        return loops.stream().allMatch(loop -> loop.tasks.isEmpty());
    }

    /** Lets time pass and fires what became due. */
    void advance(Duration duration) {
        clock.advance(duration);
        loops.forEach(loop -> loop.run(loop.io::tick));
    }

    /**
     * Runs code that may not run on a loop, as it waits for loops.
     *
     * @param meanwhile what else happens around each of its tasks
     */
    void waitingFor(Action action, Between meanwhile) throws Exception {
        Between before = between;
        between = meanwhile;
        try {
            action.run();
        } finally {
            between = before;
        }
    }

    @Override
    public String toString() {
        return loops.stream().map(loop -> loop.tasks.toString()).toList().toString();
    }

    private void submit(Loop loop, Runnable task) {
        loop.tasks.add(task);
        Between present = between;
        if (present == null || inside != null) {
            return;
        }
        between = null; // what happens meanwhile waits for nothing
        try {
            present.before();
            while (loop.has(task)) {
                loop.runOne();
            }
            present.after();
        } finally {
            between = present;
        }
    }

    /** What happens while code waits for a loop. */
    interface Between {
        void before();

        /** Everything that the task has written must be durable afterwards. */
        void after();
    }

    @FunctionalInterface
    interface Action {
        void run() throws Exception;
    }

    private final class Loop {
        final Deque<Runnable> tasks = new ArrayDeque<>();
        final IoLoop io;

        Loop(int index) {
            io = new IoLoop(index, task -> submit(this, task), () -> inside == this, clock, memory);
        }

        @SuppressWarnings("ReferenceEquality") // this very task
        boolean has(Runnable task) {
            return tasks.stream().anyMatch(one -> one == task);
        }

        boolean runOne() {
            Runnable task = tasks.poll();
            if (task != null) {
                run(task);
            }
            return task != null;
        }

        void run(Runnable action) {
            Loop before = inside;
            inside = this;
            try {
                action.run();
            } finally {
                inside = before;
            }
        }
    }
}
