package dev.avocet.core.policy;

import dev.avocet.core.config.object.QueueAction;
import dev.avocet.core.config.object.SubscriptionAction;
import dev.avocet.core.message.TopicName;
import org.jspecify.annotations.Nullable;

/**
 * What one connected client may do, by the policies that hold at the time of the question. Owned by the connection's loop.
 *
 * <p>Publishing is asked about for each message: the answer for the last topic costs two comparisons, and those for other topics are kept
 * until the policies change.
 */
public final class AccessRights {
    private final EndpointPolicies endpoint;
    private final ClientFacts client;

    private @Nullable PolicySet seen;
    private @Nullable ClientPolicies policies;
    private @Nullable TopicName lastTopic;
    private Decision lastDecision = Decision.DENIED;
    /** Made with the second topic, as most clients have one. */
    private @Nullable DecisionCache decisions;

    public AccessRights(EndpointPolicies endpoint, ClientFacts client) {
        this.endpoint = endpoint;
        this.client = client;
    }

    /** Whether there are policies at all. */
    public boolean isOpen() {
        return endpoint.current() == null;
    }

    /** Whether the client may connect. */
    public ConnectDecision connect() {
        PolicySet now = endpoint.current();
        return now == null ? ConnectDecision.OPEN : now.connect(client);
    }

    /** Whether the client may publish to a topic. */
    @SuppressWarnings("ReferenceEquality") // a client that stays on one topic asks with the very same object
    public Decision publish(TopicName topic) {
        PolicySet now = endpoint.current();
        if (now == null) {
            return Decision.OPEN;
        }
        if (topic != lastTopic || now != seen) {
            lastDecision = decide(now, topic);
            lastTopic = topic;
        }
        return lastDecision;
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

    private Decision decide(PolicySet now, TopicName topic) {
        ClientPolicies present = of(now);
        DecisionCache cache = decisions;
        if (cache == null) {
            if (lastTopic != null) {
                decisions = new DecisionCache();
            }
            return present.publish(topic.text());
        }
        Decision known = cache.find(topic);
        if (known != null) {
            return known;
        }
        Decision made = present.publish(topic.text());
        cache.put(topic, made);
        return made;
    }

    /** The policies for this client; what was decided by others is forgotten. */
    @SuppressWarnings("ReferenceEquality") // another set is another decision
    private ClientPolicies of(PolicySet now) {
        ClientPolicies present = policies;
        if (present == null || now != seen) {
            policies = present = now.boundTo(client);
            seen = now;
            lastTopic = null;
            decisions = null;
        }
        return present;
    }
}
