package dev.avocet.server.broker;

import dev.avocet.core.loop.IoLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has something done on every loop of an instance. Not for the loops themselves. */
final class LoopWork {
    private static final Logger LOG = LoggerFactory.getLogger(LoopWork.class);
    private static final long TIMEOUT_S = 3;

    private LoopWork() {}

    /** Adds up what is begun for each loop and done there; waits for it no longer than a few seconds. */
    static int onEach(List<IoLoop> loops, Function<IoLoop, CompletableFuture<Integer>> work) {
        AtomicInteger sum = new AtomicInteger();
        List<CompletableFuture<Void>> done = new ArrayList<>();
        for (IoLoop loop : loops) {
            done.add(work.apply(loop).thenAccept(sum::addAndGet));
        }
        try {
            CompletableFuture.allOf(done.toArray(new CompletableFuture<?>[0]))
                    .orTimeout(TIMEOUT_S, TimeUnit.SECONDS)
                    .join();
        } catch (CompletionException e) {
            LOG.debug("Not every loop was done in time", e);
        }
        return sum.get();
    }
}
