package dev.avocet.ha;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread {@code pair-host}, on which the {@link PairHost} is called, and the store of this node is opened between
 * its calls. What waits for it is bounded: of statuses and configurations only the last one does.
 */
final class HostThread implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HostThread.class);
    private static final long CLOSE_S = 60;

    private final PairHost host;
    private final AtomicReference<@Nullable PairStatus> status = new AtomicReference<>();
    private final ExecutorService executor = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "pair-host");
        thread.setDaemon(true);
        return thread;
    });

    HostThread(PairHost host) {
        this.host = host;
    }

    PairHost host() {
        return host;
    }

    /** Runs a task that may block. */
    CompletableFuture<Void> run(Task task) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        try {
            executor.execute(() -> {
                try {
                    task.run();
                    done.complete(null);
                } catch (Exception | Error e) {
                    done.completeExceptionally(e);
                }
            });
        } catch (RejectedExecutionException e) {
            done.completeExceptionally(e);
        }
        return done;
    }

    /** Tells of the status that is the last one by then. */
    void tell(PairStatus now) {
        if (status.getAndSet(now) == null) {
            run(() -> {
                        PairStatus last = status.getAndSet(null);
                        if (last != null) {
                            host.statusChanged(last);
                        }
                    })
                    .exceptionally(failure -> {
                        LOG.error("The status of the pair was not told", failure);
                        return null;
                    });
        }
    }

    /** Does what was handed over, then ends. */
    @Override
    public void close() {
        executor.shutdown();
        try {
            if (!executor.awaitTermination(CLOSE_S, TimeUnit.SECONDS)) {
                LOG.warn("The thread pair-host does not end within {} s", CLOSE_S);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Something that may fail. */
    @FunctionalInterface
    interface Task {
        void run() throws Exception;
    }
}
