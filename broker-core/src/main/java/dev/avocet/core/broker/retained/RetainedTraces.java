package dev.avocet.core.broker.retained;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.store.Store;
import dev.avocet.core.topic.RetainedMessages;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lets the traces of removed retained messages go once no loop can hear of an older entry any more: each loop is asked
 * to answer behind what it has written. One round at a time; a trace lives a second or two.
 */
public final class RetainedTraces {
    private final RetainedMessages retained;
    private final Store store;
    private final List<IoLoop> loops;
    private final AtomicBoolean running = new AtomicBoolean();

    public RetainedTraces(RetainedMessages retained, Store store, List<IoLoop> loops) {
        this.retained = retained;
        this.store = store;
        this.loops = loops;
    }

    /** Begins a round unless one is under way. Any thread. */
    public void begin() {
        if (!running.compareAndSet(false, true)) {
            return;
        }
        List<RetainedMessages.Removal> traces = retained.removals();
        if (traces.isEmpty()) {
            running.set(false);
            return;
        }
        AtomicInteger loopsLeft = new AtomicInteger(loops.size());
        for (IoLoop loop : loops) {
            loop.execute(() -> store.writer(loop).afterCommit(position -> {
                if (loopsLeft.decrementAndGet() == 0) {
                    retained.forget(traces);
                    running.set(false);
                }
            }));
        }
    }
}
