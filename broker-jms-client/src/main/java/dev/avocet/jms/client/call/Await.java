package dev.avocet.jms.client.call;

import jakarta.jms.JMSException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** An application's thread that waits for the event loop. */
public final class Await {
    private Await() {}

    /**
     * @param timeoutMs 0: as long as it takes
     */
    public static <T> T of(final CompletableFuture<T> future, final long timeoutMs, final String what)
            throws JMSException {
        try {
            return timeoutMs == 0 ? future.get() : future.get(timeoutMs, TimeUnit.MILLISECONDS);
        } catch (final ExecutionException e) {
            throw Failures.of(e.getCause() == null ? e : e.getCause());
        } catch (final TimeoutException e) {
            throw caused(new JMSException(what + ": the server did not answer within " + timeoutMs + " ms"), e);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw caused(new JMSException(what + ": interrupted while waiting for the server"), e);
        }
    }

    /** The result of {@code task}, which the event loop does. */
    public static <T> CompletableFuture<T> later(final Executor loop, final Supplier<CompletableFuture<T>> task) {
        final CompletableFuture<T> result = new CompletableFuture<>();
        loop.execute(() -> {
            try {
                task.get().whenComplete((value, cause) -> {
                    if (cause == null) {
                        result.complete(value);
                    } else {
                        result.completeExceptionally(cause);
                    }
                });
            } catch (final RuntimeException e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    private static JMSException caused(final JMSException exception, final Exception cause) {
        exception.initCause(cause);
        return exception;
    }
}
