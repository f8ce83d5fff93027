package dev.avocet.core.session;

import dev.avocet.core.config.LiveUse;
import dev.avocet.core.config.schema.ObjectKey;
import dev.avocet.core.policy.Limits;
import dev.avocet.core.queue.SubscriptionQueue;
import dev.avocet.core.queue.room.QueueLimits;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The policies under which subscriptions were made: what each says now, and how many subscriptions hold on to it. What
 * is made under one policy shares one object with its limits. Any thread.
 */
public final class PolicyUse implements LiveUse {
    /** By policy; as many as the configuration ever had. */
    private final ConcurrentMap<ObjectKey, QueueLimits> present = new ConcurrentHashMap<>();

    private final ConcurrentMap<ObjectKey, AtomicInteger> uses = new ConcurrentHashMap<>();
    /** Policies under which messages for clients that are away are announced. */
    private volatile Set<ObjectKey> announcing = Set.of();

    private final long maxStoredBytes;
    private volatile Consumer<ObjectKey> releaseListener = key -> {};

    /** @param maxStoredBytes the limit of every subscription about which policies say nothing */
    PolicyUse(long maxStoredBytes) {
        this.maxStoredBytes = maxStoredBytes;
    }

    /** {@link Use#SUBSCRIPTIONS} while there is a subscription, connected or not, that was made under the policy. */
    @Override
    public Use of(ObjectKey key) {
        return count(key) > 0 ? Use.SUBSCRIPTIONS : Use.FREE;
    }

    /** Subscriptions made under a policy; a shared subscription counts once. */
    public int count(ObjectKey policy) {
        AtomicInteger count = uses.get(policy);
        return count == null ? 0 : count.get();
    }

    /**
     * Who wants to know when the last subscription has let go of a policy. Called on event loops, so it must not block;
     * when it acts, another subscription may be there: ask {@link #of} again.
     */
    public void onReleased(Consumer<ObjectKey> listener) {
        releaseListener = listener;
    }

    /** The limits of a subscription that is made under a policy. */
    public QueueLimits limitsUnder(Limits limits) {
        return present.computeIfAbsent(limits.policy(), key -> QueueLimits.of(limits, maxStoredBytes));
    }

    /** What these limits have become since the policy was changed that says them. */
    QueueLimits current(QueueLimits limits) {
        ObjectKey policy = limits.policy();
        return policy == null ? limits : Objects.requireNonNullElse(present.get(policy), limits);
    }

    /** Puts a queue under other limits, as they are now; false when they are the same. */
    boolean limit(SubscriptionQueue queue, QueueLimits limits) {
        QueueLimits before = queue.limits();
        QueueLimits now = current(limits);
        if (before.equals(now)) {
            return false;
        }
        taken(now);
        queue.limits(now);
        released(before);
        return true;
    }

    /** A queue follows what its policy says now. */
    @SuppressWarnings("ReferenceEquality") // the limits of one policy are one object
    void refresh(SubscriptionQueue queue) {
        QueueLimits now = current(queue.limits());
        if (now != queue.limits()) {
            queue.limits(now);
        }
    }

    /** Whether messages are announced that wait under these limits for a client that is away. */
    boolean announces(QueueLimits limits) {
        Set<ObjectKey> some = announcing;
        return !some.isEmpty() && limits.policy() != null && some.contains(limits.policy());
    }

    /** Whether messages for clients that are away are announced under any policy. */
    boolean announces() {
        return !announcing.isEmpty();
    }

    /** Takes over what the policies say now; true when that is something else for one of them. */
    boolean update(Collection<Limits> policies) {
        announcing = policies.stream()
                .filter(Limits::notifiesDisconnected)
                .map(Limits::policy)
                .collect(Collectors.toUnmodifiableSet());
        boolean changed = false;
        for (Limits limits : policies) {
            QueueLimits now = QueueLimits.of(limits, maxStoredBytes);
            if (!now.equals(present.get(limits.policy()))) {
                present.put(limits.policy(), now);
                changed = true;
            }
        }
        return changed;
    }

    void taken(QueueLimits limits) {
        ObjectKey policy = limits.policy();
        if (policy != null) {
            uses.computeIfAbsent(policy, key -> new AtomicInteger()).incrementAndGet();
        }
    }

    void released(QueueLimits limits) {
        ObjectKey policy = limits.policy();
        AtomicInteger count = policy == null ? null : uses.get(policy);
        if (policy != null && count != null && count.decrementAndGet() == 0) {
            releaseListener.accept(policy);
        }
    }

    /** How many subscriptions hold on to each policy that is in use. */
    public Map<ObjectKey, Integer> counts() {
        Map<ObjectKey, Integer> counts = new ConcurrentHashMap<>();
        uses.forEach((policy, count) -> {
            if (count.get() > 0) {
                counts.put(policy, count.get());
            }
        });
        return Map.copyOf(counts);
    }
}
