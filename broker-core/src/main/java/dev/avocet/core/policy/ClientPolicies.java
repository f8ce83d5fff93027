package dev.avocet.core.policy;

import dev.avocet.core.config.object.QueueAction;
import dev.avocet.core.config.object.SubscriptionAction;
import dev.avocet.core.config.object.TopicAction;
import dev.avocet.core.policy.Rule.Bound;
import java.util.ArrayList;
import java.util.List;

/** The policies of a set that apply to one client, with its variables replaced: only names are left to compare. Immutable. */
public final class ClientPolicies {
    private final List<Bound<TopicAction>> topics;
    private final List<Bound<SubscriptionAction>> subscriptions;
    private final List<Bound<QueueAction>> queues;

    ClientPolicies(PolicySet policies, ClientFacts client) {
        topics = bind(policies.topicRules(), client);
        subscriptions = bind(policies.subscriptionRules(), client);
        queues = bind(policies.queueRules(), client);
    }

    /** About a topic to publish to. */
    public Decision publish(String topic) {
        return first(topics, topic, TopicAction.PUBLISH);
    }

    /** About a topic filter, whose {@code +} and {@code #} are compared as they stand there; without the name of a share. */
    public Decision subscribe(String filter) {
        return first(topics, filter, TopicAction.SUBSCRIBE);
    }

    /** About a global shared durable subscription. */
    public Decision sharedSubscription(String name, SubscriptionAction action) {
        return first(subscriptions, name, action);
    }

    /** About a queue. */
    public Decision queue(String name, QueueAction action) {
        return first(queues, name, action);
    }

    private static <A extends Enum<A>> Decision first(List<Bound<A>> rules, String name, A action) {
        for (int i = 0; i < rules.size(); i++) {
            if (rules.get(i).allows(name, action)) {
                return rules.get(i).decision();
            }
        }
        return Decision.DENIED;
    }

    private static <A extends Enum<A>> List<Bound<A>> bind(List<Rule<A>> rules, ClientFacts client) {
        List<Bound<A>> bound = new ArrayList<>();
        for (Rule<A> rule : rules) {
            if (rule.clients().matches(client)) {
                bound.add(rule.boundTo(client));
            }
        }
        return List.copyOf(bound);
    }
}
