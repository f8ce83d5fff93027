package dev.avocet.server.objects;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The thread on which the configuration is changed. Those who ask wait for the end of what they asked for. */
final class ConfigurationThread implements AutoCloseable {
    /** How many may wait. Administrators are few; a script that runs wild is refused. */
    private static final int LONGEST_QUEUE = 64;

    private static final long LONGEST_END_SECONDS = 10;
    private static final long LOOK_AGAIN_NS = TimeUnit.MILLISECONDS.toNanos(5);

    private final ThreadPoolExecutor executor;
    private volatile @Nullable Thread thread;

    ConfigurationThread() {
        this.executor = new ThreadPoolExecutor(
                1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(LONGEST_QUEUE), this::newThread);
    }

    private Thread newThread(Runnable task) {
        Thread daemon = new Thread(task, "configuration");
        daemon.setDaemon(true);
        thread = daemon;
        return daemon;
    }

    /**
     * Does the work and waits for it.
     *
     * @throws ExecutionException with what the work threw
     * @throws ConfigurationStoreException when it was not begun, or not waited for
     */
    <T> T call(Callable<T> work) throws ExecutionException, ConfigurationStoreException {
        if (Thread.currentThread().equals(thread)) {
            throw new IllegalStateException("who is told of a change cannot change the configuration itself");
        }
        FutureTask<T> task = new FutureTask<>(work);
        try {
            executor.execute(task);
            return task.get();
        } catch (RejectedExecutionException e) {
            String why = executor.isShutdown()
                    ? "the broker is stopping"
                    : "too many other changes are waiting; try again in a moment";
            throw new ConfigurationStoreException(why, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ConfigurationStoreException("interrupted; the change may have been made or not", e);
        }
    }

    /** Returns when what is being done is over; at once where this is closed. Not for the thread itself. */
    void awaitPresentWork() {
        FutureTask<Boolean> turn = new FutureTask<>(() -> true);
        while (!executor.isShutdown()) {
            try {
                executor.execute(turn);
                turn.get();
                return;
            } catch (RejectedExecutionException e) {
                LockSupport.parkNanos(this, LOOK_AGAIN_NS); // many changes are waiting
            } catch (ExecutionException e) {
                throw new IllegalStateException("a task that does nothing has failed", e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    /** Ends what was begun, and begins nothing more. */
    @Override
    public void close() {
        executor.shutdown();
        try {
            if (!executor.awaitTermination(LONGEST_END_SECONDS, TimeUnit.SECONDS)) {
                executor.shutdownNow();
            }
        } catch (InterruptedException e) {
            executor.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
