package dev.avocet.core.store;

import dev.avocet.core.journal.Position;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.StoredMessage;
import dev.avocet.core.queue.DeliverySource;
import dev.avocet.core.queue.MessageQueue;
import dev.avocet.core.session.ClientSession;
import dev.avocet.core.topic.Subscription;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Looks for the references into one segment: each loop looks through the queues at home with it, for a short time at a time, and goes on
 * with its clients in between.
 */
final class SurvivorSearch {
    /** So long a loop looks before it sees to its clients again, not counted the queue or session that it is at. */
    private static final long TURN_NS = 1_000_000;

    private final StoredParts parts;
    private final Store store;
    private final int segment;
    private final int limit;
    private final Survivors.Answer answer;
    private final ConcurrentLinkedQueue<Survivor> found = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicInteger loopsLeft;

    private SurvivorSearch(StoredParts parts, Store store, int segment, int limit, Survivors.Answer answer) {
        this.parts = parts;
        this.store = store;
        this.segment = segment;
        this.limit = limit;
        this.answer = answer;
        this.loopsLeft = new AtomicInteger(parts.loops().size());
    }

    static void begin(StoredParts parts, Store store, int segment, int limit, Survivors.Answer answer) {
        SurvivorSearch search = new SurvivorSearch(parts, store, segment, limit, answer);
        search.lookThroughRetained();
        for (IoLoop loop : parts.loops()) {
            loop.execute(() -> search.lookThroughShared(
                    loop, parts.subscriptions().sharedQueues().iterator()));
        }
    }

    private void lookThroughRetained() {
        IoLoop loop = parts.loops().get(0);
        parts.retained().forEach(message -> {
            if (message instanceof StoredMessage stored
                    && Position.segment(stored.position()) == segment
                    && !enough()) {
                add(new Survivor(
                        new RetainedSurvivors(parts.retained(), stored, loop, store),
                        DeliverySource.NOT_STORED,
                        stored.position(),
                        stored.storedBytes(),
                        null));
            }
        });
    }

    private void lookThroughShared(IoLoop loop, Iterator<MessageQueue> queues) {
        long beganNs = loop.clock().nanoTime();
        while (queues.hasNext() && loop.clock().nanoTime() - beganNs < TURN_NS) {
            MessageQueue queue = queues.next();
            if (queue.home() == loop) {
                lookThrough(queue);
            }
        }
        if (queues.hasNext()) {
            loop.executeAfterInput(() -> lookThroughShared(loop, queues));
        } else {
            lookThroughSessions(loop, parts.sessions().all().iterator());
        }
    }

    private void lookThroughSessions(IoLoop loop, Iterator<ClientSession> sessions) {
        long beganNs = loop.clock().nanoTime();
        while (sessions.hasNext() && !enough() && loop.clock().nanoTime() - beganNs < TURN_NS) {
            ClientSession session = sessions.next();
            if (session.home() == loop && session.storeId() != 0) {
                lookThrough(session);
            }
        }
        if (sessions.hasNext() && !enough()) {
            loop.executeAfterInput(() -> lookThroughSessions(loop, sessions));
        } else if (loopsLeft.decrementAndGet() == 0) {
            List<Survivor> all = new ArrayList<>(found);
            answer.onFound(all);
        }
    }

    private void lookThrough(ClientSession session) {
        for (Subscription subscription : session.subscriptions()) {
            if (!subscription.isShared()) {
                lookThrough(subscription.queue());
            }
        }
    }

    private void lookThrough(MessageQueue queue) {
        if (queue.isClosed() || queue.durableId() == DeliverySource.NOT_STORED || enough()) {
            return;
        }
        QueueSurvivors holder = new QueueSurvivors(queue, store);
        queue.forEachIn(segment, (reference, position, storedBytes, expiryDeadlineNs, options) -> {
            if (!enough()) {
                add(new Survivor(holder, reference, position, storedBytes, options));
            }
        });
    }

    private void add(Survivor survivor) {
        count.incrementAndGet();
        found.add(survivor);
    }

    private boolean enough() {
        return count.get() >= limit;
    }
}
