package dev.avocet.core.topic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.message.TopicFilter;
import dev.avocet.core.message.TopicName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Event loops that route by their caches beside a client that subscribes and unsubscribes. Entries are numbered in the
 * order in which they come and go, so a route that misses one, or holds on to one, gives itself away by its highest and
 * lowest number.
 */
class RouteFreshnessTest {
    private static final List<TopicFilter> FILTERS = List.of(
            TopicFilter.of("a/b"),
            TopicFilter.of("a/+"),
            TopicFilter.of("#"),
            TopicFilter.of("a/b/#"),
            TopicFilter.of("+/b"),
            TopicFilter.of("a/#"));

    private static final int CHANGES = 200_000;
    private static final int PRESENT = 5;
    private static final long LIMIT_NS = Duration.ofMillis(1_500).toNanos();

    private record Bounds(int lowest, int highest) {}

    private final TopicTree<Integer> tree = new TopicTree<>(new SubtreeGenerations());
    private volatile int lastAdded = -1;
    private volatile int lastRemoved = -1;
    private volatile boolean done;

    /** Every lookup by any loop: the client waits for a few after each change, so that a wrong route is found out. */
    private final AtomicLong lookups = new AtomicLong();

    @Test
    void shouldNeverUseARouteThatIsOlderThanACompletedChange() throws InterruptedException, ExecutionException {
        // given
        ExecutorService loops = Executors.newFixedThreadPool(2);
        try {
            Callable<Integer> loop = this::routeUntilDone;
            List<Future<Integer>> hits = List.of(loops.submit(loop), loops.submit(loop));

            // when
            changeTheTree();
            done = true;

            // then each loop has used its cache, and has thrown if ever it was wrong
            for (Future<Integer> hit : hits) {
                assertThat(hit.get()).isPositive();
            }
        } finally {
            done = true;
            loops.shutdownNow();
        }
    }

    private void changeTheTree() {
        long start = System.nanoTime();
        Integer[] entries = new Integer[CHANGES];
        for (int i = 0; i < CHANGES && System.nanoTime() - start < LIMIT_NS; i++) {
            awaitLookups(start);
            entries[i] = i;
            tree.add(FILTERS.get(i % FILTERS.size()), entries[i]);
            lastAdded = i;
            awaitLookups(start);
            int gone = i - PRESENT;
            if (gone >= 0) {
                tree.remove(FILTERS.get(gone % FILTERS.size()), entries[gone]);
                lastRemoved = gone;
            }
        }
    }

    private void awaitLookups(long start) {
        long target = lookups.get() + 4;
        while (lookups.get() < target && System.nanoTime() - start < LIMIT_NS) {
            Thread.onSpinWait();
        }
    }

    private int routeUntilDone() {
        RouteCache<Bounds> cache = new RouteCache<>(tree.generations());
        TopicName topic = TopicName.of("a/b");
        int hits = 0;
        while (!done) {
            int added = lastAdded;
            int removed = lastRemoved;
            lookups.getAndIncrement();
            CachedRoute<Bounds> route = cache.find(topic.utf8(), 0, topic.utf8().length);
            hits += route == null ? 0 : 1;
            Bounds bounds = (route == null ? cache.compute(topic, this::bounds) : route).route();
            if (bounds.highest() < added || bounds.lowest() <= removed) {
                throw new AssertionError(bounds + " after adding " + added + " and removing " + removed);
            }
        }
        return hits;
    }

    private Bounds bounds(TopicName topic) {
        List<Integer> found = new ArrayList<>();
        tree.match(topic, found::add);
        int lowest = Integer.MAX_VALUE;
        int highest = -1;
        for (int number : found) {
            lowest = Math.min(lowest, number);
            highest = Math.max(highest, number);
        }
        return new Bounds(lowest, highest);
    }
}
