package dev.avocet.core.session;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.queue.QueueLimits;
import dev.avocet.core.queue.SubscriptionQueue;
import dev.avocet.core.topic.Subscription;
import dev.avocet.core.topic.TopicTree;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes and ends subscriptions: keeps the sessions, the topic tree and the queues in step. Every method runs on the
 * home loop of the session it is given.
 */
public final class Subscriptions {
    private final TopicTree<Subscription> tree;
    private final SessionStore store;
    private final int neverAcknowledgingMultiple;
    private final PolicyUse policies;
    /**
     * Guarded by itself: members join from several loops. Touched when clients subscribe and leave, never for a
     * message.
     */
    private final Map<String, SharedSubscription> shared = new HashMap<>();

    public Subscriptions(TopicTree<Subscription> tree, int neverAcknowledgingMultiple, SessionStore store) {
        this(tree, neverAcknowledgingMultiple, QueueLimits.DEFAULT_MAX_STORED_BYTES, store);
    }

    /**
     * @param maxStoredBytes what the messages of one subscription made under a policy may take on disk, as policies do
     *     not say that; 0 for no limit
     */
    public Subscriptions(
            TopicTree<Subscription> tree, int neverAcknowledgingMultiple, long maxStoredBytes, SessionStore store) {
        this.tree = tree;
        this.policies = new PolicyUse(maxStoredBytes);
        this.store = store;
        this.neverAcknowledgingMultiple = neverAcknowledgingMultiple;
    }

    /** The policies under which subscriptions were made. */
    public PolicyUse policies() {
        return policies;
    }

    /**
     * Subscribes, or changes the options and the limits of a subscription with the same key while its queue stays.
     *
     * @throws ShareMismatchException when what the client wants to share is another subscription
     */
    public Subscribed subscribe(ClientSession session, SubscriptionRequest request) {
        assert session.home().inLoop() : session + " touched off its loop";
        Subscription present = session.subscription(request.key());
        Subscription made = request.group() == null
                ? subscribeExclusive(session, request, present)
                : subscribeShared(session, request, present);
        session.putSubscription(request.key(), made);
        if (present == null) {
            session.home().counters().increment(Counter.SUBSCRIPTIONS);
        }
        return new Subscribed(made, present == null);
    }

    /**
     * Brings a subscription of an earlier life back, with the queue that its references have been restored into.
     *
     * @param queue the session's own, at home on its loop; for a shared subscription the one that
     *     {@link #restoreShared} gave
     */
    public void restore(ClientSession session, SubscriptionRequest request, SubscriptionQueue queue) {
        assert session.home().inLoop() : session + " touched off its loop";
        session.home().counters().increment(Counter.SUBSCRIPTIONS);
        if (request.group() == null) {
            policies.taken(queue.limits());
        }
        if (request.group() != null) {
            session.putSubscription(request.key(), member(request, queue, request.options()));
            return;
        }
        Subscription made = exclusive(session, request, queue);
        session.putSubscription(request.key(), made);
        tree.add(made.filter(), made);
    }

    /** The queue of a shared subscription that a restored session belongs to; made by the first of them. Any thread. */
    public SubscriptionQueue restoreShared(SubscriptionRequest request, IoLoop home) {
        String name = Objects.requireNonNull(request.group());
        synchronized (shared) {
            SharedSubscription group = shared.get(name);
            if (group == null) {
                group = new SharedSubscription(name, member(request, newSharedQueue(name, home, request), ANYTHING));
                shared.put(name, group);
                tree.add(request.filter(), group.entry);
            } else if (group.entry.selector() == null && request.selector() != null) {
                Subscription before = group.entry;
                group.entry = before.selecting(request.selector());
                tree.replace(before.filter(), before, group.entry);
            }
            group.members++;
            group.durable = true; // or else nothing of it would have come back
            return group.entry.queue();
        }
    }

    /**
     * Makes a subscription that another broker has exported. No message comes to its queue before {@link #activate}.
     *
     * @return whether its queue is new, as it is not that of a shared subscription which was there before
     * @throws ShareMismatchException when what is to be shared is another subscription here
     */
    public Subscribed prepare(ClientSession session, SubscriptionRequest request) {
        assert session.home().inLoop() : session + " touched off its loop";
        boolean isNew = true;
        Subscription made;
        if (request.group() == null) {
            SubscriptionQueue queue = newQueue(session, request);
            policies.taken(queue.limits());
            made = exclusive(session, request, queue);
            store.subscribed(session, request, made);
        } else {
            String name = request.group();
            synchronized (shared) {
                SharedSubscription group = shared.get(name);
                isNew = group == null;
                if (group == null) {
                    SubscriptionQueue queue = newSharedQueue(name, session.home(), request);
                    group = new SharedSubscription(name, member(request, queue, ANYTHING));
                    group.prepared = true;
                    shared.put(name, group);
                }
                group.expectFitting(request);
                group.members++;
                group.durable = true;
                made = member(request, group.entry.queue(), group.optionsFor(request.options()))
                        .taking(group.entry.takes())
                        .selecting(group.entry.selector());
                store.subscribed(session, request, made);
            }
        }
        session.putSubscription(request.key(), made);
        session.home().counters().increment(Counter.SUBSCRIPTIONS);
        return new Subscribed(made, isNew);
    }

    /** From now on messages come to the subscriptions of a session that were {@linkplain #prepare prepared}. */
    public void activate(ClientSession session) {
        assert session.home().inLoop() : session + " touched off its loop";
        for (Subscription subscription : session.subscriptions()) {
            if (!subscription.isShared()) {
                tree.add(subscription.filter(), subscription);
                continue;
            }
            synchronized (shared) {
                SharedSubscription group = shared.get(subscription.group());
                if (group != null && group.prepared) {
                    group.prepared = false;
                    tree.add(group.entry.filter(), group.entry);
                }
            }
        }
    }

    /** A queue for a restored subscription of a session's own. */
    public SubscriptionQueue newQueue(ClientSession session, SubscriptionRequest request) {
        return new SubscriptionQueue(
                new SubscriptionId(session.clientId(), request.key()).toString(),
                session.home(),
                policies.current(request.limits()),
                neverAcknowledgingMultiple);
    }

    private SubscriptionQueue newSharedQueue(String group, IoLoop home, SubscriptionRequest request) {
        QueueLimits limits = policies.current(request.limits());
        policies.taken(limits);
        return new SubscriptionQueue(ShareNames.idOf(group).toString(), home, limits, neverAcknowledgingMultiple);
    }

    /** Whether a shared subscription is there, so that who comes joins it. Any thread; may be otherwise at once. */
    public boolean isShared(String group) {
        synchronized (shared) {
            return shared.containsKey(group);
        }
    }

    /** How many sessions belong to a shared subscription. Any thread; may be otherwise at once. */
    public int sharers(String group) {
        synchronized (shared) {
            SharedSubscription present = shared.get(group);
            return present == null ? 0 : present.members;
        }
    }

    /**
     * Makes a shared subscription that stays while no client consumes from it, or changes one: a session to which no
     * client connects becomes a member of it, and what this one says holds for all.
     *
     * @param wanted its quality of service is the highest at which any member gets messages
     * @throws ShareMismatchException when clients share another subscription under that name
     */
    public Subscribed administer(ClientSession keeper, SubscriptionRequest wanted) {
        assert keeper.home().inLoop() : keeper + " touched off its loop";
        SubscriptionRequest request = wanted;
        Subscription present = keeper.subscription(request.key());
        String name = Objects.requireNonNull(request.group());
        synchronized (shared) {
            SharedSubscription group = shared.get(name);
            boolean isNew = group == null;
            if (group != null && request.selector() == null) {
                request = request.selecting(group.entry.selector()); // what clients have chosen already stays so
            }
            if (group == null) {
                SubscriptionQueue queue = newSharedQueue(name, keeper.home(), request);
                group = new SharedSubscription(name, member(request, queue, highest(request)));
                shared.put(name, group);
            } else {
                group.expectSameFilter(request);
                change(group, request);
            }
            group.highest = request.options().qos();
            group.administrator = keeper;
            group.durable |= keeper.expirySeconds() > 0;
            group.members += present == null ? 1 : 0;
            Subscription made = member(request, group.entry.queue(), request.options());
            store.subscribed(keeper, request, made);
            if (isNew) {
                tree.add(request.filter(), group.entry);
            }
            keeper.putSubscription(request.key(), made);
            if (present == null) {
                keeper.home().counters().increment(Counter.SUBSCRIPTIONS);
            }
            return new Subscribed(made, isNew);
        }
    }

    private void change(SharedSubscription group, SubscriptionRequest request) {
        Subscription before = group.entry;
        limit(before.queue(), request.limits());
        group.entry = member(request, before.queue(), highest(request));
        tree.replace(request.filter(), before, group.entry);
    }

    /**
     * Takes a shared subscription away from all who share it: no message comes any more, and no client joins it. They
     * must leave, and then its queue must be {@linkplain #close closed}. Any thread.
     */
    public @Nullable SubscriptionQueue retire(String group) {
        synchronized (shared) {
            SharedSubscription gone = shared.remove(group);
            if (gone == null) {
                return null;
            }
            tree.remove(gone.entry.filter(), gone.entry);
            policies.released(gone.entry.queue().limits());
            return gone.entry.queue();
        }
    }

    /** Ends the queue of a shared subscription that was {@linkplain #retire retired}. On the queue's home loop. */
    public void close(SubscriptionQueue retired) {
        retired.close();
        store.queueEnded(retired, retired.home());
    }

    /**
     * A client has come back, and another policy is now the one for a subscription of its own. It is made as if under
     * that from now on.
     */
    public void limit(ClientSession session, String key, QueueLimits limits) {
        assert session.home().inLoop() : session + " touched off its loop";
        Subscription present = session.subscription(key);
        if (present == null || present.isShared() || !limit(present.queue(), limits)) {
            return;
        }
        store.subscribed(
                session,
                new SubscriptionRequest(
                        key,
                        present.filter(),
                        null,
                        present.options(),
                        present.noLocal(),
                        present.queue().limits(),
                        present.takes(),
                        present.selector()),
                present);
    }

    /** Policies have changed: the subscriptions of a session that were made under them follow. */
    public void refreshLimits(ClientSession session) {
        assert session.home().inLoop() : session + " touched off its loop";
        for (Subscription subscription : session.subscriptions()) {
            if (!subscription.isShared()) {
                refresh(subscription.queue());
            }
        }
    }

    /** The same for shared subscriptions. Any thread. */
    public void refreshSharedLimits() {
        sharedQueues().forEach(this::refresh);
    }

    @SuppressWarnings("ReferenceEquality") // the limits of one policy are one object
    private void refresh(SubscriptionQueue queue) {
        QueueLimits now = policies.current(queue.limits());
        if (now != queue.limits()) {
            queue.limits(now);
        }
    }

    /** Puts a queue under other limits; false when they are the same. */
    private boolean limit(SubscriptionQueue queue, QueueLimits limits) {
        QueueLimits before = queue.limits();
        QueueLimits now = policies.current(limits);
        if (before.equals(now)) {
            return false;
        }
        policies.taken(now);
        queue.limits(now);
        policies.released(before);
        return true;
    }

    /** Ends a subscription; false when there is none with this key. */
    public boolean unsubscribe(ClientSession session, String key) {
        assert session.home().inLoop() : session + " touched off its loop";
        Subscription gone = session.removeSubscription(key);
        if (gone == null) {
            return false;
        }
        boolean isOver = end(session, gone);
        store.unsubscribed(session, key);
        if (isOver) {
            store.queueEnded(gone.queue(), session.home());
        }
        return true;
    }

    /** Ends every subscription of a session. */
    void unsubscribeAll(ClientSession session) {
        for (Subscription subscription : List.copyOf(session.subscriptions())) {
            if (end(session, subscription) && subscription.isShared()) {
                store.queueEnded(subscription.queue(), session.home());
            }
        }
    }

    /** The queues of shared subscriptions, for sweeps and statistics. Any thread. */
    public List<SubscriptionQueue> sharedQueues() {
        synchronized (shared) {
            return shared.values().stream().map(group -> group.entry.queue()).toList();
        }
    }

    /** The shared subscriptions. Any thread. */
    public List<Shared> shared() {
        synchronized (shared) {
            return shared.values().stream()
                    .map(group -> new Shared(
                            group.group,
                            group.id,
                            group.entry,
                            group.isAdministered() ? group.members - 1 : group.members,
                            group.durable,
                            group.isAdministered()))
                    .toList();
        }
    }

    private Subscription subscribeExclusive(
            ClientSession session, SubscriptionRequest request, @Nullable Subscription present) {
        SubscriptionQueue queue = present != null ? present.queue() : newQueue(session, request);
        if (present == null) {
            policies.taken(queue.limits());
        } else {
            limit(queue, request.limits());
        }
        Subscription made = exclusive(session, request, queue);
        store.subscribed(session, request, made);
        if (present == null || !tree.replace(made.filter(), present, made)) {
            tree.add(made.filter(), made);
        }
        return made;
    }

    private Subscription subscribeShared(
            ClientSession session, SubscriptionRequest request, @Nullable Subscription present) {
        if (present != null) {
            Subscription changed = member(request, present.queue(), optionsIn(present, request));
            store.subscribed(session, request, changed);
            return changed;
        }
        return join(session, request);
    }

    private Subscription join(ClientSession session, SubscriptionRequest request) {
        String name = Objects.requireNonNull(request.group());
        synchronized (shared) {
            SharedSubscription group = shared.get(name);
            boolean isNew = group == null;
            if (group == null) {
                SubscriptionQueue queue = newSharedQueue(name, session.home(), request);
                group = new SharedSubscription(name, member(request, queue, ANYTHING));
                shared.put(name, group);
            }
            group.expectFitting(request);
            group.members++;
            group.durable |= session.expirySeconds() > 0;
            Subscription made = member(request, group.entry.queue(), group.optionsFor(request.options()))
                    .taking(group.entry.takes())
                    .selecting(group.entry.selector());
            store.subscribed(session, request, made);
            if (isNew) {
                tree.add(request.filter(), group.entry);
            }
            return made;
        }
    }

    private DeliveryOptions optionsIn(Subscription present, SubscriptionRequest request) {
        synchronized (shared) {
            SharedSubscription group = shared.get(present.group());
            return group == null ? request.options() : group.optionsFor(request.options());
        }
    }

    private static Subscription exclusive(ClientSession session, SubscriptionRequest request, SubscriptionQueue queue) {
        return Subscription.exclusive(request.filter(), queue, request.options(), request.noLocal(), session.clientId())
                .taking(request.takes())
                .selecting(request.selector());
    }

    private static Subscription member(SubscriptionRequest request, SubscriptionQueue queue, DeliveryOptions options) {
        return Subscription.shared(request.filter(), queue, Objects.requireNonNull(request.group()), options)
                .taking(request.takes())
                .selecting(request.selector());
    }

    private static DeliveryOptions highest(SubscriptionRequest request) {
        return new DeliveryOptions(request.options().qos(), false, false, DeliveryOptions.NO_IDENTIFIERS);
    }

    /** Returns whether its queue is over. */
    private boolean end(ClientSession session, Subscription gone) {
        session.home().counters().add(Counter.SUBSCRIPTIONS, -1);
        if (gone.isShared()) {
            return leave(session, gone);
        }
        tree.remove(gone.filter(), gone);
        policies.released(gone.queue().limits());
        gone.queue().close();
        return true;
    }

    @SuppressWarnings("ReferenceEquality") // there may be another by that name, when this one was retired
    private boolean leave(ClientSession session, Subscription gone) {
        SubscriptionQueue queue = gone.queue();
        synchronized (shared) {
            SharedSubscription group = shared.get(gone.group());
            if (group != null && group.entry.queue() == queue && group.administrator == session) {
                group.administrator = null;
                group.highest = QualityOfService.EXACTLY_ONCE;
            }
            if (group != null && group.entry.queue() == queue && --group.members == 0) {
                shared.remove(group.group);
                policies.released(queue.limits());
                tree.remove(group.entry.filter(), group.entry);
                queue.home().execute(queue::close);
                return true;
            }
        }
        return false;
    }

    /** Members bring options of their own; the tree needs to know only that some may want the highest level. */
    private static final DeliveryOptions ANYTHING =
            new DeliveryOptions(QualityOfService.EXACTLY_ONCE, false, false, DeliveryOptions.NO_IDENTIFIERS);

    /**
     * The answer to a subscribe.
     *
     * @param isNew false when a subscription with the same key was changed
     */
    public record Subscribed(Subscription subscription, boolean isNew) {}

    /**
     * A shared subscription, for administrators.
     *
     * @param group what the broker calls it
     * @param id what people call it
     * @param subscription its filter and its queue
     * @param members sessions that belong to it, connected or not
     * @param durable whether one of them outlives its connection, or has when it joined
     * @param administered whether an administrator made it, who is not among the members
     */
    public record Shared(
            String group,
            SubscriptionId id,
            Subscription subscription,
            int members,
            boolean durable,
            boolean administered) {
        /** False where it belongs to a single consumer of a JMS client. */
        public boolean isShared() {
            return ShareNames.isShared(group);
        }
    }
}
