package dev.avocet.core.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.object.field.Protocol;
import dev.avocet.core.config.object.messaging.Endpoint;
import dev.avocet.core.config.object.policy.ConnectionPolicy;
import dev.avocet.core.config.object.policy.QueueAction;
import dev.avocet.core.config.object.policy.QueuePolicy;
import dev.avocet.core.config.object.policy.SubscriptionAction;
import dev.avocet.core.config.object.policy.SubscriptionPolicy;
import dev.avocet.core.config.object.policy.TopicAction;
import dev.avocet.core.config.object.policy.TopicPolicy;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.policy.Explanation.Difference;
import dev.avocet.core.policy.Explanation.Tried;
import dev.avocet.testkit.PolicyFixture;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The policies as they are compiled answer as the rules do, for random policies and clients. */
final class PolicySetRandomTest {
    private static final int CONFIGURATIONS = 400;
    private static final int CLIENTS = 5;
    private static final int QUESTIONS = 20;
    /** Few characters, so that things meet; those that mean something are among them. */
    private static final String CHARACTERS = "aab/$*{}";

    private static final List<String> IDS = List.of("a", "ab", "abc", "b", "a*", "$", "${UserID}", "b/a");
    private static final List<String> ADDRESSES = List.of("10.0.0.1", "10.0.0.2", "10.0.1.1", "::1", "2001:db8::7");
    private static final List<String> RANGES = List.of(
            "10.0.0.1", "10.0.0.1-10.0.0.9", "[::1]", "[2001:db8::1]-[2001:db8::9]", "10.0.0.2,10.0.1.0-10.0.1.255");
    private static final List<String> VARIABLES =
            List.of("${UserID}", "${CommonName}", "${ClientID}", "${GroupID}", "${Claim.site}");

    private static final Set<String> OF_WHAT_IS_WANTED = Set.of("Topic", "Queue", "Subscription", "ActionList");

    /** As routes do, they outlive the policies; and clients share them. */
    private final Map<String, Memo> memos = new HashMap<>();

    private final Random random = new Random(20_261_121);

    @Test
    void shouldDecideAsTheRulesSay() {
        int allowed = 0;
        for (int round = 0; round < CONFIGURATIONS; round++) {
            // given
            Configuration configuration = randomConfiguration();
            Endpoint endpoint =
                    configuration.find(Endpoint.class, PolicyFixture.ENDPOINT).orElseThrow();
            NaivePolicies rules = new NaivePolicies(configuration, endpoint);
            EndpointPolicies policies = new EndpointPolicies();
            policies.apply(configuration, PolicyFixture.ENDPOINT);

            // when, then
            for (int i = 0; i < CLIENTS; i++) {
                ClientFacts client = randomClient();
                AccessRights rights = new AccessRights(policies, () -> client);
                assertThat(rights.connect().allowed()).isEqualTo(rules.connect(client) != null);
                Explanation explained = policies.explain(PolicyQuestion.CONNECT, client, "");
                assertThat(explained.policy()).isEqualTo(rules.connect(client));
                requireThatItExplains(explained, rights.connect().allowed(), rules, client);
                for (int question = 0; question < QUESTIONS; question++) {
                    allowed += ask(rules, policies, rights, client) ? 1 : 0;
                }
            }
        }
        assertThat(allowed).as("both answers were asked for").isBetween(2_000, 38_000);
    }

    private boolean ask(NaivePolicies rules, EndpointPolicies policies, AccessRights rights, ClientFacts client) {
        String name = randomText();
        String expected;
        Decision decision;
        PolicyQuestion question;
        switch (random.nextInt(4)) {
            case 0, 1 -> {
                question = PolicyQuestion.PUBLISH;
                expected = rules.topic(client, name, TopicAction.PUBLISH);
                TopicName topic = TopicName.of(name);
                decision = rights.publish(topic, memos.computeIfAbsent(name, key -> new Memo()));
                assertThat(rights.publish(topic)).isEqualTo(decision);
            }
            case 2 -> {
                question = PolicyQuestion.SUBSCRIBE;
                expected = rules.topic(client, name, TopicAction.SUBSCRIBE);
                decision = rights.subscribe(name);
            }
            default -> {
                if (random.nextBoolean()) {
                    SubscriptionAction action = any(SubscriptionAction.values());
                    question = action == SubscriptionAction.RECEIVE
                            ? PolicyQuestion.SUBSCRIPTION_RECEIVE
                            : PolicyQuestion.SUBSCRIPTION_CONTROL;
                    expected = rules.subscription(client, name, action);
                    decision = rights.sharedSubscription(name, action);
                } else {
                    QueueAction action = any(QueueAction.values());
                    question = PolicyQuestion.valueOf("QUEUE_" + action.name());
                    expected = rules.queue(client, name, action);
                    decision = rights.queue(name, action);
                }
            }
        }
        assertThat(nameOf(decision)).as("%s for %s", name, client).isEqualTo(expected);
        Explanation explained = policies.explain(question, client, name);
        assertThat(explained.policy()).isEqualTo(nameOf(decision));
        requireThatItExplains(explained, decision.allowed(), rules, client);
        return decision.allowed();
    }

    /** Decides as was decided, and names of each policy the filters of clients that do not fit. */
    private static void requireThatItExplains(
            Explanation explained, boolean allowed, NaivePolicies rules, ClientFacts client) {
        assertThat(explained.allowed()).isEqualTo(allowed);
        List<Tried> tried = explained.tried();
        List<String> all = new ArrayList<>();
        for (int i = 0; i < tried.size(); i++) {
            boolean decides = allowed && i == tried.size() - 1;
            assertThat(tried.get(i).differences().isEmpty()).isEqualTo(decides);
            assertThat(tried.get(i).differences())
                    .extracting(Difference::property)
                    .filteredOn(property -> !OF_WHAT_IS_WANTED.contains(property))
                    .containsExactlyInAnyOrderElementsOf(rules.differences(
                            explained.policyType(), tried.get(i).policy(), client));
            all.add(tried.get(i).policy());
        }
        assertThat(allowed || explained.untried().isEmpty()).isTrue();
        all.addAll(explained.untried());
        assertThat(all).isEqualTo(rules.names(explained.policyType()));
    }

    private static @Nullable String nameOf(Decision decision) {
        return decision.limits() == null ? null : decision.limits().policy().name();
    }

    private Configuration randomConfiguration() {
        PolicyFixture fixture = new PolicyFixture();
        for (int i = 0, count = random.nextInt(5); i <= count; i++) {
            Map<String, Object> properties = randomFilters();
            if (random.nextInt(3) == 0) {
                properties.put("ClientID", any("${UserID}", "${CommonName}*", "a${UserID}*", "${Claim.site}*"));
            }
            fixture.with(ConnectionPolicy.class, "c" + i, properties);
        }
        for (int i = 0, count = random.nextInt(12); i <= count; i++) {
            Map<String, Object> properties = randomFilters();
            properties.put("Topic", randomPattern(5));
            properties.put("ActionList", any("Publish", "Subscribe", "Publish,Subscribe"));
            fixture.with(TopicPolicy.class, "t" + i, properties);
        }
        for (int i = 0, count = random.nextInt(6); i < count; i++) {
            Map<String, Object> properties = randomFilters();
            properties.put("Subscription", randomPattern(2).replace("${ClientID}", "*"));
            properties.put("ActionList", any("Receive", "Control", "Receive,Control"));
            fixture.with(SubscriptionPolicy.class, "s" + i, properties);
        }
        for (int i = 0, count = random.nextInt(6); i < count; i++) {
            Map<String, Object> properties = randomFilters();
            properties.put("Queue", randomPattern(5));
            properties.put("ActionList", any("Send", "Receive,Browse", "Browse"));
            fixture.with(QueuePolicy.class, "q" + i, properties);
        }
        return fixture.configuration();
    }

    private Map<String, Object> randomFilters() {
        Map<String, Object> filters = new HashMap<>();
        List<String> names = List.of("ClientID", "UserID", "GroupID", "CommonNames", "ClientAddress", "Protocol");
        for (int i = 0, count = random.nextInt(2); i <= count; i++) {
            String name = any(names);
            filters.put(
                    name,
                    switch (name) {
                        case "ClientAddress" -> any(RANGES);
                        case "Protocol" -> any("MQTT", "JMS", "MQTT,JMS");
                        default -> any("*", "a*", "ab", "b*", "a", "a${*}", "${$}");
                    });
        }
        return filters;
    }

    private String randomPattern(int variables) {
        StringBuilder pattern = new StringBuilder();
        List<String> unused = new ArrayList<>(VARIABLES.subList(0, variables));
        for (int i = 0, count = random.nextInt(5); i <= count; i++) {
            switch (random.nextInt(6)) {
                case 0, 1 -> pattern.append('*');
                case 2 -> pattern.append(any("${$}", "${*}"));
                case 3 -> pattern.append(unused.isEmpty() ? "a" : unused.remove(random.nextInt(unused.size())));
                default -> pattern.append(any("a", "b", "/", "ab", "$"));
            }
        }
        return pattern.toString();
    }

    private ClientFacts randomClient() {
        List<String> groups = new ArrayList<>();
        for (int i = 0, count = random.nextInt(4); i < count; i++) {
            groups.add(any(IDS));
        }
        List<String> sites = random.nextBoolean() ? List.of(any(IDS)) : List.of(any(IDS), any(IDS));
        return new ClientFacts(
                random.nextInt(4) == 0 ? null : any(IDS),
                groups,
                any(IDS),
                random.nextInt(8) == 0 ? null : NaivePolicies.addressOf(any(ADDRESSES)),
                random.nextInt(3) == 0 ? null : any(IDS),
                any(Protocol.MQTT, Protocol.JMS),
                random.nextInt(3) == 0 ? Map.of() : Map.of("site", sites));
    }

    private String randomText() {
        if (random.nextInt(3) == 0) {
            return any(IDS);
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0, count = random.nextInt(5); i <= count; i++) {
            text.append(CHARACTERS.charAt(random.nextInt(CHARACTERS.length())));
        }
        return text.toString();
    }

    @SafeVarargs
    private <T> T any(T... some) {
        return some[random.nextInt(some.length)];
    }

    private <T> T any(List<T> some) {
        return some.get(random.nextInt(some.size()));
    }

    private static final class Memo implements DecisionMemo {
        private @Nullable Noted noted;

        @Override
        public @Nullable Noted noted() {
            return noted;
        }

        @Override
        public void note(Noted decision) {
            noted = decision;
        }
    }
}
