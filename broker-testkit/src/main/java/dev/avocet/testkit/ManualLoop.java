package dev.avocet.testkit;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.time.Clock;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * An {@link IoLoop} without a thread: its tasks, which may come from any thread, wait until the test runs them, on the
 * test's own thread. So what happens between two loops happens in an order that the test chooses; {@link ManualLoops}
 * chooses it from a seed.
 */
public final class ManualLoop {
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final IoLoop io;
    private boolean inside;

    public ManualLoop(int index, Clock clock, MemoryGuard memory) {
        io = new IoLoop(index, tasks::add, () -> inside, clock, memory);
    }

    public IoLoop io() {
        return io;
    }

    /** Does something now as the loop's thread would. What it leaves for the end of the batch waits among the tasks. */
    public void run(Runnable action) {
        boolean before = inside;
        inside = true;
        try {
            action.run();
        } finally {
            inside = before;
        }
    }

    public boolean isIdle() {
        return tasks.isEmpty();
    }

    /** Runs the task that has waited longest; false when there is none. */
    public boolean runOne() {
        Runnable task = tasks.poll();
        if (task == null) {
            return false;
        }
        run(task);
        return true;
    }

    /** Runs tasks until none is left, those included that come up meanwhile. */
    public void runAll() {
        boolean ran = true;
        while (ran) {
            ran = runOne();
        }
    }
}
