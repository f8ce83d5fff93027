package dev.avocet.core.store.transfer;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.store.write.RunningStore;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Has the event loops do something and waits for it. Not for event loops; any other thread. */
final class LoopCalls {
    private static final long PATIENCE_MS = 60_000;
    /** How soon a failure of the store is noticed, after which nothing is committed. */
    private static final long LOOK_MS = 100;
    /** Between two looks at something that changes by itself. */
    private static final long BETWEEN_LOOKS_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private final RunningStore store;

    LoopCalls(RunningStore store) {
        this.store = store;
    }

    /** What a task on a loop returns. */
    <T> T on(IoLoop loop, Supplier<T> task) throws TransferException {
        return await(CompletableFuture.supplyAsync(task, loop::execute));
    }

    /** Returns when everything is durable that the loop has written so far. */
    void settle(IoLoop loop) throws TransferException {
        CompletableFuture<Long> durable = new CompletableFuture<>();
        loop.execute(() -> store.writer(loop).afterCommit(durable::complete));
        await(durable);
    }

    /** Returns a little later. */
    void pause(IoLoop loop) throws TransferException {
        CompletableFuture<Boolean> over = new CompletableFuture<>();
        loop.execute(() -> loop.timers().schedule(BETWEEN_LOOKS_NS, () -> over.complete(true)));
        await(over);
    }

    <T> T await(CompletableFuture<T> answer) throws TransferException {
        for (long waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += LOOK_MS) {
            try {
                return answer.get(LOOK_MS, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new TransferException("the broker ends");
            } catch (ExecutionException e) {
                throw new TransferException("internal error: " + e.getCause());
            } catch (TimeoutException e) {
                if (store.hasFailed()) {
                    throw new TransferException("the store has failed");
                }
            }
        }
        throw new TransferException("an event loop has not answered for " + PATIENCE_MS / 1_000 + " s");
    }
}
