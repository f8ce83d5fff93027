package dev.avocet.core.store.reclaim;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.queue.MessageQueue;
import dev.avocet.core.queue.transit.DeliverySource;
import dev.avocet.core.session.ClientSession;
import dev.avocet.core.store.write.StoredParts;
import dev.avocet.core.topic.Subscription;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Goes through the durable queues at home on one loop, some at a time; the loop serves its clients in between. A queue
 * that moves between loops meanwhile, or is new, may be left out. The loop's.
 */
final class QueueWalk {
    /** Sessions, queues and chunks of references in one task: well below a millisecond. */
    private static final int STEPS_PER_TURN = 2_000;
    /** As many references are looked at in the time that a session takes. */
    private static final int REFERENCES_PER_STEP = 1_024;

    private final IoLoop loop;
    private final Iterator<MessageQueue> shared;
    private final Iterator<ClientSession> sessions;
    private final Visitor visitor;
    private final Runnable done;
    /** What is being done with a queue. */
    private @Nullable Steps present;
    /** Of the session that was looked at last. */
    private final Deque<MessageQueue> queues = new ArrayDeque<>();

    private QueueWalk(
            IoLoop loop,
            Iterator<MessageQueue> shared,
            Iterator<ClientSession> sessions,
            Visitor visitor,
            Runnable done) {
        this.loop = loop;
        this.shared = shared;
        this.sessions = sessions;
        this.visitor = visitor;
        this.done = done;
    }

    /**
     * Begins a walk on each loop. Any thread.
     *
     * @param visitor sees each queue on its home loop; false when it has seen enough
     * @param done to be called on each loop at the end of its walk
     */
    static void begin(StoredParts parts, Predicate<MessageQueue> visitor, Runnable done) {
        beginInSteps(parts, queue -> () -> visitor.test(queue) ? Progress.DONE : Progress.ENOUGH, done);
    }

    /** The same for what is done with a queue in steps. */
    static void beginInSteps(StoredParts parts, Visitor visitor, Runnable done) {
        List<MessageQueue> shared = new ArrayList<>(parts.subscriptions().sharedQueues());
        parts.queues().all().forEach(queue -> shared.add(queue.queue()));
        for (IoLoop loop : parts.loops()) {
            QueueWalk walk = new QueueWalk(
                    loop, shared.iterator(), parts.sessions().all().iterator(), visitor, done);
            loop.execute(walk::turn);
        }
    }

    private void turn() {
        int steps = STEPS_PER_TURN;
        boolean goesOn = true;
        while (goesOn && steps > 0) {
            steps--;
            MessageQueue queue = present == null ? queues.poll() : null;
            if (present != null) {
                goesOn = step(present);
            } else if (queue != null) {
                steps -= queue.depth() / REFERENCES_PER_STEP;
                present = isDurableHere(queue) ? visitor.begin(queue) : null;
            } else if (shared.hasNext()) {
                queues.add(shared.next());
            } else if (sessions.hasNext()) {
                collect(sessions.next());
            } else {
                goesOn = false;
            }
        }
        if (goesOn) {
            loop.executeAfterInput(this::turn);
        } else {
            done.run();
        }
    }

    private boolean step(Steps steps) {
        Progress progress = steps.step();
        present = progress == Progress.MORE ? steps : null;
        return progress != Progress.ENOUGH;
    }

    private void collect(ClientSession session) {
        if (session.home() == loop && session.storeId() != 0) {
            for (Subscription subscription : session.subscriptions()) {
                if (!subscription.isShared()) {
                    queues.add(subscription.queue());
                }
            }
        }
    }

    private boolean isDurableHere(MessageQueue queue) {
        return queue.home() == loop && !queue.isClosed() && queue.durableId() != DeliverySource.NOT_STORED;
    }

    /** Sees the queues. */
    @FunctionalInterface
    interface Visitor {
        /** Begins with a queue, on its home loop. */
        Steps begin(MessageQueue queue);
    }

    /** What is done with a queue. */
    @FunctionalInterface
    interface Steps {
        /** Takes the next step, about as long as a look at a thousand references. */
        Progress step();
    }

    /** How a walk goes on. */
    enum Progress {
        /** With the next step of the same queue. */
        MORE,
        /** With the next queue. */
        DONE,
        /** Not at all. */
        ENOUGH
    }
}
