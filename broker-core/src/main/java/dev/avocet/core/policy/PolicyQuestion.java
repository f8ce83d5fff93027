package dev.avocet.core.policy;

import dev.avocet.core.config.object.policy.QueueAction;
import dev.avocet.core.config.object.policy.SubscriptionAction;
import dev.avocet.core.config.object.policy.TopicAction;
import org.jspecify.annotations.Nullable;

/** What the policies of an endpoint can be asked about. */
public enum PolicyQuestion {
    /** To connect. */
    CONNECT("Connect", "ConnectionPolicy", "", null),
    /** To publish to a topic. */
    PUBLISH("Publish", "TopicPolicy", "Topic", TopicAction.PUBLISH),
    /** To subscribe to a topic filter, without the name of a share. */
    SUBSCRIBE("Subscribe", "TopicPolicy", "Topic", TopicAction.SUBSCRIBE),
    /** To send to a queue. */
    QUEUE_SEND("QueueSend", "QueuePolicy", "Queue", QueueAction.SEND),
    /** To receive from a queue. */
    QUEUE_RECEIVE("QueueReceive", "QueuePolicy", "Queue", QueueAction.RECEIVE),
    /** To browse a queue. */
    QUEUE_BROWSE("QueueBrowse", "QueuePolicy", "Queue", QueueAction.BROWSE),
    /** To have a queue made. */
    QUEUE_CREATE("QueueCreate", "QueuePolicy", "Queue", QueueAction.CREATE),
    /** To receive from a global shared durable subscription. */
    SUBSCRIPTION_RECEIVE("SubscriptionReceive", "SubscriptionPolicy", "Subscription", SubscriptionAction.RECEIVE),
    /** To create or delete a global shared durable subscription. */
    SUBSCRIPTION_CONTROL("SubscriptionControl", "SubscriptionPolicy", "Subscription", SubscriptionAction.CONTROL);

    private final String word;
    private final String policyType;
    private final String nameProperty;
    private final @Nullable Enum<?> action;

    PolicyQuestion(String word, String policyType, String nameProperty, @Nullable Enum<?> action) {
        this.word = word;
        this.policyType = policyType;
        this.nameProperty = nameProperty;
        this.action = action;
    }

    /** The type of the policies that answer it. */
    public String policyType() {
        return policyType;
    }

    /** Whether it is about something that has a name. */
    public boolean hasName() {
        return action != null;
    }

    /** The property of a policy that the name is held against; empty when there is none. */
    String nameProperty() {
        return nameProperty;
    }

    /** What the ActionList of a policy must hold; null when it has none. */
    @Nullable Enum<?> action() {
        return action;
    }

    /** As it is written in requests. */
    @Override
    public String toString() {
        return word;
    }
}
