package dev.avocet.core.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.config.object.field.Protocol;
import dev.avocet.core.config.object.policy.ExpectedMessageRate;
import dev.avocet.core.config.object.policy.FullBehavior;
import dev.avocet.core.config.object.policy.RejectScope;
import dev.avocet.core.config.object.policy.SubscriptionAction;
import dev.avocet.core.config.object.policy.SubscriptionPolicy;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.policy.Explanation.Difference;
import dev.avocet.core.policy.Explanation.Tried;
import dev.avocet.core.topic.CachedRoute;
import dev.avocet.core.topic.SubtreeGenerations;
import dev.avocet.testkit.PolicyFixture;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class PolicySetTest {
    private static final ClientFacts ANN = client("device-1", "ann", "sales", "staff");

    @Test
    void shouldTakeTheFirstPolicyThatMatches() {
        // given
        PolicySet policies = new PolicyFixture()
                .connection("devices", Map.of("ClientID", "device-*", "ExpectedMessageRate", "Low"))
                .connection("everybody", Map.of("ClientID", "*", "AllowDurable", false))
                .policies();

        // then
        assertThat(policies.connect(ANN))
                .isEqualTo(new ConnectDecision(true, true, true, false, ExpectedMessageRate.LOW, Limits.UNLIMITED));
        assertThat(policies.connect(client("phone", null)).allowDurable()).isFalse();
    }

    @Test
    void shouldExplainWhichFiltersDoNotFitAndWhichPolicyDecides() {
        // given
        EndpointPolicies policies = new EndpointPolicies();
        policies.apply(
                new PolicyFixture()
                        .topic("own", Map.of("UserID", "bob", "Topic", "${UserID}/*", "ActionList", "Subscribe"))
                        .topic("staff", Map.of("GroupID", "staff", "Topic", "news", "ActionList", "Publish"))
                        .topic("rest", Map.of("ClientID", "*", "Topic", "*", "ActionList", "Publish"))
                        .configuration(),
                PolicyFixture.ENDPOINT);

        // when
        Explanation allowed = policies.explain(PolicyQuestion.PUBLISH, ANN, "news");
        Explanation denied = policies.explain(PolicyQuestion.SUBSCRIBE, ANN, "ann/x");

        // then
        assertThat(allowed)
                .isEqualTo(new Explanation(
                        true,
                        "TopicPolicy",
                        "staff",
                        true,
                        List.of(
                                new Tried(
                                        "own",
                                        List.of(
                                                new Difference("UserID", "bob", "ann"),
                                                new Difference("Topic", "${UserID}/*", "news"),
                                                new Difference("ActionList", "Subscribe", "Publish"))),
                                new Tried("staff", List.of())),
                        List.of("rest")));
        assertThat(denied.allowed()).isFalse();
        assertThat(denied.policy()).isNull();
        assertThat(denied.tried())
                .containsExactly(
                        new Tried("own", List.of(new Difference("UserID", "bob", "ann"))),
                        new Tried(
                                "staff",
                                List.of(
                                        new Difference("Topic", "news", "ann/x"),
                                        new Difference("ActionList", "Publish", "Subscribe"))),
                        new Tried("rest", List.of(new Difference("ActionList", "Publish", "Subscribe"))));
    }

    @Test
    void shouldExplainThatEverythingIsAllowedWithoutPolicies() {
        assertThat(new EndpointPolicies().explain(PolicyQuestion.QUEUE_SEND, ANN, "q"))
                .isEqualTo(new Explanation(true, "QueuePolicy", null, false, List.of(), List.of()));
    }

    @Test
    void shouldAllowNothingThatNoPolicyAllows() {
        // given
        PolicySet policies = new PolicyFixture()
                .connection("others", Map.of("ClientID", "device-*", "UserID", "bob"))
                .topic("reading", Map.of("ClientID", "*", "Topic", "*", "ActionList", "Subscribe"))
                .policies();

        // then: filters are taken together
        assertThat(policies.connect(ANN)).isEqualTo(ConnectDecision.DENIED);
        assertThat(policies.boundTo(ANN).publish("news")).isEqualTo(Decision.DENIED);
        assertThat(policies.boundTo(ANN).subscribe("news").allowed()).isTrue();
    }

    @Test
    void shouldPassOverAPolicyForAnotherAction() {
        // given
        PolicySet policies = new PolicyFixture()
                .topic("writing", Map.of("ClientID", "*", "Topic", "news", "ActionList", "Publish"))
                .topic("reading", Map.of("ClientID", "*", "Topic", "*", "ActionList", "Subscribe", "MaxMessages", 7))
                .policies();

        // then
        assertThat(policies.boundTo(ANN).subscribe("news").limits().maxMessages())
                .isEqualTo(7);
    }

    @Test
    void shouldCompareWildcardsOfFiltersAsText() {
        // given
        ClientPolicies policies = topics("sport/*/score");

        // then
        assertThat(policies.subscribe("sport/+/score").allowed()).isTrue();
        assertThat(policies.subscribe("sport/a/b/score").allowed()).isTrue();
        assertThat(policies.subscribe("sport/#").allowed()).isFalse();
        assertThat(policies.subscribe("sport/score").allowed()).isFalse();
    }

    @Test
    void shouldTakeAnyGroupForTheVariable() {
        // given
        ClientPolicies policies = topics("${GroupID}/${ClientID}/${UserID}");

        // then
        assertThat(policies.publish("sales/device-1/ann").allowed()).isTrue();
        assertThat(policies.publish("staff/device-1/ann").allowed()).isTrue();
        assertThat(policies.publish("board/device-1/ann").allowed()).isFalse();
        assertThat(policies.publish("sales/device-2/ann").allowed()).isFalse();
    }

    @Test
    void shouldNotMatchWhereAVariableHasNoValue() {
        assertThat(topics("*${CommonName}*").publish("anything").allowed()).isFalse();
    }

    @Test
    void shouldTakeWhatAVariableStandsForLiterally() {
        // given
        PolicySet policies = new PolicyFixture()
                .topic("own", Map.of("ClientID", "*", "Topic", "of/${UserID}", "ActionList", "Publish"))
                .policies();
        ClientPolicies sly = policies.boundTo(client("device", "*"));

        // then
        assertThat(sly.publish("of/ann").allowed()).isFalse();
        assertThat(sly.publish("of/*").allowed()).isTrue();
    }

    @Test
    void shouldLookAtTwoHundredGroups() {
        // given
        String[] groups =
                IntStream.range(0, 300).mapToObj(i -> "group" + (1000 + i)).toArray(String[]::new);
        ClientFacts member = client("device", "ann", groups);

        // then
        assertThat(member.groups()).hasSize(200).contains("group1199").doesNotContain("group1200");
    }

    @Test
    void shouldSayHowMuch() {
        // given
        PolicySet policies = new PolicyFixture()
                .topic(
                        "small",
                        Map.of(
                                "ClientID", "*",
                                "Topic", "*",
                                "ActionList", "Publish,Subscribe",
                                "MaxMessages", 10,
                                "MaxBytes", "1MB",
                                "MaxMessagesBehavior", "DiscardOldMessages",
                                "RejectScope", "FullSubscriber",
                                "MaxMessageTimeToLive", 60,
                                "DisconnectedClientNotification", true))
                .policies();

        // when
        Limits limits = policies.boundTo(ANN).subscribe("news").limits();

        // then
        assertThat(limits)
                .isEqualTo(new Limits(
                        limits.policy(),
                        10,
                        1 << 20,
                        FullBehavior.DISCARD_OLD_MESSAGES,
                        RejectScope.FULL_SUBSCRIBER,
                        60,
                        true));
        assertThat(limits.policy()).hasToString("TopicPolicy 'small'");
    }

    @Test
    void shouldTellReceivingFromControl() {
        // given
        ClientPolicies policies = new PolicyFixture()
                .with(
                        SubscriptionPolicy.class,
                        "sharing",
                        Map.of("ClientID", "*", "Subscription", "work*", "ActionList", "Receive"))
                .policies()
                .boundTo(ANN);

        // then
        assertThat(policies.sharedSubscription("workers", SubscriptionAction.RECEIVE)
                        .allowed())
                .isTrue();
        assertThat(policies.sharedSubscription("workers", SubscriptionAction.CONTROL)
                        .allowed())
                .isFalse();
    }

    @Test
    void shouldForgetDecisionsWhenPoliciesChange() {
        // given
        EndpointPolicies endpoint = new EndpointPolicies();
        AccessRights rights = new AccessRights(endpoint, () -> ANN);
        CachedRoute<String> first = route("t/1");
        CachedRoute<String> second = route("t/2");
        assertThat(rights.publish(first.topic(), first)).isEqualTo(Decision.OPEN);

        // when
        endpoint.apply(fixtureFor("t/*").configuration(), PolicyFixture.ENDPOINT);

        // then
        assertThat(mayPublish(rights, List.of(first, second, first))).containsExactly(true, true, true);

        // when
        endpoint.apply(fixtureFor("*2").configuration(), PolicyFixture.ENDPOINT);

        // then
        assertThat(mayPublish(rights, List.of(first, second, first))).containsExactly(false, true, false);
        endpoint.apply(fixtureFor("*2").configuration(), "gone");
        assertThat(mayPublish(rights, List.of(first, second))).containsExactly(false, false);
    }

    @Test
    void shouldNotLookAtTheTopicWhereThePolicyIsForAll() {
        // given
        EndpointPolicies endpoint = new EndpointPolicies();
        AccessRights rights = new AccessRights(endpoint, () -> ANN);
        CachedRoute<String> topic = route("t/1");

        // when
        endpoint.apply(fixtureFor("*").configuration(), PolicyFixture.ENDPOINT);

        // then
        assertThat(mayPublish(rights, List.of(topic, route("t/2")))).containsExactly(true, true);
        assertThat(topic.noted()).isNull();

        // when
        endpoint.apply(fixtureFor("t/*").configuration(), PolicyFixture.ENDPOINT);

        // then
        assertThat(mayPublish(rights, List.of(topic, route("u")))).containsExactly(true, false);
        assertThat(topic.noted()).isNotNull();
    }

    @Test
    void shouldNotTakeTheDecisionForAnotherClient() {
        // given
        EndpointPolicies endpoint = new EndpointPolicies();
        endpoint.apply(fixtureFor("of/${UserID}").configuration(), PolicyFixture.ENDPOINT);
        CachedRoute<String> route = route("of/ann");

        // then
        assertThat(mayPublish(new AccessRights(endpoint, () -> ANN), List.of(route)))
                .containsExactly(true);
        assertThat(mayPublish(new AccessRights(endpoint, () -> client("device", "bob")), List.of(route)))
                .containsExactly(false);
    }

    @Test
    void shouldShareTheRulesOfClientsThatAreAlike() {
        // given
        PolicySet fixed = fixtureFor("t/*").policies();
        PolicySet own = fixtureFor("${UserID}").policies();

        // then
        assertThat(fixed.boundTo(ANN)).isSameAs(fixed.boundTo(client("device", "bob")));
        assertThat(own.boundTo(ANN)).isNotSameAs(own.boundTo(client("device", "bob")));
    }

    @Test
    void shouldKeepTheSetWhenSomethingElseChanges() {
        // given
        EndpointPolicies endpoint = new EndpointPolicies();
        endpoint.apply(fixtureFor("t/*").configuration(), PolicyFixture.ENDPOINT);
        PolicySet before = endpoint.current();

        // when
        endpoint.apply(fixtureFor("t/*").configuration(), PolicyFixture.ENDPOINT);

        // then
        assertThat(endpoint.current()).isSameAs(before);
    }

    @Test
    void shouldPutEachValueOfAClaimIntoAName() {
        // given
        PolicySet policies = new PolicyFixture()
                .topic(
                        "sites",
                        Map.of(
                                "ClientID",
                                "*",
                                "Topic",
                                "${Claim.https://example.com/tenant}/${Claim.site}/*",
                                "ActionList",
                                "Publish"))
                .policies();
        Map<String, List<String>> claims =
                Map.of("https://example.com/tenant", List.of("blue"), "site", List.of("north", "a*"));

        // when
        ClientPolicies rights = policies.boundTo(withClaims(claims));

        // then
        assertThat(mayPublish(rights, "blue/north/1")).isTrue();
        assertThat(mayPublish(rights, "blue/a*/1")).isTrue();
        assertThat(mayPublish(rights, "blue/abc/1")).isFalse();
        assertThat(mayPublish(rights, "red/north/1")).isFalse();
        assertThat(policies.boundTo(withClaims(Map.of("site", List.of("north"))))
                        .publish("//1")
                        .allowed())
                .isFalse();
    }

    @Test
    void shouldLookAtSoManyChoicesAndNoMore() {
        // given
        PolicySet policies = new PolicyFixture()
                .topic("sites", Map.of("ClientID", "*", "Topic", "${Claim.a}/${Claim.b}", "ActionList", "Publish"))
                .policies();
        List<String> values =
                IntStream.range(0, 200).mapToObj(Integer::toString).toList();

        // when
        ClientPolicies rights = policies.boundTo(withClaims(Map.of("a", values, "b", values)));

        // then
        assertThat(mayPublish(rights, "4/199")).isTrue();
        assertThat(mayPublish(rights, "5/0")).isFalse();
    }

    private static boolean mayPublish(ClientPolicies rights, String topic) {
        return rights.publish(topic).allowed();
    }

    private static ClientFacts withClaims(Map<String, List<String>> claims) {
        return new ClientFacts("ann", List.of(), "device-1", null, null, Protocol.MQTT, claims);
    }

    private static ClientFacts client(String clientId, @Nullable String userId, String... groups) {
        return new ClientFacts(
                userId, List.of(groups), clientId, InetAddress.getLoopbackAddress(), null, Protocol.MQTT);
    }

    private static List<Boolean> mayPublish(AccessRights rights, List<CachedRoute<String>> routes) {
        return routes.stream()
                .map(route -> rights.publish(route.topic(), route).allowed())
                .toList();
    }

    private static CachedRoute<String> route(String topic) {
        return CachedRoute.compute(new SubtreeGenerations(), TopicName.of(topic), TopicName::text);
    }

    private static ClientPolicies topics(String pattern) {
        return fixtureFor(pattern).policies().boundTo(ANN);
    }

    private static PolicyFixture fixtureFor(String pattern) {
        return new PolicyFixture()
                .topic("some", Map.of("ClientID", "*", "Topic", pattern, "ActionList", "Publish,Subscribe"));
    }
}
