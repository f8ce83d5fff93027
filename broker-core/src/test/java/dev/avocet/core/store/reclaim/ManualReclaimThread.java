package dev.avocet.core.store.reclaim;

import dev.avocet.testkit.ManualClock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The thread {@code store-checkpoint} in a test's hands: its tasks run when the test says so and their time has come.
 */
public final class ManualReclaimThread implements ReclaimThread {
    private final ManualClock clock;
    private final List<Task> tasks = new ArrayList<>();

    public ManualReclaimThread(ManualClock clock) {
        this.clock = clock;
    }

    @Override
    public void execute(Runnable task) {
        schedule(task, 0);
    }

    @Override
    public void schedule(Runnable task, long delayNs) {
        tasks.add(new Task(clock.nanoTime() + delayNs, task));
    }

    /** Runs the task that is due first; false when none is. */
    public boolean runOne() {
        Task first = tasks.stream().min(Comparator.comparingLong(Task::dueNs)).orElse(null);
        if (first == null || first.dueNs > clock.nanoTime()) {
            return false;
        }
        tasks.remove(first);
        first.task.run();
        return true;
    }

    private record Task(long dueNs, Runnable task) {}
}
