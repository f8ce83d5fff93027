package dev.avocet.core.topic;

import dev.avocet.core.message.TopicName;
import dev.avocet.core.policy.DecisionMemo;
import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A topic, the route that was computed for it, and what tells whether it still holds. A connection keeps the last one
 * it used and asks {@link #isFor} and {@link #isCurrent} before it turns to the {@link RouteCache}.
 *
 * <p>Immutable but for a mark of the cache and a note of who may publish to the topic; may be handed to any thread.
 */
public final class CachedRoute<R> implements DecisionMemo {
    private final TopicName topic;
    private final R route;
    private final SubtreeGenerations generations;
    private final int stripes;
    private final long stamp;
    /** How many bytes of the topic have decided, see {@link TopicTree#match}. */
    private final int decided;
    /** {@link SubtreeGenerations#total} at the time of the stamp: until it changes, other topics are led. */
    private final long total;

    /** The cache's note that this was asked for lately. A lost write does no harm. */
    private boolean used;

    private @Nullable Noted decision;

    /**
     * The route of a topic that a walk has found.
     *
     * @param stripes of the topic, or {@link SubtreeGenerations#EVERYTHING} for a route that is used once, as its topic
     *     is one of many: then any change of the subscriptions makes it old
     * @param stamp of the stripes, before the tree was walked
     * @param decided what the walk has returned
     * @param total {@link SubtreeGenerations#total} before the tree was walked
     */
    CachedRoute(
            TopicName topic,
            R route,
            SubtreeGenerations generations,
            int stripes,
            long stamp,
            int decided,
            long total) {
        this.topic = topic;
        this.route = route;
        this.generations = generations;
        this.stripes = stripes;
        this.stamp = stamp;
        this.decided = decided;
        this.total = total;
    }

    /**
     * Computes a route by a function that walks the tree. The stamp is taken before, as {@link SubtreeGenerations}
     * demands. It leads no other topic.
     */
    public static <R> CachedRoute<R> compute(
            SubtreeGenerations generations, TopicName topic, Function<? super TopicName, ? extends R> router) {
        int stripes = SubtreeGenerations.stripes(topic.utf8());
        long stamp = generations.stamp(stripes);
        return new CachedRoute<>(topic, router.apply(topic), generations, stripes, stamp, TopicTree.WHOLE_NAME, 0);
    }

    /**
     * Whether another topic, whose UTF-8 form lies in a buffer, has this route as well: what has decided of this one
     * begins it too, and no subscription has come or gone since.
     */
    public boolean leads(byte[] buffer, int offset, int length) {
        return decided <= length
                && generations.total() == total
                && Arrays.equals(buffer, offset, offset + decided, topic.utf8(), 0, decided);
    }

    /** The same of a name. */
    boolean leads(TopicName other) {
        byte[] utf8 = other.utf8();
        return leads(utf8, 0, utf8.length);
    }

    /** The current route of a topic that this one {@link #leads}. */
    public CachedRoute<R> of(TopicName other) {
        return new CachedRoute<>(other, route, generations, SubtreeGenerations.EVERYTHING, total, decided, total);
    }

    public TopicName topic() {
        return topic;
    }

    public R route() {
        return route;
    }

    /** True while no subscription that could concern the topic has come or gone: three volatile reads. */
    public boolean isCurrent() {
        return generations.stamp(stripes) == stamp;
    }

    /** True when the bytes from {@code offset} are the topic's UTF-8 form. */
    public boolean isFor(byte[] buffer, int offset, int length) {
        byte[] utf8 = topic.utf8();
        return utf8.length == length && Arrays.equals(buffer, offset, offset + length, utf8, 0, length);
    }

    @Override
    public @Nullable Noted noted() {
        return decision;
    }

    @Override
    public void note(Noted made) {
        decision = made;
    }

    void markUsed() {
        if (!used) {
            used = true;
        }
    }

    /** Whether it was used since the last time this was asked. */
    boolean takeUsed() {
        boolean was = used;
        used = false;
        return was;
    }
}
