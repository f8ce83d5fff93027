package dev.avocet.core.loop;

import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Shows many things to a visitor on a loop, some at a time; the loop serves its clients in between. What is shown must
 * bear being iterated while it changes. The loop's, but for {@link #begin}.
 */
public final class LoopWalk<T> implements Runnable {
    /** In one task: well under a millisecond, as long as the visitor is quick. */
    private static final int STEPS_PER_TURN = 500;

    private final IoLoop loop;
    private final Iterator<? extends T> items;
    private final Consumer<? super T> visitor;
    private final CompletableFuture<Void> done = new CompletableFuture<>();

    private LoopWalk(IoLoop loop, Iterator<? extends T> items, Consumer<? super T> visitor) {
        this.loop = loop;
        this.items = items;
        this.visitor = visitor;
    }

    /**
     * Begins a walk. Any thread.
     *
     * @param visitor runs on the loop and must be quick
     * @return complete when everything was shown; a caller that completes it earlier ends the walk
     */
    public static <T> CompletableFuture<Void> begin(
            IoLoop loop, Iterable<? extends T> items, Consumer<? super T> visitor) {
        LoopWalk<T> walk = new LoopWalk<>(loop, items.iterator(), visitor);
        loop.execute(walk);
        return walk.done;
    }

    /** One turn. */
    @Override
    public void run() {
        try {
            for (int step = 0; step < STEPS_PER_TURN && items.hasNext() && !done.isDone(); step++) {
                visitor.accept(items.next());
            }
            if (items.hasNext() && !done.isDone()) {
                loop.executeAfterInput(this);
            } else {
                done.complete(null);
            }
        } catch (RuntimeException e) {
            done.completeExceptionally(e);
        }
    }
}
