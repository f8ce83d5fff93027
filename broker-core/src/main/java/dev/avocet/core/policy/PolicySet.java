package dev.avocet.core.policy;

import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.object.ObjectTypes;
import dev.avocet.core.config.object.messaging.Endpoint;
import dev.avocet.core.config.object.policy.ConnectionPolicy;
import dev.avocet.core.config.object.policy.QueueAction;
import dev.avocet.core.config.object.policy.QueuePolicy;
import dev.avocet.core.config.object.policy.SubscriptionAction;
import dev.avocet.core.config.object.policy.SubscriptionPolicy;
import dev.avocet.core.config.object.policy.TopicAction;
import dev.avocet.core.config.object.policy.TopicPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The policies of one endpoint, made ready for questions. Policies of a kind are tried in their order, and the first
 * that applies to the client and to what it wants decides; what none applies to is not allowed. Immutable but for what
 * it remembers; any thread.
 *
 * <p>A client asks through {@link #boundTo}, or through {@link AccessRights}, which remembers the answers.
 */
public final class PolicySet {
    /** No client may do anything. */
    public static final PolicySet NOTHING = new PolicySet(new Source(List.of(), List.of(), List.of(), List.of()));

    /** Most combinations of policies that clients share; the usual number is that of the groups of users. */
    private static final int MAX_SHARED = 1_000;
    /** Policies that are told by name. */
    private static final int NAMED_MAX = 10;

    private final Source source;
    private final List<ConnectRule> connectRules;
    private final List<Rule<TopicAction>> topicRules;
    private final List<Rule<SubscriptionAction>> subscriptionRules;
    private final List<Rule<QueueAction>> queueRules;
    private final List<Rule<?>> allRules = new ArrayList<>();
    /** By which of all rules apply. */
    private final ConcurrentMap<List<Boolean>, ClientPolicies> shared = new ConcurrentHashMap<>();

    private PolicySet(Source source) {
        this.source = source;
        this.connectRules = source.connections().stream().map(PolicySet::rule).toList();
        this.topicRules = source.topics().stream().map(PolicySet::rule).toList();
        this.subscriptionRules =
                source.subscriptions().stream().map(PolicySet::rule).toList();
        this.queueRules = source.queues().stream().map(PolicySet::rule).toList();
        allRules.addAll(topicRules);
        allRules.addAll(subscriptionRules);
        allRules.addAll(queueRules);
    }

    /** The policies that an endpoint of the configuration names. */
    public static PolicySet of(Configuration configuration, Endpoint endpoint) {
        return new PolicySet(sourceOf(configuration, endpoint));
    }

    /**
     * Whether an endpoint of the configuration has the very policies of this set, so that there is no need for another.
     */
    boolean isOf(Configuration configuration, Endpoint endpoint) {
        return source.equals(sourceOf(configuration, endpoint));
    }

    /** Whether a client may connect. */
    public ConnectDecision connect(ClientFacts client) {
        ConnectRule rule = connectRule(client);
        return rule == null ? ConnectDecision.DENIED : rule.decision();
    }

    /** The one that lets a client connect; null when none does. */
    @Nullable ConnectRule connectRule(ClientFacts client) {
        for (ConnectRule rule : connectRules) {
            if (rule.clients().matches(client)) {
                return rule;
            }
        }
        return null;
    }

    /** What applies to a client that has connected. */
    public ClientPolicies boundTo(ClientFacts client) {
        List<Boolean> applying =
                allRules.stream().map(rule -> rule.clients().matches(client)).toList();
        for (int i = 0; i < allRules.size(); i++) {
            if (applying.get(i) && !allRules.get(i).names().isFixed()) {
                return new ClientPolicies(this, client);
            }
        }
        ClientPolicies present = shared.get(applying);
        if (present != null) {
            return present;
        }
        ClientPolicies made = new ClientPolicies(this, client);
        return shared.size() < MAX_SHARED ? Objects.requireNonNullElse(shared.putIfAbsent(applying, made), made) : made;
    }

    /** Which connection policies there are, in words for the log. */
    public String connectionPolicies() {
        return words("connection policies", source.connections(), ConnectionPolicy::name);
    }

    /** Which policies there are for topics and subscriptions, in words for the log. */
    public String topicPolicies() {
        return words("topic policies", source.topics(), TopicPolicy::name) + "; "
                + words("subscription policies", source.subscriptions(), SubscriptionPolicy::name);
    }

    /** Which queue policies there are, in words for the log. */
    public String queuePolicies() {
        return words("queue policies", source.queues(), QueuePolicy::name);
    }

    private static <T> String words(String kind, List<T> policies, Function<T, String> name) {
        String names = policies.stream().limit(NAMED_MAX).map(name).collect(Collectors.joining(", "));
        int more = policies.size() - NAMED_MAX;
        return kind + " " + (names.isEmpty() ? "none" : names) + (more > 0 ? " and " + more + " more" : "");
    }

    List<ConnectRule> connectRules() {
        return connectRules;
    }

    /** Those that answer a question which is not about connecting. */
    List<? extends Rule<?>> rules(PolicyQuestion question) {
        return switch (question) {
            case CONNECT -> throw new IllegalArgumentException("connecting has rules of its own");
            case PUBLISH, SUBSCRIBE -> topicRules;
            case QUEUE_SEND, QUEUE_RECEIVE, QUEUE_BROWSE, QUEUE_CREATE -> queueRules;
            case SUBSCRIPTION_RECEIVE, SUBSCRIPTION_CONTROL -> subscriptionRules;
        };
    }

    List<Rule<TopicAction>> topicRules() {
        return topicRules;
    }

    List<Rule<SubscriptionAction>> subscriptionRules() {
        return subscriptionRules;
    }

    List<Rule<QueueAction>> queueRules() {
        return queueRules;
    }

    private static Source sourceOf(Configuration configuration, Endpoint endpoint) {
        return new Source(
                configuration.connectionPolicies(endpoint),
                configuration.topicPolicies(endpoint),
                configuration.subscriptionPolicies(endpoint),
                configuration.queuePolicies(endpoint));
    }

    private static ConnectRule rule(ConnectionPolicy policy) {
        return new ConnectRule(policy.name(), ClientFilter.of(policy), ConnectDecision.of(policy));
    }

    private static Rule<TopicAction> rule(TopicPolicy policy) {
        Decision decision =
                new Decision(true, Limits.of(policy), SelectionRules.compiled(policy.defaultSelectionRule()));
        return new Rule<>(ClientFilter.of(policy), TextPattern.parse(policy.topic()), policy.actionList(), decision);
    }

    private static Rule<SubscriptionAction> rule(SubscriptionPolicy policy) {
        Decision decision =
                new Decision(true, Limits.of(policy), SelectionRules.compiled(policy.defaultSelectionRule()));
        return new Rule<>(
                ClientFilter.of(policy), TextPattern.parse(policy.subscription()), policy.actionList(), decision);
    }

    private static Rule<QueueAction> rule(QueuePolicy policy) {
        Limits limits = Limits.ofQueueUse(
                ObjectTypes.of(QueuePolicy.class).keyOf(policy.name()), policy.maxMessageTimeToLiveSeconds());
        return new Rule<>(
                ClientFilter.of(policy),
                TextPattern.parse(policy.queue()),
                policy.actionList(),
                new Decision(true, limits));
    }

    /**
     * A policy about connecting.
     *
     * @param name what it is called
     * @param clients to whom it applies
     * @param decision the answer where it applies
     */
    record ConnectRule(String name, ClientFilter clients, ConnectDecision decision) {}

    private record Source(
            List<ConnectionPolicy> connections,
            List<TopicPolicy> topics,
            List<SubscriptionPolicy> subscriptions,
            List<QueuePolicy> queues) {}
}
