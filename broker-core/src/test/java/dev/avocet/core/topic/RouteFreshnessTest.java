package dev.avocet.core.topic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.TopicFilter;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.queue.SubscriptionQueue;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.testkit.ManualLoops;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
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

    /** Each of them matches all topics that are published to. */
    private static final List<TopicFilter> FILTERS_OF_ALL = List.of(
            TopicFilter.of("a/b/+"),
            TopicFilter.of("#"),
            TopicFilter.of("a/b/#"),
            TopicFilter.of("+/b/+"),
            TopicFilter.of("a/+/#"),
            TopicFilter.of("a/#"));

    /** The same, and none reads more than the beginning. */
    private static final List<TopicFilter> FILTERS_OF_THE_BEGINNING =
            List.of(TopicFilter.of("a/b/#"), TopicFilter.of("#"), TopicFilter.of("a/#"), TopicFilter.of("a/+/#"));

    private static final int CHANGES = 200_000;
    private static final int PRESENT = 5;
    private static final long LIMIT_NS = Duration.ofMillis(1_500).toNanos();

    private record Bounds(int lowest, int highest) {}

    private final SubscriptionQueue queue =
            new SubscriptionQueue("queue", new ManualLoops(1).io(0), QueueLimits.DEFAULT, 0);
    private final TopicTree<Integer> tree = new TopicTree<>(new SubtreeGenerations());
    private volatile int lastAdded = -1;
    private volatile int lastRemoved = -1;
    private volatile boolean done;

    /** Every lookup by any loop: the client waits for a few after each change, so that a wrong route is found out. */
    private final AtomicLong lookups = new AtomicLong();

    @Test
    void shouldNeverUseARouteThatIsOlderThanACompletedChange() throws InterruptedException, ExecutionException {
        // each loop has used its cache, and has thrown if ever it was wrong
        assertThat(besideChanges(this::routeUntilDone, () -> changeTheTree(tree, FILTERS, i -> i)))
                .allSatisfy(hits -> assertThat(hits).isPositive());
    }

    @Test
    void shouldNeverShareARouteThatIsOlderThanACompletedChange() throws InterruptedException, ExecutionException {
        // given loops that hardly ever meet a topic twice
        TopicTree<Subscription> subscriptions = new TopicTree<>(new SubtreeGenerations());

        // then each of them has used a route for several topics, and has thrown if ever it was wrong
        assertThat(besideChanges(
                        () -> shareUntilDone(subscriptions),
                        () -> changeTheTree(subscriptions, FILTERS_OF_ALL, this::subscription)))
                .allSatisfy(shared -> assertThat(shared).isPositive());
    }

    @Test
    void shouldNeverLeadByARouteThatIsOlderThanACompletedChange() throws InterruptedException, ExecutionException {
        // given publishers that never look for a topic
        TopicTree<Subscription> subscriptions = new TopicTree<>(new SubtreeGenerations());

        // then each of them has used a route for another topic, and has thrown if ever it was wrong
        assertThat(besideChanges(
                        () -> passUntilDone(subscriptions),
                        () -> changeTheTree(subscriptions, FILTERS_OF_THE_BEGINNING, this::subscription)))
                .allSatisfy(led -> assertThat(led).isPositive());
    }

    /** What two loops have counted that run until the changes are made; throws what one of them has thrown. */
    private List<Integer> besideChanges(Callable<Integer> loop, Runnable changes)
            throws InterruptedException, ExecutionException {
        ExecutorService loops = Executors.newFixedThreadPool(2);
        try {
            List<Future<Integer>> counts = List.of(loops.submit(loop), loops.submit(loop));
            changes.run();
            done = true;
            return List.of(counts.get(0).get(), counts.get(1).get());
        } finally {
            done = true;
            loops.shutdownNow();
        }
    }

    private <S> void changeTheTree(TopicTree<S> changed, List<TopicFilter> filters, IntFunction<S> maker) {
        long start = System.nanoTime();
        List<S> entries = new ArrayList<>();
        for (int i = 0; i < CHANGES && System.nanoTime() - start < LIMIT_NS; i++) {
            awaitLookups(start);
            S entry = maker.apply(i);
            entries.add(entry);
            changed.add(filters.get(i % filters.size()), entry);
            lastAdded = i;
            awaitLookups(start);
            int gone = i - PRESENT;
            if (gone >= 0) {
                changed.remove(filters.get(gone % filters.size()), entries.get(gone));
                lastRemoved = gone;
            }
        }
    }

    private Subscription subscription(int number) {
        DeliveryOptions options =
                new DeliveryOptions(QualityOfService.AT_MOST_ONCE, false, false, DeliveryOptions.NO_IDENTIFIERS);
        return Subscription.exclusive(
                FILTERS_OF_ALL.get(number % FILTERS_OF_ALL.size()), queue, options, false, number);
    }

    private int shareUntilDone(TopicTree<Subscription> subscriptions) {
        TopicMonitors monitors = new TopicMonitors(subscriptions.generations(), 1);
        RouteFinder finder = new RouteFinder(subscriptions, monitors, OverlapDelivery.ONCE, 8, 1_000);
        Route last = Route.nowhere();
        int shared = 0;
        for (int i = 0; !done; i++) {
            int added = lastAdded;
            int removed = lastRemoved;
            lookups.getAndIncrement();
            TopicName topic = TopicName.of("a/b/" + i % 1_000);
            CachedRoute<Route> known = finder.find(topic.utf8(), 0, topic.utf8().length);
            Route route = (known == null ? finder.compute(topic, true) : known).route();
            check(bounds(route), added, removed);
            shared += known == null && route == last ? 1 : 0;
            last = route;
            if (i % 100 == 0) {
                finder.sweep();
            }
        }
        return shared;
    }

    private int passUntilDone(TopicTree<Subscription> subscriptions) {
        TopicMonitors monitors = new TopicMonitors(subscriptions.generations(), 1);
        RouteFinder finder = new RouteFinder(subscriptions, monitors, OverlapDelivery.ONCE, 8, 1_000);
        CachedRoute<Route> last = finder.pass(TopicName.of("a/b/c"), null);
        int led = 0;
        for (int i = 0; !done; i++) {
            int added = lastAdded;
            int removed = lastRemoved;
            lookups.getAndIncrement();
            CachedRoute<Route> next = finder.pass(TopicName.of("a/b/" + i % 1_000), last);
            check(bounds(next.route()), added, removed);
            led += next.route() == last.route() ? 1 : 0;
            last = next;
        }
        return led;
    }

    private static Bounds bounds(Route route) {
        return bounds(Arrays.stream(route.targets())
                .map(target -> (Integer) target.owner())
                .toList());
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
            check(bounds, added, removed);
        }
        return hits;
    }

    private void check(Bounds bounds, int added, int removed) {
        boolean isStillThere =
                lastRemoved < added - 1; // a loop that was held up may have been overtaken by its removal
        if ((isStillThere && bounds.highest() < added) || bounds.lowest() <= removed) {
            throw new AssertionError(bounds + " after adding " + added + " and removing " + removed);
        }
    }

    private Bounds bounds(TopicName topic) {
        List<Integer> found = new ArrayList<>();
        tree.match(topic, found::add);
        return bounds(found);
    }

    private static Bounds bounds(List<Integer> found) {
        int lowest = Integer.MAX_VALUE;
        int highest = -1;
        for (int number : found) {
            lowest = Math.min(lowest, number);
            highest = Math.max(highest, number);
        }
        return new Bounds(lowest, highest);
    }
}
