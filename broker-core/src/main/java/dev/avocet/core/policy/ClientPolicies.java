package dev.avocet.core.policy;

import dev.avocet.core.config.object.policy.QueueAction;
import dev.avocet.core.config.object.policy.SubscriptionAction;
import dev.avocet.core.config.object.policy.TopicAction;
import dev.avocet.core.policy.Rule.Bound;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The policies of a set that apply to a client, with its variables replaced: only names are left to compare. Clients to
 * whom the same policies apply share one, if those have no variables. Immutable; compared by identity.
 */
public final class ClientPolicies {
    private final List<Bound> publish;
    private final List<Bound> subscribe;
    private final Map<SubscriptionAction, List<Bound>> subscriptions;
    private final Map<QueueAction, List<Bound>> queues;
    private final @Nullable Decision publishAnywhere;

    ClientPolicies(PolicySet policies, ClientFacts client) {
        Map<TopicAction, List<Bound>> topics = Rule.boundTo(policies.topicRules(), client);
        publish = topics.getOrDefault(TopicAction.PUBLISH, List.of());
        subscribe = topics.getOrDefault(TopicAction.SUBSCRIBE, List.of());
        subscriptions = Rule.boundTo(policies.subscriptionRules(), client);
        queues = Rule.boundTo(policies.queueRules(), client);
        publishAnywhere = sameForAll(publish);
    }

    /** The answer about every topic to publish to where it is the same for all; null where the topic counts. */
    @Nullable Decision publishAnywhere() {
        return publishAnywhere;
    }

    /** About a topic to publish to. */
    public Decision publish(String topic) {
        return first(publish, topic);
    }

    /**
     * About a topic filter, whose {@code +} and {@code #} are compared as they stand there; without the name of a
     * share.
     */
    public Decision subscribe(String filter) {
        return first(subscribe, filter);
    }

    /** About a global shared durable subscription. */
    public Decision sharedSubscription(String name, SubscriptionAction action) {
        return first(subscriptions.getOrDefault(action, List.of()), name);
    }

    /** About a queue. */
    public Decision queue(String name, QueueAction action) {
        return first(queues.getOrDefault(action, List.of()), name);
    }

    /** The same by the name of the question, which is not about connecting. */
    Decision decide(PolicyQuestion question, String name) {
        return switch (question) {
            case CONNECT -> throw new IllegalArgumentException("it has connected");
            case PUBLISH -> publish(name);
            case SUBSCRIBE -> subscribe(name);
            case QUEUE_SEND -> queue(name, QueueAction.SEND);
            case QUEUE_RECEIVE -> queue(name, QueueAction.RECEIVE);
            case QUEUE_BROWSE -> queue(name, QueueAction.BROWSE);
            case QUEUE_CREATE -> queue(name, QueueAction.CREATE);
            case SUBSCRIPTION_RECEIVE -> sharedSubscription(name, SubscriptionAction.RECEIVE);
            case SUBSCRIPTION_CONTROL -> sharedSubscription(name, SubscriptionAction.CONTROL);
        };
    }

    private static @Nullable Decision sameForAll(List<Bound> rules) {
        if (rules.isEmpty()) {
            return Decision.DENIED;
        }
        Bound first = rules.get(0);
        return first.matchesAll() ? first.decision() : null;
    }

    private static Decision first(List<Bound> rules, String name) {
        for (int i = 0; i < rules.size(); i++) {
            Bound rule = rules.get(i);
            if (rule.matches(name)) {
                return rule.decision();
            }
        }
        return Decision.DENIED;
    }
}
