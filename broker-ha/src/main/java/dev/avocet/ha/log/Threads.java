package dev.avocet.ha.log;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends the threads of a log. */
final class Threads {
    private static final Logger LOG = LoggerFactory.getLogger(Threads.class);
    private static final long PATIENCE_S = 30;

    private Threads() {}

    /** Runs a task that may fail. */
    static CompletableFuture<Void> run(Task task, Executor executor) {
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

    /** Takes no further task and waits for the one that runs: an interrupt would close the journal's files. */
    static void end(ExecutorService executor) {
        executor.shutdown();
        try {
            if (!executor.awaitTermination(PATIENCE_S, TimeUnit.SECONDS)) {
                LOG.warn("A thread of the pair's log does not end within {} s: the disk does not answer", PATIENCE_S);
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
