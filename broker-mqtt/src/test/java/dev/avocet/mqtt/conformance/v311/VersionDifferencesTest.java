package dev.avocet.mqtt.conformance.v311;

import static dev.avocet.core.message.QualityOfService.AT_LEAST_ONCE;
import static dev.avocet.core.message.QualityOfService.AT_MOST_ONCE;
import static dev.avocet.core.message.QualityOfService.EXACTLY_ONCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.broker.BrokerOptions;
import dev.avocet.core.config.object.policy.FullBehavior;
import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.mqtt.admission.MqttOptions;
import dev.avocet.mqtt.packet.ConnAck;
import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.Disconnect;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.PubAck;
import dev.avocet.mqtt.packet.PubComp;
import dev.avocet.mqtt.packet.PubRec;
import dev.avocet.mqtt.packet.PubRel;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.packet.SubAck;
import dev.avocet.mqtt.packet.Subscribe;
import dev.avocet.mqtt.packet.TopicSubscription;
import dev.avocet.mqtt.testing.MqttTestBroker;
import dev.avocet.mqtt.testing.RawClient;
import dev.avocet.testkit.TestBroker;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How the same mistake is answered in MQTT 3.1, 3.1.1 and 5.0: each version has its own words for it, or none. */
class VersionDifferencesTest extends V311Test {
    /** Topics that nobody may publish or subscribe to: the broker's own, and one level more than allowed. */
    static String[] refusedTopics() {
        return new String[] {"$broker/secret", "$", "l/".repeat(BrokerOptions.DEFAULT.topicLevelsMax()) + "l"};
    }

    private RawClient connected(ProtocolVersion version) {
        return connected(Connect.builder("client").version(version).build());
    }

    @ParameterizedTest
    @MethodSource("refusedTopics")
    void shouldAcknowledgeAndDropARefusedTopicIn31(String topic) {
        RawClient client = connected(ProtocolVersion.V3_1);

        client.send(publish(topic, AT_MOST_ONCE, 0, "x"));
        client.expectNothing();
        client.send(publish(topic, AT_LEAST_ONCE, 1, "x"));
        assertThat(client.receive(PubAck.class).packetId()).isEqualTo(1);
        client.send(publish(topic, EXACTLY_ONCE, 2, "x"));
        assertThat(client.receive(PubRec.class).packetId()).isEqualTo(2);
        client.send(new PubRel(2));
        assertThat(client.receive(PubComp.class).packetId()).isEqualTo(2);
        client.expectNothing();
    }

    @ParameterizedTest
    @MethodSource("refusedTopics")
    void shouldCloseOnARefusedTopicIn311(String topic) {
        for (Publish packet : new Publish[] {
            publish(topic, AT_MOST_ONCE, 0, "x"),
            publish(topic, AT_LEAST_ONCE, 1, "x"),
            publish(topic, EXACTLY_ONCE, 1, "x")
        }) {
            RawClient client = connected(ProtocolVersion.V3_1_1);
            client.send(packet);
            client.expectClosed();
        }
    }

    @ParameterizedTest
    @MethodSource("refusedTopics")
    void shouldNameTheReasonForARefusedTopicIn5(String topic) {
        RawClient client = connected(ProtocolVersion.V5);

        client.send(publish(topic, AT_LEAST_ONCE, 1, "x"));
        assertThat(client.receive(PubAck.class).reasonCode()).isEqualTo(ReasonCode.TOPIC_NAME_INVALID);
        client.send(publish(topic, EXACTLY_ONCE, 2, "x"));
        assertThat(client.receive(PubRec.class).reasonCode()).isEqualTo(ReasonCode.TOPIC_NAME_INVALID);
        client.send(publish(topic, AT_MOST_ONCE, 0, "x"));
        assertThat(client.receive(Disconnect.class).reasonCode()).isEqualTo(ReasonCode.TOPIC_NAME_INVALID);
        client.expectClosed();
    }

    @Test
    void shouldKnowTheAliasOfARefusedTopicIn5() {
        RawClient client = connected(ProtocolVersion.V5);

        client.send(withAlias("$broker/secret", 1), withAlias("", 2), withAlias("allowed", 3), withAlias("", 4));

        for (int packetId = 1; packetId <= 2; packetId++) {
            PubAck refusal = client.receive(PubAck.class);
            assertThat(refusal.packetId()).isEqualTo(packetId);
            assertThat(refusal.reasonCode()).isEqualTo(ReasonCode.TOPIC_NAME_INVALID);
        }
        for (int packetId = 3; packetId <= 4; packetId++) {
            PubAck acceptance = client.receive(PubAck.class);
            assertThat(acceptance.packetId()).isEqualTo(packetId);
            assertThat(acceptance.reasonCode()).isEqualTo(ReasonCode.NO_MATCHING_SUBSCRIBERS);
        }
    }

    private static Publish withAlias(String topic, int packetId) {
        return new Publish(
                false,
                AT_LEAST_ONCE,
                false,
                topic,
                packetId,
                1,
                Publish.NO_EXPIRY,
                MessageProperties.NONE,
                List.of(),
                utf8("x"));
    }

    @ParameterizedTest
    @MethodSource("refusedTopics")
    void shouldSeemToGrantARefusedFilterIn31(String filter) {
        RawClient client = connected(ProtocolVersion.V3_1);

        SubAck answer = client.subscribe(filter, EXACTLY_ONCE);

        assertThat(answer.reasonCodes()).singleElement().matches(code -> !code.isError());
        assertThat(broker.count(Counter.SUBSCRIPTIONS)).isZero();
        client.expectNothing();
    }

    @ParameterizedTest
    @MethodSource("refusedTopics")
    void shouldAnswerARefusedFilterWithTheOneErrorOf311(String filter) {
        RawClient client = client();
        client.send(connect("client").build());
        read(client, 4);

        client.send(new Subscribe(1, new TopicSubscription(filter, EXACTLY_ONCE)));

        assertThat(read(client, 5)).containsExactly(0x90, 3, 0, 1, 0x80);
        client.expectNothing();
    }

    @ParameterizedTest
    @MethodSource("refusedTopics")
    void shouldNameTheReasonForARefusedFilterIn5(String filter) {
        RawClient client = connected(ProtocolVersion.V5);

        assertThat(client.subscribe(filter, EXACTLY_ONCE).reasonCodes())
                .containsExactly(ReasonCode.TOPIC_FILTER_INVALID);
        client.expectNothing();
    }

    @ParameterizedTest
    @EnumSource
    void shouldTakeTheDeepestTopicThereMayBe(ProtocolVersion version) {
        String deepest = "l/".repeat(BrokerOptions.DEFAULT.topicLevelsMax() - 1) + "l";
        RawClient client = connected(version);
        client.subscribe(deepest, AT_MOST_ONCE);

        publishSafely(deepest, "x");

        assertThat(client.receivePublish().topic()).isEqualTo(deepest);
    }

    @ParameterizedTest
    @EnumSource(names = {"V3_1", "V3_1_1"})
    void shouldCloseWhenTheDestinationIsFullBefore5(ProtocolVersion version) {
        try (TestBroker small = smallBroker();
                RawClient subscriber = fill(small);
                RawClient client = new RawClient(small.port(), version)) {
            client.connect(Connect.builder("client").version(version).build());

            client.send(publish("t", AT_LEAST_ONCE, 1, "does not fit"));

            client.expectClosed();
            subscriber.expectNothing();
        }
    }

    @Test
    void shouldRefuseWithQuotaExceededWhenTheDestinationIsFullIn5() {
        try (TestBroker small = smallBroker();
                RawClient subscriber = fill(small);
                RawClient client = RawClient.connected(small.port(), "client")) {
            client.send(publish("t", AT_LEAST_ONCE, 1, "does not fit"));
            assertThat(client.receive(PubAck.class).reasonCode()).isEqualTo(ReasonCode.QUOTA_EXCEEDED);
            client.send(publish("t", EXACTLY_ONCE, 2, "does not fit"));
            assertThat(client.receive(PubRec.class).reasonCode()).isEqualTo(ReasonCode.QUOTA_EXCEEDED);
            client.expectNothing();
            subscriber.expectNothing();
        }
    }

    private static TestBroker smallBroker() {
        return TestBroker.with(MqttTestBroker.mqtt(MqttOptions.DEFAULT))
                .options(BrokerOptions.DEFAULT.withSubscriptionLimits(
                        new QueueLimits(1, 0, FullBehavior.REJECT_NEW_MESSAGES)))
                .start();
    }

    /** A subscriber that does not acknowledge the one message that its subscription holds. */
    private static RawClient fill(TestBroker small) {
        RawClient subscriber = RawClient.connected(small.port(), "subscriber");
        subscriber.subscribe("t", AT_LEAST_ONCE);
        subscriber.send(publish("t", AT_LEAST_ONCE, 1, "fits"));
        subscriber.receivePublish();
        subscriber.receive(PubAck.class);
        return subscriber;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void shouldRefuseLowerLevelsInTheFormOf311(int level) {
        assertThat(answerTo("MQTT", level)).containsExactly(0x20, 2, 0, 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 5, 6})
    void shouldRefuseOtherLevelsUnderTheOldNameInTheFormOf311(int level) {
        assertThat(answerTo("MQIsdp", level)).containsExactly(0x20, 2, 0, 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {6, 7, 127})
    void shouldRefuseHigherLevelsInTheFormOf5(int level) {
        RawClient client = client(ProtocolVersion.V5);

        client.sendBytes(withLevel("MQTT", level));

        ConnAck answer = client.receive(ConnAck.class);
        assertThat(answer.reasonCode()).isEqualTo(ReasonCode.UNSUPPORTED_PROTOCOL_VERSION);
        client.expectClosed();
    }

    private byte[] answerTo(String name, int level) {
        RawClient client = client();
        client.sendBytes(withLevel(name, level));
        byte[] answer = read(client, 4);
        client.expectClosed();
        return answer;
    }

    private static byte[] withLevel(String name, int level) {
        ProtocolVersion version = name.equals("MQTT") ? ProtocolVersion.V5 : ProtocolVersion.V3_1;
        byte[] packet = bytes(Connect.builder("client").version(version).build());
        packet[4 + name.length()] = (byte) level;
        return packet;
    }

    @Test
    void shouldRefuseEachVersionsEmptyIdentifierInItsOwnWay() {
        assertThat(connectEmpty(ProtocolVersion.V3_1, true)).isEqualTo(ReasonCode.CLIENT_IDENTIFIER_NOT_VALID);
        assertThat(connectEmpty(ProtocolVersion.V3_1_1, false)).isEqualTo(ReasonCode.CLIENT_IDENTIFIER_NOT_VALID);
        assertThat(connectEmpty(ProtocolVersion.V3_1_1, true)).isEqualTo(ReasonCode.SUCCESS);
        assertThat(connectEmpty(ProtocolVersion.V5, false)).isEqualTo(ReasonCode.SUCCESS);
    }

    private ReasonCode connectEmpty(ProtocolVersion version, boolean clean) {
        Connect connect = Connect.builder("").version(version).cleanStart(clean).build();
        return client(version).connect(connect).reasonCode();
    }

    /** DUP, QoS and RETAIN of CONNECT are "not used" in MQTT 3.1, and reserved later. */
    @ParameterizedTest
    @ValueSource(ints = {0x11, 0x12, 0x16, 0x1F})
    void shouldPassOverFlagsOfConnectInMqtt31Only(int header) {
        RawClient oldest = client(ProtocolVersion.V3_1);
        oldest.sendBytes(withHeader(ProtocolVersion.V3_1, header));
        assertAccepted(oldest.receive(ConnAck.class));

        for (ProtocolVersion version : List.of(ProtocolVersion.V3_1_1, ProtocolVersion.V5)) {
            RawClient later = client(version);
            later.sendBytes(withHeader(version, header));
            later.expectClosed();
        }
    }

    @Test
    void shouldKnowAConnectWithFlagsHoweverItsBytesCome() {
        RawClient client = client(ProtocolVersion.V3_1);
        for (byte each : withHeader(ProtocolVersion.V3_1, 0x18)) {
            client.sendBytes(each);
        }

        assertAccepted(client.receive(ConnAck.class));
    }

    private static byte[] withHeader(ProtocolVersion version, int header) {
        byte[] packet = bytes(Connect.builder("client").version(version).build());
        packet[0] = (byte) header;
        return packet;
    }

    @Test
    void shouldServeAllVersionsAtOnce() {
        RawClient oldest =
                connected(Connect.builder("a").version(ProtocolVersion.V3_1).build());
        RawClient old =
                connected(Connect.builder("b").version(ProtocolVersion.V3_1_1).build());
        RawClient newest =
                connected(Connect.builder("c").version(ProtocolVersion.V5).build());
        for (RawClient client : new RawClient[] {oldest, old, newest}) {
            client.subscribe("t", EXACTLY_ONCE);
        }

        publishSafely("t", "x");

        assertThat(text(old.receivePublish())).isEqualTo("x");
        assertThat(text(newest.receivePublish())).isEqualTo("x");
        assertThat(text(oldest.receivePublish())).isEqualTo("x");
    }
}
