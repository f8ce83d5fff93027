package dev.avocet.core.policy;

import dev.avocet.core.config.object.ObjectTypes;
import dev.avocet.core.config.object.policy.FullBehavior;
import dev.avocet.core.config.object.policy.RejectScope;
import dev.avocet.core.config.object.policy.SubscriptionPolicy;
import dev.avocet.core.config.object.policy.TopicPolicy;
import dev.avocet.core.config.schema.ObjectKey;
import dev.avocet.core.config.value.NumberValue;

/**
 * How much a client may do that is allowed to. Immutable; one object for each policy, so that what is made under a
 * policy can share it.
 *
 * @param policy under which it was allowed
 * @param maxMessages most messages in a subscription
 * @param maxBytes most bytes of messages in a subscription; {@link #UNLIMITED} for no limit
 * @param behavior what a full subscription does
 * @param rejectScope whom it concerns that it rejects
 * @param maxTimeToLiveSeconds longest life of a message that is published; {@link #UNLIMITED} for no limit
 * @param notifiesDisconnected whether messages for a client that is away are announced
 */
public record Limits(
        ObjectKey policy,
        int maxMessages,
        long maxBytes,
        FullBehavior behavior,
        RejectScope rejectScope,
        long maxTimeToLiveSeconds,
        boolean notifiesDisconnected) {
    /** More than anything. */
    public static final long UNLIMITED = NumberValue.UNLIMITED;

    private static final int QUEUE_DECIDES = Integer.MAX_VALUE;

    /** What a topic policy says. */
    public static Limits of(TopicPolicy policy) {
        return new Limits(
                ObjectTypes.of(TopicPolicy.class).keyOf(policy.name()),
                policy.maxMessages(),
                policy.maxBytes(),
                policy.maxMessagesBehavior(),
                policy.rejectScope(),
                policy.maxMessageTimeToLiveSeconds(),
                policy.disconnectedClientNotification());
    }

    /** What a subscription policy says. */
    public static Limits of(SubscriptionPolicy policy) {
        return new Limits(
                ObjectTypes.of(SubscriptionPolicy.class).keyOf(policy.name()),
                policy.maxMessages(),
                policy.maxBytes(),
                policy.maxMessagesBehavior(),
                policy.rejectScope(),
                UNLIMITED,
                false);
    }

    /** What the use of a queue is bound to by its policy; how much the queue holds is its own affair. */
    static Limits ofQueueUse(ObjectKey policy, long maxTimeToLiveSeconds) {
        return new Limits(
                policy,
                QUEUE_DECIDES,
                UNLIMITED,
                FullBehavior.REJECT_NEW_MESSAGES,
                RejectScope.EVERYBODY,
                maxTimeToLiveSeconds,
                false);
    }
}
