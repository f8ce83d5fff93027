package dev.avocet.server.broker;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads {@code authn-1} and {@code authn-2}, on which passwords are checked; what their queue has no room for is
 * rejected.
 */
final class AuthenticationThreads implements Executor, AutoCloseable {
    private static final int COUNT = 2;
    private static final int QUEUE = 1_024;

    private final AtomicInteger number = new AtomicInteger();
    private final ThreadPoolExecutor pool =
            new ThreadPoolExecutor(COUNT, COUNT, 1, TimeUnit.MINUTES, new ArrayBlockingQueue<>(QUEUE), this::newThread);

    AuthenticationThreads() {
        pool.allowCoreThreadTimeOut(true);
    }

    @Override
    public void execute(Runnable task) {
        pool.execute(task);
    }

    int waiting() {
        return pool.getQueue().size();
    }

    @Override
    public void close() {
        pool.shutdownNow();
    }

    private Thread newThread(Runnable task) {
        Thread thread = new Thread(task, "authn-" + number.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    }
}
