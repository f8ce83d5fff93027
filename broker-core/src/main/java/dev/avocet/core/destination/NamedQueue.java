package dev.avocet.core.destination;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.queue.RankedQueue;
import dev.avocet.core.queue.receiver.QueueConsumer;
import dev.avocet.core.queue.receiver.QueueReceiver;
import dev.avocet.core.queue.receiver.ReceiverOptions;
import dev.avocet.core.topic.Route;
import java.util.concurrent.atomic.AtomicInteger;

/** A queue that clients know by name. Any thread. */
public final class NamedQueue {
    private final String name;
    private final RankedQueue queue;
    private final Route route;
    private final AtomicInteger producers = new AtomicInteger();
    private volatile QueueKind kind;
    private volatile boolean allowsSend = true;

    /** When a sweep has found it unused; home loop. */
    private boolean wasUnused;

    NamedQueue(String name, QueueKind kind, RankedQueue queue) {
        this.name = name;
        this.kind = kind;
        this.queue = queue;
        this.route = Route.to(queue);
    }

    public String name() {
        return name;
    }

    public QueueKind kind() {
        return kind;
    }

    void kind(QueueKind now) {
        kind = now;
    }

    /** What holds its messages; a transaction wants it, and its figures are there. */
    public RankedQueue queue() {
        return queue;
    }

    /** How messages get to it. */
    public Route route() {
        return route;
    }

    /** Whether messages may be sent to it now. A publish to one that does not is refused all the same. */
    public boolean allowsSend() {
        return allowsSend;
    }

    void allowsSend(boolean now) {
        allowsSend = now;
    }

    /**
     * Begins to receive from it. The answer, {@link QueueConsumer#onAttached} or {@link QueueConsumer#onEnded}, comes
     * later.
     *
     * @param loop the caller's, where everything happens from now on
     */
    public QueueReceiver receive(ReceiverOptions options, IoLoop loop, QueueConsumer consumer) {
        return queue.receive(options, loop, consumer);
    }

    /** A producer means to send to it, and is counted until {@link #producerDetached}. */
    public void producerAttached() {
        producers.incrementAndGet();
    }

    public void producerDetached() {
        producers.decrementAndGet();
    }

    /** Figures for administrators. */
    public NamedQueueStatistics statistics() {
        return NamedQueueStatistics.of(this, producers.get());
    }

    /** Whether it was unused the last time, and is now: then no client will miss it. Home loop. */
    boolean isUnusedStill() {
        boolean unused = kind == QueueKind.DYNAMIC
                && producers.get() == 0
                && queue.depth() == 0
                && queue.statistics().consumers() == 0;
        boolean still = unused && wasUnused;
        wasUnused = unused;
        return still;
    }

    @Override
    public String toString() {
        return name;
    }
}
