package dev.avocet.core.session;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.queue.SubscriptionQueue;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.topic.Subscription;
import dev.avocet.core.topic.TopicTree;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The shared subscriptions, and how sessions join and leave them. A method that is given a session runs on its home
 * loop, the others on any thread.
 */
public final class SharedSubscriptions {
    /** Members bring options of their own; the tree needs to know only that some may want the highest level. */
    private static final DeliveryOptions ANYTHING =
            new DeliveryOptions(QualityOfService.EXACTLY_ONCE, false, false, DeliveryOptions.NO_IDENTIFIERS);

    private final TopicTree<Subscription> tree;
    private final SessionStore store;
    private final int neverAcknowledgingMultiple;
    private final PolicyUse policies;
    /**
     * Guarded by itself: members join from several loops. Touched when clients subscribe and leave, never for a
     * message.
     */
    private final Map<String, SharedSubscription> groups = new HashMap<>();

    SharedSubscriptions(
            TopicTree<Subscription> tree, int neverAcknowledgingMultiple, PolicyUse policies, SessionStore store) {
        this.tree = tree;
        this.neverAcknowledgingMultiple = neverAcknowledgingMultiple;
        this.policies = policies;
        this.store = store;
    }

    /** A session's part of a shared subscription, with the options that the session gets its messages with. */
    static Subscription member(SubscriptionRequest request, SubscriptionQueue queue, DeliveryOptions options) {
        return Subscription.shared(request.filter(), queue, Objects.requireNonNull(request.group()), options)
                .taking(request.takes())
                .selecting(request.selector());
    }

    /** A session joins; the first one makes the subscription. */
    Subscription join(ClientSession session, SubscriptionRequest request) {
        String name = Objects.requireNonNull(request.group());
        synchronized (groups) {
            SharedSubscription group = groups.get(name);
            boolean isNew = group == null;
            if (group == null) {
                group = begin(name, session.home(), request, ANYTHING);
            }
            group.expectFitting(request);
            group.members++;
            group.durable |= session.expirySeconds() > 0;
            Subscription made = memberLikeOthers(group, request);
            store.subscribed(session, request, made);
            if (isNew) {
                tree.add(request.filter(), group.entry);
            }
            return made;
        }
    }

    /** A member changes its options. */
    Subscription change(ClientSession session, SubscriptionRequest request, Subscription present) {
        Subscription changed = member(request, present.queue(), optionsIn(present, request));
        store.subscribed(session, request, changed);
        return changed;
    }

    private DeliveryOptions optionsIn(Subscription present, SubscriptionRequest request) {
        synchronized (groups) {
            SharedSubscription group = groups.get(present.group());
            return group == null ? request.options() : group.optionsFor(request.options());
        }
    }

    /** A session of an export joins; a new subscription gets no message before it is {@linkplain #activate active}. */
    Subscribed prepare(ClientSession session, SubscriptionRequest request) {
        String name = Objects.requireNonNull(request.group());
        synchronized (groups) {
            SharedSubscription group = groups.get(name);
            boolean isNew = group == null;
            if (group == null) {
                group = begin(name, session.home(), request, ANYTHING);
                group.prepared = true;
            }
            group.expectFitting(request);
            group.members++;
            group.durable = true;
            Subscription made = memberLikeOthers(group, request);
            store.subscribed(session, request, made);
            return new Subscribed(made, isNew);
        }
    }

    private Subscription memberLikeOthers(SharedSubscription group, SubscriptionRequest request) {
        return member(request, group.entry.queue(), group.optionsFor(request.options()))
                .taking(group.entry.takes())
                .selecting(group.entry.selector());
    }

    /** From now on messages come to a subscription that was {@linkplain #prepare prepared}. */
    void activate(Subscription member) {
        synchronized (groups) {
            SharedSubscription group = groups.get(member.group());
            if (group != null && group.prepared) {
                group.prepared = false;
                tree.add(group.entry.filter(), group.entry);
            }
        }
    }

    /** A member of an earlier life comes back; the first one brings the queue. */
    SubscriptionQueue restore(SubscriptionRequest request, IoLoop home) {
        String name = Objects.requireNonNull(request.group());
        synchronized (groups) {
            SharedSubscription group = groups.get(name);
            if (group == null) {
                group = begin(name, home, request, ANYTHING);
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

    /** Under the lock. The topic tree does not have it yet. */
    private SharedSubscription begin(String name, IoLoop home, SubscriptionRequest request, DeliveryOptions options) {
        QueueLimits limits = policies.current(request.limits());
        policies.taken(limits);
        SubscriptionQueue queue =
                new SubscriptionQueue(ShareNames.idOf(name).toString(), home, limits, neverAcknowledgingMultiple);
        SharedSubscription group = new SharedSubscription(name, member(request, queue, options));
        groups.put(name, group);
        return group;
    }

    boolean has(String group) {
        synchronized (groups) {
            return groups.containsKey(group);
        }
    }

    int members(String group) {
        synchronized (groups) {
            SharedSubscription present = groups.get(group);
            return present == null ? 0 : present.members;
        }
    }

    /** An administrator makes a subscription, or changes one. */
    Subscribed administer(ClientSession keeper, SubscriptionRequest wanted) {
        SubscriptionRequest request = wanted;
        Subscription present = keeper.subscription(request.key());
        String name = Objects.requireNonNull(request.group());
        synchronized (groups) {
            SharedSubscription group = groups.get(name);
            boolean isNew = group == null;
            if (group != null && request.selector() == null) {
                request = request.selecting(group.entry.selector()); // what clients have chosen already stays so
            }
            if (group == null) {
                group = begin(name, keeper.home(), request, highest(request));
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
        policies.limit(before.queue(), request.limits());
        group.entry = member(request, before.queue(), highest(request));
        tree.replace(request.filter(), before, group.entry);
    }

    private static DeliveryOptions highest(SubscriptionRequest request) {
        return new DeliveryOptions(request.options().qos(), false, false, DeliveryOptions.NO_IDENTIFIERS);
    }

    /** No message comes to it any more, and no client joins it. */
    @Nullable SubscriptionQueue retire(String group) {
        synchronized (groups) {
            SharedSubscription gone = groups.remove(group);
            if (gone == null) {
                return null;
            }
            tree.remove(gone.entry.filter(), gone.entry);
            policies.released(gone.entry.queue().limits());
            return gone.entry.queue();
        }
    }

    /** A member leaves. Returns whether its queue is over, as no member is left. */
    @SuppressWarnings("ReferenceEquality") // there may be another by that name, when this one was retired
    boolean leave(ClientSession session, Subscription gone) {
        SubscriptionQueue queue = gone.queue();
        synchronized (groups) {
            SharedSubscription group = groups.get(gone.group());
            if (group != null && group.entry.queue() == queue && group.administrator == session) {
                group.administrator = null;
                group.highest = QualityOfService.EXACTLY_ONCE;
            }
            if (group != null && group.entry.queue() == queue && --group.members == 0) {
                groups.remove(group.group);
                policies.released(queue.limits());
                tree.remove(group.entry.filter(), group.entry);
                queue.home().execute(queue::close);
                return true;
            }
        }
        return false;
    }

    List<SubscriptionQueue> queues() {
        synchronized (groups) {
            return groups.values().stream().map(group -> group.entry.queue()).toList();
        }
    }

    List<Shared> all() {
        synchronized (groups) {
            return groups.values().stream()
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
