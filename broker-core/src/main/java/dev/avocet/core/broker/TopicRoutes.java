package dev.avocet.core.broker;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.TopicFilter;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.topic.CachedRoute;
import dev.avocet.core.topic.OverlapDelivery;
import dev.avocet.core.topic.Route;
import dev.avocet.core.topic.RouteFinder;
import dev.avocet.core.topic.Subscription;
import dev.avocet.core.topic.TopicMonitors;
import dev.avocet.core.topic.TopicTree;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Where the messages of topics go: what the tree of subscriptions says, and what each loop remembers of that. Methods
 * that take a loop are called on it; the others may be called on any thread.
 */
final class TopicRoutes {
    private static final long SWEEP_NS = TimeUnit.SECONDS.toNanos(1);
    /** Targets in all cached routes of a loop together: about 40 MB, when they are that many. */
    private static final long ROUTE_TARGETS_MAX = 1_000_000;

    private static final TopicFilter EVERYTHING = TopicFilter.of("#");

    private final TopicTree<Subscription> tree;
    private final TopicMonitors monitors;
    private final OverlapDelivery overlap;
    private final List<IoLoop> loops;
    private final List<RouteFinder> finders;
    private volatile int levelsMax;

    TopicRoutes(TopicTree<Subscription> tree, TopicMonitors monitors, BrokerOptions options, List<IoLoop> loops) {
        this.tree = tree;
        this.monitors = monitors;
        this.overlap = options.overlap();
        this.loops = loops;
        this.levelsMax = options.topicLevelsMax();
        this.finders = loops.stream()
                .map(loop -> new RouteFinder(tree, monitors, overlap, options.routeCacheCapacity(), ROUTE_TARGETS_MAX))
                .toList();
    }

    /** Begins to let go of routes that are not used. */
    void begin() {
        loops.forEach(loop -> loop.execute(() -> dropStaleRegularly(loop)));
    }

    /** Most levels of a topic name or filter that a client uses. */
    int levelsMax() {
        return levelsMax;
    }

    /** The same from now on; no more than the tree is made for. */
    void levelsMax(int levels) {
        int next = Math.min(levels, tree.levelsMax());
        boolean lower = next < levelsMax;
        levelsMax = next;
        if (lower) {
            // names of topics with routes have been checked, and are not checked again
            loops.forEach(loop -> loop.execute(() -> {
                finders.get(loop.index()).clear();
                tree.generations().bump(EVERYTHING);
            }));
        }
    }

    /** The current route of a topic that the loop remembers, by its UTF-8 form; null when it does not. */
    @Nullable CachedRoute<Route> find(byte[] buffer, int offset, int length, IoLoop loop) {
        return finders.get(loop.index()).find(buffer, offset, length);
    }

    /** As {@link RouteFinder#holdsFew}. */
    boolean holdsFew(IoLoop loop) {
        return finders.get(loop.index()).holdsFew();
    }

    /** The current route of a topic. */
    CachedRoute<Route> of(TopicName topic, IoLoop loop) {
        byte[] utf8 = topic.utf8();
        CachedRoute<Route> known = find(utf8, 0, utf8.length, loop);
        return known == null ? compute(topic, loop) : known;
    }

    /** The current route of a topic that {@link #find} has not found. */
    CachedRoute<Route> compute(TopicName topic, IoLoop loop) {
        return finders.get(loop.index()).compute(topic, loop.memory().buffersMessages());
    }

    /** As {@link RouteFinder#pass}. */
    CachedRoute<Route> pass(TopicName topic, @Nullable CachedRoute<Route> before, IoLoop loop) {
        return finders.get(loop.index()).pass(topic, before);
    }

    /** The current route of a topic, which no loop remembers. */
    CachedRoute<Route> computeAnywhere(TopicName topic) {
        return CachedRoute.compute(tree.generations(), topic, this::match);
    }

    /** Whether some subscription is to this topic by its name, not by a wildcard. Walks the tree. */
    boolean isSubscribedByName(TopicName topic) {
        AtomicBoolean found = new AtomicBoolean();
        tree.match(topic, subscription -> {
            if (subscription.filter().text().equals(topic.text())) {
                found.set(true);
            }
        });
        return found.get();
    }

    private Route match(TopicName topic) {
        List<Subscription> matching = new ArrayList<>();
        tree.match(topic, matching::add);
        return Route.of(matching, overlap).watchedBy(monitors.of(topic));
    }

    /** While memory is short, the routes are all let go; those in use are soon there again, and nothing else is. */
    private void dropStaleRegularly(IoLoop loop) {
        loop.timers().schedule(SWEEP_NS, () -> {
            RouteFinder routes = finders.get(loop.index());
            if (loop.memory().keepsCaches()) {
                routes.sweep();
            } else {
                routes.clear();
            }
            dropStaleRegularly(loop);
        });
    }
}
