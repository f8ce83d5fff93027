package dev.avocet.jms.client.wire;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The threads that call the application's listeners, for all sessions of one factory: a few while listeners return
 * soon, however many sessions there are, and more for as long as listeners wait, since one may wait for another. They
 * are daemons, made when no other has nothing to do, and end after a while without work, or with the last of the
 * connections.
 *
 * <p>Thread-safe.
 */
final class CallbackThreads implements Executor {
    private static final int LEAST = 16;
    private static final long IDLE_S = 30;
    /** When no task has ended for so long, and tasks wait, there are too few threads. */
    private static final long PATIENCE_MS = 20;

    private final int few;
    private final Ready ready = new Ready();
    private final ThreadPoolExecutor pool;
    private final Executor later;
    private final AtomicBoolean watching = new AtomicBoolean();

    CallbackThreads() {
        this(
                Math.max(LEAST, 2 * Runtime.getRuntime().availableProcessors()),
                CompletableFuture.delayedExecutor(PATIENCE_MS, TimeUnit.MILLISECONDS, Runnable::run));
    }

    /** @param later runs a task a while later */
    CallbackThreads(final int few, final Executor later) {
        this.few = few;
        this.later = later;
        this.pool = new ThreadPoolExecutor(
                0,
                few,
                IDLE_S,
                TimeUnit.SECONDS,
                ready,
                task -> {
                    final Thread made = new Thread(task, "avocet-jms-callbacks");
                    made.setDaemon(true);
                    return made;
                },
                (task, full) -> ready.keep(task));
    }

    /**
     * Takes a task only when a thread waits for it: otherwise the pool makes another thread, up to its limit. Not a
     * LinkedTransferQueue: that of Java 17 may spin for ever where it should wait for a time (JDK-8301341).
     */
    private static final class Ready extends LinkedBlockingQueue<Runnable> {
        private static final long serialVersionUID = 1L;

        private final AtomicInteger waiting = new AtomicInteger();

        /** For the thread that has nothing to do next. */
        void keep(final Runnable task) {
            super.offer(task); // there is no limit: what is under way is bounded elsewhere
        }

        /** Two tasks may come at once for one thread that waits; then one of them has the pool grow if it must. */
        @Override
        public boolean offer(final Runnable task) {
            return size() < waiting.get() && super.offer(task);
        }

        @Override
        public @Nullable Runnable poll(final long timeout, final TimeUnit unit) throws InterruptedException {
            waiting.incrementAndGet();
            try {
                return super.poll(timeout, unit);
            } finally {
                waiting.decrementAndGet();
            }
        }

        @Override
        public Runnable take() throws InterruptedException {
            waiting.incrementAndGet();
            try {
                return super.take();
            } finally {
                waiting.decrementAndGet();
            }
        }
    }

    @Override
    public void execute(final Runnable task) {
        pool.execute(task);
        if (!ready.isEmpty()) {
            watch();
        }
    }

    /** Whether there are connections: without one, threads end as soon as they have nothing to do. */
    void inUse(final boolean used) {
        pool.setKeepAliveTime(used ? TimeUnit.SECONDS.toMillis(IDLE_S) : 1, TimeUnit.MILLISECONDS);
    }

    private void watch() {
        if (watching.compareAndSet(false, true)) {
            final long ended = pool.getCompletedTaskCount();
            later.execute(() -> look(ended));
        }
    }

    private void look(final long endedBefore) {
        watching.set(false);
        final int most = pool.getMaximumPoolSize();
        if (!ready.isEmpty()) {
            if (pool.getCompletedTaskCount() == endedBefore) {
                grow(most + Math.max(1, most / 2));
            }
            watch();
        } else if (most > few) {
            pool.setMaximumPoolSize(few); // those beyond end when they have nothing to do
        }
    }

    private void grow(final int most) {
        pool.setMaximumPoolSize(most);
        pool.setCorePoolSize(most); // makes as many as there are tasks that wait
        pool.setCorePoolSize(0);
    }
}
