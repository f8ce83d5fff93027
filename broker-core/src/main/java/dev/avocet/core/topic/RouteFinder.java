package dev.avocet.core.topic;

import dev.avocet.core.message.TopicName;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How an event loop finds the routes of topics: those that are published to again and again in its {@link RouteCache},
 * by the bytes of the topic; any other by what it matches, in its {@link SharedRoutes}. Neither grows with the number
 * of topics.
 *
 * <p>Owned by its loop.
 */
public final class RouteFinder {
    /** Cached routes looked at in one sweep for what leads to sessions that are gone. */
    private static final int SWEEP_ROUTES = 2_048;

    /** A route that is shared is let go when it was not used for as many sweeps. */
    private static final int SWEEPS_UNUSED = 8;

    /** The routes of so many topics, with their names, stay in the processor's caches. */
    static final int FEW_TOPICS = 2_048;

    private final TopicTree<Subscription> tree;
    private final TopicMonitors monitors;
    private final RouteCache<Route> byTopic;
    private final SharedRoutes byMatches;
    private final Function<TopicName, CachedRoute<Route>> walk = this::walk;
    private int sweeps;

    /**
     * @param topics routes to hold by their topics
     * @param targetsMax the most targets of the routes that are held by their topics, and of those that are shared
     */
    public RouteFinder(
            TopicTree<Subscription> tree,
            TopicMonitors monitors,
            OverlapDelivery overlap,
            int topics,
            long targetsMax) {
        this.tree = tree;
        this.monitors = monitors;
        this.byTopic = new RouteCache<>(tree.generations(), topics, targetsMax, route -> route.targets().length);
        this.byMatches = new SharedRoutes(overlap, targetsMax);
    }

    /**
     * The current route of a topic whose UTF-8 form lies in a buffer, or null when it is not held and the topic's name
     * has yet to be checked.
     */
    public @Nullable CachedRoute<Route> find(byte[] buffer, int offset, int length) {
        return byTopic.findOrRefresh(buffer, offset, length, walk);
    }

    /**
     * Whether so few topics are held that a look for one costs less than to check its name: otherwise a publisher does
     * well to ask first whether its last route {@linkplain CachedRoute#leads leads} the next topic.
     */
    public boolean holdsFew() {
        return byTopic.size() <= FEW_TOPICS;
    }

    /**
     * The current route of a topic that {@link #find} has not found.
     *
     * @param mayKeep false while memory is short
     */
    public CachedRoute<Route> compute(TopicName topic, boolean mayKeep) {
        CachedRoute<Route> computed = walk(topic);
        if (mayKeep) {
            byTopic.offer(computed);
        }
        return computed;
    }

    /**
     * The current route of a topic that {@link #find} was not asked for, and which is not kept.
     *
     * @param before another route of the same publisher: where it lies below the same filters, nothing is walked
     */
    public CachedRoute<Route> pass(TopicName topic, @Nullable CachedRoute<Route> before) {
        return before != null && before.leads(topic) ? before.of(topic) : walk(topic, SubtreeGenerations.EVERYTHING);
    }

    /** Lets go of a part of what leads nowhere any more. Call it regularly. */
    public void sweep() {
        byTopic.dropStale(SWEEP_ROUTES);
        if (++sweeps % SWEEPS_UNUSED == 0) {
            byMatches.dropUnused();
        }
    }

    /** Forgets everything. */
    public void clear() {
        byTopic.clear();
        byMatches.clear();
    }

    /** How many routes are held by their topics, stale ones included. */
    int topicsHeld() {
        return byTopic.size();
    }

    /** How many routes are held for whatever topics have them. */
    int sharedHeld() {
        return byMatches.size();
    }

    private CachedRoute<Route> walk(TopicName topic) {
        return walk(topic, SubtreeGenerations.stripes(topic.utf8()));
    }

    private CachedRoute<Route> walk(TopicName topic, int stripes) {
        SubtreeGenerations generations = tree.generations();
        long total = generations.total();
        long stamp = generations.stamp(stripes);
        Matches<Subscription> matches = new Matches<>();
        int decided = tree.match(topic, matches);
        TopicFigures[] watchers = monitors.of(topic);
        return new CachedRoute<>(
                topic,
                byMatches.of(matches).watchedBy(watchers),
                generations,
                stripes,
                stamp,
                monitors.watchesNothing() ? decided : TopicTree.WHOLE_NAME,
                total);
    }
}
