package dev.avocet.jms.client.session;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks one after the other on a daemon thread that is made when it is needed and goes after a while without work.
 * Its queue is as long as what its owner has under way, which the send window and the message cache bound.
 */
final class SerialExecutor {
    private static final Logger LOG = LoggerFactory.getLogger(SerialExecutor.class);
    private static final long IDLE_S = 30;

    private final ThreadPoolExecutor executor;
    private volatile @Nullable Thread thread;

    SerialExecutor(final String name) {
        executor = new ThreadPoolExecutor(1, 1, IDLE_S, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
            final Thread made = new Thread(task, name);
            made.setDaemon(true);
            thread = made;
            return made;
        });
        executor.allowCoreThreadTimeOut(true);
    }

    void execute(final Runnable task) {
        try {
            executor.execute(() -> {
                try {
                    task.run();
                } catch (final RuntimeException e) {
                    LOG.warn("a listener of the application failed", e);
                }
            });
        } catch (final RejectedExecutionException e) {
            LOG.debug("a task after the end", e);
        }
    }

    @SuppressWarnings("ReferenceEquality") // A thread is itself.
    boolean isCurrentThread() {
        return Thread.currentThread() == thread;
    }

    void shutdown() {
        executor.shutdown();
    }
}
