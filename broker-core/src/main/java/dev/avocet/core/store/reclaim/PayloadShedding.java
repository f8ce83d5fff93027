package dev.avocet.core.store.reclaim;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.queue.MessageQueue;
import dev.avocet.core.store.place.MemoryBudget;
import dev.avocet.core.store.write.StoredParts;
import java.util.concurrent.atomic.AtomicInteger;

/** Takes the payloads of waiting messages out of memory that lie on disk as well. Any thread. */
public final class PayloadShedding {
    private final StoredParts parts;
    private final MemoryBudget memory;
    private final AtomicInteger loopsAtWork = new AtomicInteger();

    public PayloadShedding(StoredParts parts, MemoryBudget memory) {
        this.parts = parts;
        this.memory = memory;
    }

    /** Begins, unless that is going on or nothing is left to take. */
    public void begin() {
        if (memory.keptBytes() > 0 && loopsAtWork.compareAndSet(0, parts.loops().size())) {
            QueueWalk.begin(parts, this::shed, loopsAtWork::decrementAndGet);
        }
    }

    private boolean shed(MessageQueue queue) {
        if (queue.shedPayloads()) {
            IoLoop loop = queue.home();
            loop.executeAfterInput(() -> shedMore(queue, loop));
        }
        return memory.keptBytes() > 0;
    }

    /** The walk goes on beside that. */
    private void shedMore(MessageQueue queue, IoLoop loop) {
        if (queue.home() == loop && memory.keptBytes() > 0) {
            boolean unused = shed(queue);
        }
    }
}
