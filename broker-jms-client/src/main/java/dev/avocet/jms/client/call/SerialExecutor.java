package dev.avocet.jms.client.call;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks one after the other, on threads that others have as well. Its queue is as long as what its owner has under
 * way, which the send window and the message cache bound. Thread-safe.
 */
public final class SerialExecutor {
    private static final Logger LOG = LoggerFactory.getLogger(SerialExecutor.class);
    /** So many tasks, and then others have their turn. */
    private static final int TURN = 256;

    private final Executor threads;
    private final Runnable turn = this::takeTurn;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    /** Tasks that are not over yet. The thread that adds the first has them run. */
    private final AtomicInteger unfinished = new AtomicInteger();

    private volatile @Nullable Thread thread;
    private volatile boolean over;

    public SerialExecutor(final Executor threads) {
        this.threads = threads;
    }

    public void execute(final Runnable task) {
        if (over) {
            LOG.debug("a task after the end");
            return;
        }
        tasks.add(task);
        if (unfinished.getAndIncrement() == 0) {
            threads.execute(turn);
        }
    }

    private void takeTurn() {
        boolean more = true;
        for (int left = TURN; more && left > 0; left--) {
            runNext();
            more = unfinished.decrementAndGet() > 0;
        }
        if (more) {
            threads.execute(turn);
        }
    }

    private void runNext() {
        final Runnable task = tasks.poll();
        if (task == null) {
            return;
        }
        thread = Thread.currentThread();
        try {
            task.run();
        } catch (final RuntimeException | Error e) { // the tasks behind it have to run
            LOG.warn("a listener of the application failed", e);
        } finally {
            thread = null;
        }
    }

    @SuppressWarnings("ReferenceEquality") // A thread is itself.
    public boolean isCurrentThread() {
        return Thread.currentThread() == thread;
    }

    /** What has come yet is run; what comes is not. */
    public void shutdown() {
        over = true;
    }
}
