package dev.avocet.core.store.reclaim;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.queue.MessageQueue;
import dev.avocet.core.queue.reference.ReferenceSearch;
import dev.avocet.core.queue.transit.DeliverySource;
import dev.avocet.core.store.write.RunningStore;
import dev.avocet.core.store.write.StoredParts;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Looks for the references into one segment: each loop looks through the queues at home with it, some at a time, and
 * goes on with its clients in between.
 */
public final class SurvivorSearch {
    private final StoredParts parts;
    private final RunningStore store;
    private final long from;
    private final long until;
    private final int limit;
    private final Survivors.Answer answer;
    private final ConcurrentLinkedQueue<Survivor> found = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicInteger loopsLeft;

    private SurvivorSearch(
            StoredParts parts, RunningStore store, long from, long until, int limit, Survivors.Answer answer) {
        this.parts = parts;
        this.store = store;
        this.from = from;
        this.until = until;
        this.limit = limit;
        this.answer = answer;
        this.loopsLeft = new AtomicInteger(parts.loops().size());
    }

    /** @param until position with which the segment ends, exclusive */
    public static void begin(
            StoredParts parts, RunningStore store, long from, long until, int limit, Survivors.Answer answer) {
        SurvivorSearch search = new SurvivorSearch(parts, store, from, until, limit, answer);
        search.lookThroughRetained();
        QueueWalk.beginInSteps(parts, search::lookThrough, search::onLoopDone);
    }

    private void lookThroughRetained() {
        IoLoop loop = parts.loops().get(0);
        parts.retained().forEachPlace(place -> {
            if (place.position() >= from && place.position() < until && !enough()) {
                add(new Survivor(
                        new RetainedSurvivors(parts.retained(), place, loop, store),
                        DeliverySource.NOT_STORED,
                        place.position(),
                        place.storedBytes(),
                        null));
            }
        });
    }

    private QueueWalk.Steps lookThrough(MessageQueue queue) {
        QueueSurvivors holder = new QueueSurvivors(queue, store);
        ReferenceSearch search = queue.search(from, until);
        return () -> {
            boolean more = search.step((reference, position, storedBytes, expiryDeadlineNs, options) -> {
                if (!enough()) {
                    add(new Survivor(holder, reference, position, storedBytes, options));
                }
            });
            if (enough()) {
                return QueueWalk.Progress.ENOUGH;
            }
            return more ? QueueWalk.Progress.MORE : QueueWalk.Progress.DONE;
        };
    }

    private void onLoopDone() {
        if (loopsLeft.decrementAndGet() == 0) {
            List<Survivor> all = new ArrayList<>(found);
            answer.onFound(all);
        }
    }

    private void add(Survivor survivor) {
        count.incrementAndGet();
        found.add(survivor);
    }

    private boolean enough() {
        return count.get() >= limit;
    }
}
