package dev.avocet.core.topic;

import dev.avocet.core.config.object.messaging.QualityOfServiceFilter;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.TopicFilter;
import dev.avocet.core.queue.SubscriptionQueue;
import dev.avocet.core.selector.Selector;
import org.jspecify.annotations.Nullable;

/**
 * One entry of the topic tree: a filter and the queue for what matches. Immutable and compared by
 * identity; a client that subscribes again with other options replaces its entry.
 */
public final class Subscription {
    private final TopicFilter filter;
    private final SubscriptionQueue queue;
    private final DeliveryOptions options;
    private final boolean noLocal;
    private final Object owner;
    private final @Nullable String group;
    private final QualityOfServiceFilter takes;
    private final @Nullable Selector selector;
    /** As the filter says; here, as the filter is another object to fetch. */
    private final boolean hasWildcard;
    /** Two threads that find none make equal ones. */
    private @Nullable Route alone;

    private Subscription(
            TopicFilter filter,
            SubscriptionQueue queue,
            DeliveryOptions options,
            boolean noLocal,
            Object owner,
            @Nullable String group,
            QualityOfServiceFilter takes,
            @Nullable Selector selector) {
        this.filter = filter;
        this.queue = queue;
        this.options = options;
        this.noLocal = noLocal;
        this.owner = owner;
        this.group = group;
        this.takes = takes;
        this.selector = selector;
        this.hasWildcard = filter.hasWildcard();
    }

    /**
     * A subscription of one client.
     *
     * @param owner the client: subscriptions of one owner that match the same topic count as one, and {@code noLocal}
     *     leaves out messages whose publisher is the owner
     */
    public static Subscription exclusive(
            TopicFilter filter, SubscriptionQueue queue, DeliveryOptions options, boolean noLocal, Object owner) {
        return new Subscription(filter, queue, options, noLocal, owner, null, QualityOfServiceFilter.NONE, null);
    }

    /**
     * A subscription whose messages are divided among several consumers, each of which brings options of its own.
     *
     * @param group what the broker calls it, the same for all who share it
     * @param options the highest quality of service that any consumer may want
     */
    public static Subscription shared(
            TopicFilter filter, SubscriptionQueue queue, String group, DeliveryOptions options) {
        return new Subscription(filter, queue, options, false, queue, group, QualityOfServiceFilter.NONE, null);
    }

    /** The same for some of the messages. */
    public Subscription taking(QualityOfServiceFilter some) {
        return new Subscription(filter, queue, options, noLocal, owner, group, some, selector);
    }

    /** The same for messages that a selector matches; all if it is null. */
    public Subscription selecting(@Nullable Selector some) {
        return new Subscription(filter, queue, options, noLocal, owner, group, takes, some);
    }

    public TopicFilter filter() {
        return filter;
    }

    public SubscriptionQueue queue() {
        return queue;
    }

    public DeliveryOptions options() {
        return options;
    }

    public boolean noLocal() {
        return noLocal;
    }

    public Object owner() {
        return owner;
    }

    /** Whether consumers of other sessions may have a part of its messages. */
    public boolean isShared() {
        return group != null;
    }

    /** What the broker calls it if it is shared; null otherwise. */
    public @Nullable String group() {
        return group;
    }

    /** Which messages it takes, by the quality of service with which they were published. */
    public QualityOfServiceFilter takes() {
        return takes;
    }

    /** Which messages it takes, by their properties; null for all. */
    public @Nullable Selector selector() {
        return selector;
    }

    /**
     * The route of topics that no other filter matches. Kept where many topics may have it. Without a wildcard one has,
     * and a route that is made anew for each message costs less than one that was last used many messages ago.
     */
    Route route() {
        if (!hasWildcard) {
            return Route.to(this);
        }
        Route known = alone;
        if (known == null) {
            alone = known = Route.to(this);
        }
        return known;
    }

    /** Whether a message is of a kind that is asked for. */
    public boolean wants(Message message) {
        return takes.takes(message.qos()) && (selector == null || selector.matches(message));
    }

    @Override
    public String toString() {
        return filter + " -> " + queue;
    }
}
