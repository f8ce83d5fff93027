package dev.avocet.server.monitor.table;

import dev.avocet.core.loop.IoLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;

/** Asks every loop about what is its own, and waits for them. Not for the loops themselves. */
public final class Loops {
    private static final long PATIENCE_S = 10;

    private final List<IoLoop> loops;

    public Loops(List<IoLoop> loops) {
        this.loops = List.copyOf(loops);
    }

    /**
     * What they find together.
     *
     * @param search begins a loop's search, which adds to the list that is that loop's alone
     */
    public <R> Top<R> collect(Selection<R> selection, BiFunction<IoLoop, Top<R>, CompletableFuture<Void>> search)
            throws MonitorException {
        List<Top<R>> found = new ArrayList<>();
        List<CompletableFuture<Void>> done = new ArrayList<>();
        for (IoLoop loop : loops) {
            Top<R> ofLoop = selection.top();
            found.add(ofLoop);
            done.add(search.apply(loop, ofLoop));
        }
        await(done);
        Top<R> all = selection.top();
        found.forEach(all::addAll);
        return all;
    }

    private static void await(List<CompletableFuture<Void>> done) throws MonitorException {
        try {
            CompletableFuture.allOf(done.toArray(new CompletableFuture<?>[0]))
                    .orTimeout(PATIENCE_S, TimeUnit.SECONDS)
                    .join();
        } catch (CompletionException e) {
            done.forEach(each -> each.cancel(false));
            if (!(e.getCause() instanceof TimeoutException)) {
                throw new IllegalStateException("a loop could not look through what is its own", e.getCause());
            }
            throw new MonitorException(
                    MonitorException.Reason.NOT_NOW, "the broker did not answer within " + PATIENCE_S + " seconds");
        }
    }
}
