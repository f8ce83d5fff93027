package dev.avocet.ha.coordination;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Makes what a library answers into what {@link Coordinator} promises: in time, on our thread, with our exception. One
 * thread asks and may hang in the library; another one answers.
 */
public final class Answers implements AutoCloseable {
    private final ExecutorService asking;
    private final ExecutorService answering;
    private final Duration timeout;
    private final String where;

    /** @param where names the place of the register in what goes wrong */
    public Answers(Duration timeout, String where) {
        this.timeout = timeout;
        this.where = where;
        asking = thread("coordination-ask");
        answering = thread("coordination-answer");
    }

    /** Asks on a thread of the coordinator. */
    public <T> CompletionStage<T> ask(Callable<T> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        try {
            asking.execute(() -> {
                if (answer.isDone()) {
                    return; // no thread waits for it any more
                }
                try {
                    answer.complete(question.call());
                } catch (Exception e) {
                    answer.completeExceptionally(e);
                }
            });
        } catch (RejectedExecutionException e) {
            return CompletableFuture.failedFuture(explained(e));
        }
        return inTime(answer);
    }

    /** The answer of a library that has threads of its own. */
    public <T> CompletionStage<T> inTime(CompletableFuture<T> answer) {
        CompletableFuture<T> ours = new CompletableFuture<>();
        answer.orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS).whenComplete((value, failure) -> {
            Runnable completion =
                    failure == null ? () -> ours.complete(value) : () -> ours.completeExceptionally(explained(failure));
            try {
                answering.execute(completion);
            } catch (RejectedExecutionException e) {
                completion.run(); // closed: this thread must do
            }
        });
        return ours;
    }

    /** Runs on the thread that answers. */
    public void later(Runnable task) {
        try {
            answering.execute(task);
        } catch (RejectedExecutionException e) {
            assert answering.isShutdown(); // closed: no listener is left
        }
    }

    public Duration timeout() {
        return timeout;
    }

    @Override
    public void close() {
        asking.shutdownNow();
        answering.shutdown();
    }

    private static ExecutorService thread(String name) {
        return Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
    }

    private CoordinationException explained(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof CoordinationException known) {
            return known;
        }
        String why =
                cause instanceof TimeoutException ? "no answer within " + timeout.toMillis() + " ms" : cause.toString();
        return new CoordinationException("The coordinator at " + where + " did not answer: " + why, cause);
    }
}
