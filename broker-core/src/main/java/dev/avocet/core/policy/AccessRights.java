package dev.avocet.core.policy;

import dev.avocet.core.config.object.policy.QueueAction;
import dev.avocet.core.config.object.policy.SubscriptionAction;
import dev.avocet.core.message.TopicName;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What one connected client may do, by the policies that hold at the time of the question. Owned by the connection's
 * loop.
 *
 * <p>Publishing is asked about for each message: the answer for the last topic costs two comparisons, and those for
 * other topics are noted with them. No answer outlives a change of the policies.
 */
public final class AccessRights {
    private final EndpointPolicies endpoint;
    private final Supplier<ClientFacts> client;
    private ConnectDecision connection = ConnectDecision.DENIED;

    private @Nullable PolicySet seen;
    private @Nullable ClientPolicies policies;
    private @Nullable TopicName lastTopic;
    private Decision lastDecision = Decision.DENIED;

    /** @param client asked again whenever the policies have changed, so that nothing is kept where there are none */
    public AccessRights(EndpointPolicies endpoint, Supplier<ClientFacts> client) {
        this.endpoint = endpoint;
        this.client = client;
    }

    /** The client has proved again who it is, and belongs to other groups perhaps. */
    public void changed() {
        policies = null;
        lastTopic = null;
    }

    /** Whether there are policies at all. */
    public boolean isOpen() {
        return endpoint.current() == null;
    }

    /** Whether the client may connect. The answer holds for the whole connection. */
    public ConnectDecision connect() {
        PolicySet now = endpoint.current();
        connection = now == null ? ConnectDecision.OPEN : now.connect(client.get());
        return connection;
    }

    /** What {@link #connect} has answered. */
    public ConnectDecision connection() {
        return connection;
    }

    /**
     * Whether the client may publish to a topic.
     *
     * @param memo the topic's
     */
    @SuppressWarnings("ReferenceEquality") // a client that stays on one topic asks with the very same object
    public Decision publish(TopicName topic, DecisionMemo memo) {
        PolicySet now = endpoint.current();
        if (now == null) {
            return Decision.OPEN;
        }
        if (topic != lastTopic || now != seen) {
            lastDecision = decide(now, topic, memo);
            lastTopic = topic;
        }
        return lastDecision;
    }

    /** The same for once. */
    public Decision publish(TopicName topic) {
        PolicySet now = endpoint.current();
        return now == null ? Decision.OPEN : of(now).publish(topic.text());
    }

    /** Whether the client may subscribe to a topic filter, without the name of a share. */
    public Decision subscribe(String filter) {
        PolicySet now = endpoint.current();
        return now == null ? Decision.OPEN : of(now).subscribe(filter);
    }

    /** Whether the client may use a global shared durable subscription. */
    public Decision sharedSubscription(String name, SubscriptionAction action) {
        PolicySet now = endpoint.current();
        return now == null ? Decision.OPEN : of(now).sharedSubscription(name, action);
    }

    /** Whether the client may use a queue. */
    public Decision queue(String name, QueueAction action) {
        PolicySet now = endpoint.current();
        return now == null ? Decision.OPEN : of(now).queue(name, action);
    }

    @SuppressWarnings("ReferenceEquality") // rules are compared by identity
    private Decision decide(PolicySet now, TopicName topic, DecisionMemo memo) {
        ClientPolicies rules = of(now);
        Decision anywhere = rules.publishAnywhere();
        if (anywhere != null) {
            return anywhere;
        }
        DecisionMemo.Noted noted = memo.noted();
        if (noted != null && noted.rules() == rules) {
            return noted.decision();
        }
        Decision made = rules.publish(topic.text());
        memo.note(new DecisionMemo.Noted(rules, made));
        return made;
    }

    /** The policies for this client; what was decided by earlier ones is forgotten. */
    @SuppressWarnings("ReferenceEquality") // another set is another decision
    private ClientPolicies of(PolicySet now) {
        ClientPolicies present = policies;
        if (present == null || now != seen) {
            policies = present = now.boundTo(client.get());
            seen = now;
            lastTopic = null;
        }
        return present;
    }
}
