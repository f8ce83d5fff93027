package dev.avocet.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.avocet.core.config.ConfigurationChange.Delete;
import dev.avocet.core.config.ConfigurationChange.DeleteMessagingPolicy;
import dev.avocet.core.config.ConfigurationChange.DeleteOption;
import dev.avocet.core.config.ConfigurationChange.PutMessagingPolicy;
import dev.avocet.core.config.ConfigurationChange.Released;
import dev.avocet.core.config.LiveUse.Use;
import dev.avocet.core.config.object.ObjectTypes;
import dev.avocet.core.config.object.messaging.Endpoint;
import dev.avocet.core.config.object.messaging.MessageHub;
import dev.avocet.core.config.object.messaging.Queue;
import dev.avocet.core.config.object.policy.ConnectionPolicy;
import dev.avocet.core.config.object.policy.QueuePolicy;
import dev.avocet.core.config.object.policy.SubscriptionPolicy;
import dev.avocet.core.config.object.policy.TopicPolicy;
import dev.avocet.core.config.object.security.SecurityProfile;
import dev.avocet.core.config.object.server.AdminEndpoint;
import dev.avocet.core.config.object.server.LogDetail;
import dev.avocet.core.config.object.server.Singletons;
import dev.avocet.core.config.schema.ConfigurationObject;
import dev.avocet.core.config.schema.ConfigurationProblem.Kind;
import dev.avocet.core.config.schema.ObjectKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigurationTest {
    private static final Configuration START = DefaultConfiguration.create(new UUID(1, 2));
    private static final String ENDPOINT = "DemoMqttEndpoint";
    private static final String TOPIC_POLICY = "DemoTopicPolicy";

    @Test
    void shouldMergeWhatIsGiven() throws ConfigurationRefusedException {
        // when
        Configuration changed = changed(put(Endpoint.class, ENDPOINT, "Port", 1884, "Description", "ours"));

        // then
        Endpoint before = START.find(Endpoint.class, ENDPOINT).orElseThrow();
        Endpoint after = changed.find(Endpoint.class, ENDPOINT).orElseThrow();
        assertThat(after.port()).isEqualTo(1884);
        assertThat(after.description()).isEqualTo("ours");
        assertThat(after.maxMessageSizeBytes()).isEqualTo(before.maxMessageSizeBytes());
        assertThat(changed.version()).isEqualTo(START.version() + 1);
        assertThat(before.port()).isEqualTo(1883);
    }

    @Test
    void shouldMakeSeveralObjectsInAnyOrder() throws ConfigurationRefusedException {
        // when
        Configuration changed = changed(
                put(
                        Endpoint.class,
                        "New",
                        "Port",
                        2000,
                        "Interface",
                        "::1",
                        "MessageHub",
                        "NewHub",
                        "ConnectionPolicies",
                        List.of("Second", "DemoConnectionPolicy"),
                        "TopicPolicies",
                        TOPIC_POLICY),
                put(ConnectionPolicy.class, "Second", "UserID", "a*"),
                put(MessageHub.class, "NewHub"));

        // then
        Endpoint endpoint = changed.find(Endpoint.class, "New").orElseThrow();
        assertThat(changed.connectionPolicies(endpoint))
                .extracting(ConnectionPolicy::name)
                .containsExactly("Second", "DemoConnectionPolicy");
    }

    @Test
    void shouldMakeAllChangesOrNone() {
        // when
        ConfigurationRefusedException refusal = refusal(
                put(MessageHub.class, "Good"), put(Endpoint.class, ENDPOINT, "Port", 0, "Prot", 1, "Enabled", 3));

        // then
        assertThat(refusal.problems())
                .extracting(Object::toString)
                .containsExactlyInAnyOrder(
                        "Endpoint 'DemoMqttEndpoint': Port: 0 is outside 1-65535",
                        "Endpoint 'DemoMqttEndpoint': Prot: is not a property of Endpoint, did you mean 'Port'?",
                        "Endpoint 'DemoMqttEndpoint': Enabled: must be true or false, not 3");
        assertThat(START.find(MessageHub.class, "Good")).isEmpty();
    }

    @Test
    void shouldReportNoReferencesToWhatFailed() {
        assertThat(refusal(
                                put(ConnectionPolicy.class, "Bad"),
                                put(Endpoint.class, ENDPOINT, "ConnectionPolicies", "Bad"))
                        .problems())
                .singleElement()
                .asString()
                .startsWith("ConnectionPolicy 'Bad': ClientID: or another filter is required");
    }

    @Test
    void shouldNameTheNearestObject() {
        assertThat(refusal(put(Endpoint.class, ENDPOINT, "TopicPolicies", "DemoTopikPolicy"))
                        .problems())
                .extracting(Object::toString)
                .containsExactly(
                        "Endpoint 'DemoMqttEndpoint': TopicPolicies: there is no TopicPolicy 'DemoTopikPolicy',"
                                + " did you mean 'DemoTopicPolicy'?");
    }

    @Test
    void shouldNotDeleteWhatIsInUse() {
        // when
        ConfigurationRefusedException refusal = refusal(delete(TopicPolicy.class, TOPIC_POLICY));

        // then
        assertThat(refusal.problems()).hasSize(2).allMatch(problem -> problem.kind() == Kind.IN_USE);
        assertThat(refusal)
                .hasMessageContaining("TopicPolicy 'DemoTopicPolicy': is in use by Endpoint 'DemoMqttEndpoint';"
                        + " take it out of TopicPolicies there first");
    }

    @Test
    void shouldDeleteWhatIsNoLongerInUse() throws ConfigurationRefusedException {
        // when
        Configuration changed = changed(
                delete(TopicPolicy.class, TOPIC_POLICY),
                put(Endpoint.class, ENDPOINT, "TopicPolicies", null),
                delete(Endpoint.class, "DemoEndpoint"));

        // then
        assertThat(changed.all(TopicPolicy.class)).isEmpty();
        assertThat(changed.all(Endpoint.class)).hasSize(1);
        assertThat(ConfigurationDifference.between(START, changed).deletes())
                .extracting(deleted -> deleted.key().toString())
                .containsExactly("Endpoint 'DemoEndpoint'", "TopicPolicy 'DemoTopicPolicy'");
    }

    @Test
    void shouldDeleteAndMakeAnew() throws ConfigurationRefusedException {
        // given
        Configuration before = changed(put(Queue.class, "orders", "MaxMessages", 7));

        // when
        Configuration after = changed(before, LiveUse.NONE, delete(Queue.class, "orders"), put(Queue.class, "orders"));

        // then
        assertThat(after.find(Queue.class, "orders")).map(Queue::maxMessages).contains(5000);
    }

    @Test
    void shouldRefuseToDeleteWhatIsNotThereOrAlwaysThere() {
        // when
        ConfigurationRefusedException refusal =
                refusal(delete(Endpoint.class, "DemoEndpiont"), delete(AdminEndpoint.class, ""));

        // then
        assertThat(refusal.problems())
                .extracting(problem -> problem.kind() + " " + problem)
                .containsExactly(
                        "NOT_FOUND Endpoint 'DemoEndpiont': does not exist, did you mean 'DemoEndpoint'?",
                        "INVALID AdminEndpoint: cannot be deleted, because there is always one; give its properties null"
                                + " instead");
    }

    @Test
    void shouldKeepAPolicyUntilItsSubscriptionsLetGo() throws ConfigurationRefusedException {
        // given
        ObjectKey key = key(TopicPolicy.class, "Own");
        Configuration before = changed(policy("Own"));

        // when
        Configuration pending = changed(before, any -> Use.SUBSCRIPTIONS, ConfigurationChange.delete(key));

        // then
        assertThat(pending.pendingDeletes()).containsExactly(key);
        assertThat(pending.find(key)).isPresent();
        assertThat(ConfigurationTree.shown(pending, key)).containsEntry("PendingDelete", true);
        assertThat(ConfigurationTree.shown(pending, key.type()).toString()).containsOnlyOnce("PendingDelete=true");
        assertThat(refusal(pending, put(Endpoint.class, ENDPOINT, "TopicPolicies", "Own")))
                .hasMessageContaining("TopicPolicy 'Own' is being deleted; name another");
        assertThat(refusal(pending, policy("Own"))).hasMessageContaining("is being deleted");

        // when
        Configuration stored = restored(pending);
        Configuration after = changed(stored, LiveUse.NONE, new Released(key));

        // then
        assertThat(stored).isEqualTo(pending);
        assertThat(after.find(key)).isEmpty();
        assertThat(after.pendingDeletes()).isEmpty();
        assertThat(changed(after, LiveUse.NONE, new Released(key)).find(key)).isEmpty();
    }

    @Test
    void shouldNotReleaseWhatWasNotDeleted() throws ConfigurationRefusedException {
        assertThat(changed(new Released(key(TopicPolicy.class, TOPIC_POLICY))).all(TopicPolicy.class))
                .hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"MESSAGES, DISCARD_MESSAGES", "SHARERS, DISCARD_SHARERS"})
    void shouldLoseNothingUnlessAsked(Use use, DeleteOption option) throws ConfigurationRefusedException {
        // given
        Configuration before = changed(put(Queue.class, "orders"));
        ObjectKey key = key(Queue.class, "orders");
        LiveUse used = any -> use;

        // when
        ConfigurationRefusedException refusal = refusal(before, used, ConfigurationChange.delete(key));
        Configuration after = changed(before, used, new Delete(key, Set.of(option)));

        // then
        assertThat(refusal).hasMessageContaining(option + "=true");
        assertThat(after.pendingDeletes()).containsExactly(key);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "Queue; 1orders; begins with 1",
                "Queue; !orders; begins with !",
                "Queue; ' orders'; begins or ends with a blank",
                "Queue; 'orders '; begins or ends with a blank",
                "Queue; or,ders; holds ,",
                "Queue; or\"ders; holds \"",
                "Queue; or\\ders; holds \\",
                "Queue; or=ders; holds =",
                "Queue; or#ders; holds + or #",
                "Queue; or+ders; holds + or #",
                "TopicMonitor; orders; does not end in /#",
                "TopicMonitor; $SYS/#; begins with $SYS",
                "TopicMonitor; a/+/#; holds +",
                "AdminSubscription; share/x; is not /ShareName/TopicFilter",
                "AdminSubscription; //x; is not /ShareName/TopicFilter",
                "AdminSubscription; /share/; is not /ShareName/TopicFilter",
                "AdminSubscription; /sh+re/x; has + or #",
                "AdminSubscription; /share/x#; is not a topic filter",
                "TrustedCertificate; ../ca.pem; is not the name of a file",
                "TrustedCertificate; ..; is not the name of a file"
            })
    void shouldRefuseNames(String type, String name, String why) {
        assertThat(refusal(ConfigurationChange.put(
                        ObjectTypes.named(type).orElseThrow().keyOf(name), Map.of())))
                .hasMessageContaining(why);
    }

    @Test
    void shouldRefuseTheEmptyName() {
        assertThat(refusal(put(Queue.class, ""))).hasMessageContaining("Name: is required");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "_x", "x!y/z", "Größe", "a:b"})
    void shouldTakeNames(String name) throws ConfigurationRefusedException {
        assertThat(changed(put(Queue.class, name)).find(Queue.class, name)).isPresent();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "TopicPolicy; Topic; a/${UserID}/${ClientID}/${GroupID}/${CommonName}/${$}${*}${$}",
                "TopicPolicy; Topic; $SYS/*/x/#",
                "TopicPolicy; ClientID; a${*}b*",
                "ConnectionPolicy; ClientID; ${UserID}-*",
                "ConnectionPolicy; ClientAddress; 10.0.0.1-10.0.0.1, [::1]-[::2]",
                "SubscriptionPolicy; Subscription; ${UserID}*",
                "QueuePolicy; Queue; ${Claim.tenant}/${Claim.https://example.com/site}"
            })
    void shouldTakePatterns(String type, String property, String pattern) throws ConfigurationRefusedException {
        assertThat(changed(sample(type, property, pattern))
                        .all(ObjectTypes.named(type).orElseThrow()))
                .hasSize(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "TopicPolicy; Topic; ${UserID}/${UserID}; ${UserID} stands there twice",
                "TopicPolicy; Topic; ${UserId}; ${UserId} cannot be used here",
                "TopicPolicy; Topic; ${Claim.a}/${Claim.a}; ${Claim.a} stands there twice",
                "TopicPolicy; Topic; ${Claim.}; ${Claim.} cannot be used here",
                "TopicPolicy; Topic; ${UserID; has ${ without }",
                "TopicPolicy; ClientID; ${UserID}; no variable can",
                "TopicPolicy; ClientID; a*b; has * before its end",
                "TopicPolicy; UserID; *a*; has * before its end",
                "ConnectionPolicy; ClientID; ${ClientID}; what can is ${UserID}, ${CommonName}",
                "ConnectionPolicy; ClientAddress; 10.0.0.2-10.0.0.1; ends before it begins",
                "ConnectionPolicy; ClientAddress; ::1; neither an IP address",
                "ConnectionPolicy; ClientAddress; [10.0.0.1]; neither an IP address",
                "ConnectionPolicy; ClientAddress; localhost; neither an IP address",
                "ConnectionPolicy; ClientAddress; 10.0.0.1-[::1]; neither an IP address",
                "ConnectionPolicy; ClientAddress; '10.0.0.1,'; neither an IP address",
                "SubscriptionPolicy; Subscription; ${ClientID}; cannot be used here"
            })
    void shouldRefusePatterns(String type, String property, String pattern, String why) {
        assertThat(refusal(sample(type, property, pattern))).hasMessageContaining(why);
    }

    @Test
    void shouldNotOpenItselfToEverybodyByAccident() throws ConfigurationRefusedException {
        // then
        assertThat(refusal(put(Endpoint.class, ENDPOINT, "Interface", "All")))
                .hasMessageContaining("SecurityProfile: is required where others can reach the endpoint");
        assertThat(refusal(put(AdminEndpoint.class, "", "Interface", "10.0.0.1")))
                .hasMessageContaining("AdminEndpoint: SecurityProfile: is required");
        assertThat(changed(put(Endpoint.class, ENDPOINT, "Interface", "All", "AllowInsecure", true))
                        .find(Endpoint.class, ENDPOINT))
                .map(Endpoint::isExposed)
                .contains(true);
        assertThat(changed(put(Endpoint.class, ENDPOINT, "Interface", "All", "Enabled", false))
                        .version())
                .isEqualTo(2);
    }

    @Test
    void shouldNeedAPolicyOnAnEndpoint() {
        assertThat(refusal(put(
                        Endpoint.class,
                        ENDPOINT,
                        "TopicPolicies",
                        "",
                        "QueuePolicies",
                        "",
                        "SubscriptionPolicies",
                        "")))
                .hasMessageContaining("TopicPolicies: must name a policy");
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1, 1883, true", "All, 1883, true", "127.0.0.1, 9089, true", "127.0.0.2, 1883, false"})
    void shouldNotListenTwiceOnOnePort(String address, int port, boolean collides)
            throws ConfigurationRefusedException {
        // given
        ConfigurationChange second = put(
                Endpoint.class,
                "DemoEndpoint",
                "Enabled",
                true,
                "Interface",
                address,
                "AllowInsecure",
                true,
                "Port",
                port);

        // then
        if (collides) {
            assertThat(refusal(second)).hasMessageContaining("Endpoint 'DemoEndpoint': Port: " + port + " is used by ");
        } else {
            assertThat(changed(second).version()).isEqualTo(2);
        }
    }

    @Test
    void shouldAnnounceDisconnectedClientsOfMqttSubscribersOnly() {
        assertThat(refusal(put(
                        TopicPolicy.class, TOPIC_POLICY, "DisconnectedClientNotification", true, "Protocol", "JMS")))
                .hasMessageContaining("needs MQTT in Protocol and Subscribe in ActionList");
        assertThat(refusal(put(
                        TopicPolicy.class,
                        TOPIC_POLICY,
                        "DisconnectedClientNotification",
                        true,
                        "ActionList",
                        "Publish")))
                .hasMessageContaining("needs MQTT in Protocol and Subscribe in ActionList");
    }

    @Test
    void shouldNeedACertificateForTls() throws ConfigurationRefusedException {
        assertThat(refusal(put(SecurityProfile.class, "Tls")))
                .hasMessageContaining("CertificateProfile: is required with TLS");
        assertThat(refusal(put(SecurityProfile.class, "Plain", "TLSEnabled", false, "UseClientCertificate", true)))
                .hasMessageContaining("UseClientCertificate: needs TLS");
        assertThat(changed(put(SecurityProfile.class, "Plain", "TLSEnabled", false))
                        .find(SecurityProfile.class, "Plain"))
                .isPresent();
    }

    @Test
    void shouldHidePasswords() throws ConfigurationRefusedException {
        // given
        ConfigurationChange password = put(Singletons.class, "", "AdminUserPassword", "secret");

        // when
        Configuration changed = changed(password);
        Configuration kept = changed(
                changed, LiveUse.NONE, put(Singletons.class, "", "AdminUserPassword", "********", "LogLevel", "MAX"));
        Configuration cleared = changed(changed, LiveUse.NONE, put(Singletons.class, "", "AdminUserPassword", ""));

        // then
        assertThat(changed.single(Singletons.class).adminUserPassword().verifier())
                .isEqualTo("hash of 6 characters");
        assertThat(ConfigurationTree.shown(changed)).containsEntry("AdminUserPassword", "********");
        assertThat(changed.single(Singletons.class).toString() + changed + password)
                .contains("AdminUserPassword")
                .doesNotContain("hash of");
        assertThat(kept.single(Singletons.class).adminUserPassword())
                .isEqualTo(changed.single(Singletons.class).adminUserPassword());
        assertThat(kept.single(Singletons.class).logLevel()).isEqualTo(LogDetail.MAX);
        assertThat(cleared.single(Singletons.class).adminUserPassword().isEmpty())
                .isTrue();
        assertThat(restored(kept)).isEqualTo(kept);
    }

    @Test
    void shouldSortMessagingPoliciesOfReleaseOne() throws ConfigurationRefusedException {
        // when
        Configuration changed = changed(
                put(Endpoint.class, ENDPOINT, "MessagingPolicies", "T,Q,S"),
                messagingPolicy("T", "Topic", "Publish,Subscribe"),
                messagingPolicy("Q", "Queue", "Send"),
                messagingPolicy("S", "Subscription", "Receive,Control"));

        // then
        Endpoint endpoint = changed.find(Endpoint.class, ENDPOINT).orElseThrow();
        assertThat(changed.topicPolicies(endpoint))
                .extracting(TopicPolicy::topic)
                .containsExactly("d*");
        assertThat(changed.queuePolicies(endpoint))
                .extracting(QueuePolicy::queue)
                .containsExactly("d*");
        assertThat(changed.subscriptionPolicies(endpoint))
                .extracting(SubscriptionPolicy::subscription)
                .containsExactly("d*");

        // when
        Configuration updated = changed(changed, LiveUse.NONE, new PutMessagingPolicy("T", Map.of("Destination", "e")));

        // then
        assertThat(updated.find(TopicPolicy.class, "T")).map(TopicPolicy::topic).contains("e");
        assertThat(refusal(changed, new PutMessagingPolicy("T", Map.of("DestinationType", "Queue"))))
                .hasMessageContaining("MessagingPolicy 'T': DestinationType: is Topic and cannot be changed");
        assertThat(refusal(changed, new DeleteMessagingPolicy("T"))).hasMessageContaining("is in use by Endpoint");
    }

    @Test
    void shouldRefuseMessagingPoliciesThatSayTooLittle() throws ConfigurationRefusedException {
        assertThat(refusal(messagingPolicy("T", "Topik", "Publish"))).hasMessageContaining("did you mean 'Topic'?");
        assertThat(refusal(new DeleteMessagingPolicy("T"))).hasMessageContaining("does not exist");
        assertThat(refusal(put(Endpoint.class, ENDPOINT, "MessagingPolicies", "T")))
                .hasMessageContaining("there is no MessagingPolicy 'T'");
        assertThat(changed(
                                changed(messagingPolicy("T", "Topic", "Publish")),
                                LiveUse.NONE,
                                new DeleteMessagingPolicy("T"))
                        .find(TopicPolicy.class, "T"))
                .isEmpty();
    }

    @Test
    void shouldReadChangesFromJson() throws ConfigurationRefusedException {
        // given
        Map<String, Object> json = Map.of(
                "LogLevel", "MIN",
                "AdminEndpoint", Map.of("Port", "9090"),
                "Queue", Map.of("one", Map.of(), "two", Map.of("MaxMessages", 3)),
                "TopicMonitor", List.of(Map.of("TopicString", "a/#")),
                "MessagingPolicy",
                        Map.of(
                                "P",
                                Map.of(
                                        "DestinationType",
                                        "Queue",
                                        "Destination",
                                        "x",
                                        "UserID",
                                        "u",
                                        "ActionList",
                                        "Send")));

        // when
        Configuration changed = START.changed(ChangeReader.read(json), LiveUse.NONE, Samples::hash);

        // then
        assertThat(changed.single(Singletons.class).logLevel()).isEqualTo(LogDetail.MIN);
        assertThat(changed.single(AdminEndpoint.class).port()).isEqualTo(9090);
        assertThat(changed.all(Queue.class)).extracting(Queue::name).containsExactly("one", "two");
        assertThat(changed.find(QueuePolicy.class, "P")).isPresent();
        assertThat(ConfigurationTree.shown(changed).keySet()).contains("TopicMonitor", "LogLevel");
    }

    @Test
    void shouldRefuseJsonThatSaysNothing() {
        // when
        ConfigurationRefusedException refusal = catchThrowableOfType(
                ConfigurationRefusedException.class,
                () -> ChangeReader.read(Map.of(
                        "Endpiont", Map.of(),
                        "Queue", Map.of("one", 3),
                        "MessageHub", "x",
                        "Singletons", Map.of(),
                        "TopicMonitor", List.of(Map.of()))));

        // then
        assertThat(refusal.problems())
                .extracting(Object::toString)
                .containsExactlyInAnyOrder(
                        "Endpiont: is neither a type of object nor a value, did you mean 'Endpoint'?",
                        "Queue 'one': must be an object in braces, not 3",
                        "MessageHub: must be an object with one member for each MessageHub, by its name",
                        "Singletons: is neither a type of object nor a value",
                        "TopicMonitor: holds an object without TopicString; say which one it is");
    }

    @Test
    void shouldFindTheWayBack() throws ConfigurationRefusedException {
        // given
        Configuration changed = changed(
                put(Queue.class, "orders"),
                put(Endpoint.class, ENDPOINT, "Port", 7, "TopicPolicies", ""),
                delete(TopicPolicy.class, TOPIC_POLICY),
                delete(Endpoint.class, "DemoEndpoint"));

        // when
        List<ConfigurationChange> back =
                ConfigurationDifference.between(changed, START).changes(START);
        Configuration again = changed.changed(back, LiveUse.NONE, Samples::hash);

        // then
        assertThat(again.withVersion(1)).isEqualTo(START);
        assertThat(ConfigurationDifference.between(again, START).isEmpty()).isTrue();
    }

    private static ConfigurationChange policy(String name) {
        return put(TopicPolicy.class, name, "Topic", "*", "ClientID", "*", "ActionList", "All");
    }

    private static ConfigurationChange messagingPolicy(String name, String destinationType, String actions) {
        return new PutMessagingPolicy(
                name,
                Map.of(
                        "Destination",
                        "d*",
                        "DestinationType",
                        destinationType,
                        "ClientID",
                        "*",
                        "ActionList",
                        actions));
    }

    private static ConfigurationChange sample(String type, String property, String value) {
        Map<String, @Nullable Object> properties =
                new HashMap<>(Samples.properties(ObjectTypes.named(type).orElseThrow()));
        properties.put(property, value);
        return ConfigurationChange.put(ObjectTypes.named(type).orElseThrow().keyOf("sample"), properties);
    }

    private static ConfigurationChange put(
            Class<? extends ConfigurationObject> type, String name, @Nullable Object... namesAndValues) {
        Map<String, @Nullable Object> properties = new HashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            properties.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
        }
        return ConfigurationChange.put(key(type, name), properties);
    }

    private static ConfigurationChange delete(Class<? extends ConfigurationObject> type, String name) {
        return ConfigurationChange.delete(key(type, name));
    }

    private static ObjectKey key(Class<? extends ConfigurationObject> type, String name) {
        return ObjectTypes.of(type).keyOf(name);
    }

    private static Configuration restored(Configuration configuration) throws ConfigurationRefusedException {
        return ConfigurationTree.restored(ConfigurationTree.stored(configuration));
    }

    private static Configuration changed(ConfigurationChange... changes) throws ConfigurationRefusedException {
        return changed(START, LiveUse.NONE, changes);
    }

    private static Configuration changed(Configuration from, LiveUse use, ConfigurationChange... changes)
            throws ConfigurationRefusedException {
        return from.changed(List.of(changes), use, Samples::hash);
    }

    private static ConfigurationRefusedException refusal(ConfigurationChange... changes) {
        return refusal(START, changes);
    }

    private static ConfigurationRefusedException refusal(Configuration from, ConfigurationChange... changes) {
        return refusal(from, LiveUse.NONE, changes);
    }

    private static ConfigurationRefusedException refusal(
            Configuration from, LiveUse use, ConfigurationChange... changes) {
        ConfigurationRefusedException refusal =
                catchThrowableOfType(ConfigurationRefusedException.class, () -> changed(from, use, changes));
        assertThat(refusal).as("refusal").isNotNull();
        return refusal;
    }
}
