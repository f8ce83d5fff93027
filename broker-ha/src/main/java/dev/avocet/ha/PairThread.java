package dev.avocet.ha;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The thread {@code pair}: everything that the state machine hears comes in turn. Any thread hands over. */
final class PairThread implements AutoCloseable {
    private static final long CLOSE_S = 10;
    private static final long ANSWER_S = 90;

    private final Consumer<Throwable> onFailure;
    private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, task -> {
        Thread thread = new Thread(task, "pair");
        thread.setDaemon(true);
        return thread;
    });

    /** @param onFailure hears, on the thread, that something was not done as it should have been */
    PairThread(Consumer<Throwable> onFailure) {
        this.onFailure = onFailure;
        executor.setContinueExistingPeriodicTasksAfterShutdownPolicy(false);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    void execute(Runnable task) {
        try {
            executor.execute(() -> run(task));
        } catch (RejectedExecutionException e) {
            assert executor.isShutdown(); // closed: what comes now is as good as not heard
        }
    }

    /** What the thread answers. Waits for it; any other thread. */
    <T> T ask(Supplier<T> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        execute(() -> answer.complete(question.get()));
        try {
            return answer.get(ANSWER_S, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("this thread was stopped while it waited for the pair", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("the thread of the pair does not answer", e);
        }
    }

    void every(Duration pause, Runnable task) {
        executor.scheduleWithFixedDelay(() -> run(task), 0, pause.toNanos(), TimeUnit.NANOSECONDS);
    }

    void after(Duration pause, Runnable task) {
        try {
            executor.schedule(() -> run(task), pause.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            assert executor.isShutdown();
        }
    }

    private void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            onFailure.accept(e);
        }
    }

    /** Does what was handed over, then ends. */
    @Override
    public void close() {
        executor.shutdown();
        try {
            boolean unused = executor.awaitTermination(CLOSE_S, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
