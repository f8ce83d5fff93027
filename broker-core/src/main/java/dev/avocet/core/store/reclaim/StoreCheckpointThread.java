package dev.avocet.core.store.reclaim;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread {@code store-checkpoint}. */
public final class StoreCheckpointThread implements ReclaimThread, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StoreCheckpointThread.class);
    private static final long CLOSE_TIMEOUT_SECONDS = 30;

    private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, task -> {
        Thread thread = new Thread(task, "store-checkpoint");
        thread.setDaemon(true);
        return thread;
    });

    public StoreCheckpointThread() {
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public void execute(Runnable task) {
        schedule(task, 0);
    }

    @Override
    public void schedule(Runnable task, long delayNs) {
        try {
            executor.schedule(() -> run(task), delayNs, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("The store is closed: what it would do later is left out");
        }
    }

    /** Waits for the task that runs. It is not interrupted: that would close the journal's files. */
    @Override
    public void close() {
        executor.shutdown();
        try {
            if (!executor.awaitTermination(CLOSE_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("The thread store-checkpoint does not end within {} s", CLOSE_TIMEOUT_SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            LOG.error("The store could not do what it does now and then", e);
        }
    }
}
