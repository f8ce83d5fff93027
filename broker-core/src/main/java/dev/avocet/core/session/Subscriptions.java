package dev.avocet.core.session;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.queue.SubscriptionQueue;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.session.SharedSubscriptions.Shared;
import dev.avocet.core.topic.Subscription;
import dev.avocet.core.topic.TopicTree;
import java.util.List;
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
    private final SharedSubscriptions shared;

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
        this.shared = new SharedSubscriptions(tree, neverAcknowledgingMultiple, policies, store);
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
            session.putSubscription(request.key(), SharedSubscriptions.member(request, queue, request.options()));
            return;
        }
        Subscription made = exclusive(session, request, queue);
        session.putSubscription(request.key(), made);
        tree.add(made.filter(), made);
    }

    /** The queue of a shared subscription that a restored session belongs to; made by the first of them. Any thread. */
    public SubscriptionQueue restoreShared(SubscriptionRequest request, IoLoop home) {
        return shared.restore(request, home);
    }

    /**
     * Makes a subscription that another broker has exported. No message comes to its queue before {@link #activate}.
     *
     * @return whether its queue is new, as it is not that of a shared subscription which was there before
     * @throws ShareMismatchException when what is to be shared is another subscription here
     */
    public Subscribed prepare(ClientSession session, SubscriptionRequest request) {
        assert session.home().inLoop() : session + " touched off its loop";
        Subscribed subscribed =
                request.group() == null ? prepareExclusive(session, request) : shared.prepare(session, request);
        session.putSubscription(request.key(), subscribed.subscription());
        session.home().counters().increment(Counter.SUBSCRIPTIONS);
        return subscribed;
    }

    private Subscribed prepareExclusive(ClientSession session, SubscriptionRequest request) {
        SubscriptionQueue queue = newQueue(session, request);
        policies.taken(queue.limits());
        Subscription made = exclusive(session, request, queue);
        store.subscribed(session, request, made);
        return new Subscribed(made, true);
    }

    /** From now on messages come to the subscriptions of a session that were {@linkplain #prepare prepared}. */
    public void activate(ClientSession session) {
        assert session.home().inLoop() : session + " touched off its loop";
        for (Subscription subscription : session.subscriptions()) {
            if (subscription.isShared()) {
                shared.activate(subscription);
            } else {
                tree.add(subscription.filter(), subscription);
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

    /** Whether a shared subscription is there, so that who comes joins it. Any thread; may be otherwise at once. */
    public boolean isShared(String group) {
        return shared.has(group);
    }

    /** How many sessions belong to a shared subscription. Any thread; may be otherwise at once. */
    public int sharers(String group) {
        return shared.members(group);
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
        return shared.administer(keeper, wanted);
    }

    /**
     * Takes a shared subscription away from all who share it: no message comes any more, and no client joins it. They
     * must leave, and then its queue must be {@linkplain #close closed}. Any thread.
     */
    public @Nullable SubscriptionQueue retire(String group) {
        return shared.retire(group);
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
        if (present == null || present.isShared() || !policies.limit(present.queue(), limits)) {
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
                policies.refresh(subscription.queue());
            }
        }
    }

    /** The same for shared subscriptions. Any thread. */
    public void refreshSharedLimits() {
        sharedQueues().forEach(policies::refresh);
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
        return shared.queues();
    }

    /** The shared subscriptions. Any thread. */
    public List<Shared> shared() {
        return shared.all();
    }

    private Subscription subscribeExclusive(
            ClientSession session, SubscriptionRequest request, @Nullable Subscription present) {
        SubscriptionQueue queue = present != null ? present.queue() : newQueue(session, request);
        if (present == null) {
            policies.taken(queue.limits());
        } else {
            policies.limit(queue, request.limits());
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
        return present == null ? shared.join(session, request) : shared.change(session, request, present);
    }

    private static Subscription exclusive(ClientSession session, SubscriptionRequest request, SubscriptionQueue queue) {
        return Subscription.exclusive(request.filter(), queue, request.options(), request.noLocal(), session.clientId())
                .taking(request.takes())
                .selecting(request.selector());
    }

    /** Returns whether its queue is over. */
    private boolean end(ClientSession session, Subscription gone) {
        session.home().counters().add(Counter.SUBSCRIPTIONS, -1);
        if (gone.isShared()) {
            return shared.leave(session, gone);
        }
        tree.remove(gone.filter(), gone);
        policies.released(gone.queue().limits());
        gone.queue().close();
        return true;
    }
}
