package dev.avocet.core.store.place;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread {@code store-reader}, which begins with its first task. Any thread may call. */
public final class StoreReaderThread implements Executor {
    private static final Logger LOG = LoggerFactory.getLogger(StoreReaderThread.class);
    private static final long CLOSE_TIMEOUT_MS = TimeUnit.SECONDS.toMillis(10);

    private final LinkedBlockingQueue<Runnable> waiting = new LinkedBlockingQueue<>();
    private final Thread thread = new Thread(this::run, "store-reader");
    private final AtomicBoolean begun = new AtomicBoolean();
    private volatile boolean closing;

    public StoreReaderThread() {
        thread.setDaemon(true);
    }

    /** Runs a task behind those that wait. After {@link #close} it is left out. */
    @Override
    public void execute(Runnable task) {
        waiting.add(task);
        if (!begun.get() && begun.compareAndSet(false, true)) {
            thread.start();
        }
    }

    /** Waits for the task that runs. It is not interrupted: that would close the files that other threads use. */
    public void close() {
        closing = true;
        waiting.add(() -> {});
        try {
            thread.join(CLOSE_TIMEOUT_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        while (!closing) {
            try {
                waiting.take().run();
            } catch (InterruptedException e) {
                LOG.warn("The thread that reads messages back does not end by interrupts, but by being closed");
            }
        }
    }
}
