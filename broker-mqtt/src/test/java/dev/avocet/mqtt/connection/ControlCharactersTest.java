package dev.avocet.mqtt.connection;

import static dev.avocet.core.message.QualityOfService.AT_LEAST_ONCE;
import static dev.avocet.core.message.QualityOfService.AT_MOST_ONCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.frontend.Leniency;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.TopicName;
import dev.avocet.mqtt.codec.field.MqttMessageProperties;
import dev.avocet.mqtt.packet.ConnAck;
import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.ConnectBuilder;
import dev.avocet.mqtt.packet.ConnectWill;
import dev.avocet.mqtt.packet.Disconnect;
import dev.avocet.mqtt.packet.Packet;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.packet.Subscribe;
import dev.avocet.mqtt.packet.TopicSubscription;
import dev.avocet.mqtt.packet.Unsubscribe;
import dev.avocet.mqtt.testing.MqttTestBroker;
import dev.avocet.mqtt.testing.RawClient;
import dev.avocet.testkit.TestBroker;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The characters that section 1.5.4 of the standard lets a server refuse: refused by default, taken where the endpoint
 * allows them.
 */
class ControlCharactersTest {
    private static final byte[] NOTHING = {};
    private static TestBroker strict;
    private static TestBroker lenient;

    @BeforeAll
    static void start() {
        strict = MqttTestBroker.start();
        lenient = TestBroker.with(MqttTestBroker.mqtt())
                .leniency(new Leniency(true, false, false))
                .start();
    }

    @AfterAll
    static void stop() {
        strict.close();
        lenient.close();
    }

    static Stream<String> texts() {
        return Stream.of(0x01, 0x1F, 0x7F, 0x80, 0x9F, 0xFDD0, 0xFDEF, 0xFFFE, 0xFFFF, 0x1FFFE, 0x10FFFF)
                .map(codePoint -> "some text/" + Character.toString(codePoint) + "/more");
    }

    @ParameterizedTest
    @MethodSource("texts")
    void shouldEndAConnectionThatUsesThemInATopic(String text) {
        for (Packet packet : packetsWith(text)) {
            try (RawClient client = RawClient.connected(strict.port(), "client")) {
                client.send(packet);

                Disconnect answer = client.receive(Disconnect.class);
                assertThat(answer.reasonCode()).isEqualTo(ReasonCode.MALFORMED_PACKET);
                assertThat(answer.reasonString()).contains("U+", "AllowControlCharacters");
                client.expectClosed();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("texts")
    void shouldEndAConnectionThatUsesThemInATopicBeforeMqtt5(String text) {
        for (Packet packet : packetsWith(text)) {
            try (RawClient client = new RawClient(strict.port(), ProtocolVersion.V3_1_1)) {
                client.connect(Connect.builder("client")
                        .version(ProtocolVersion.V3_1_1)
                        .build());
                client.send(packet);

                client.expectClosed();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("texts")
    void shouldRefuseAClientThatUsesThemInConnect(String text) {
        assertThat(connect(strict, Connect.builder(text))).isEqualTo(ReasonCode.CLIENT_IDENTIFIER_NOT_VALID);
        assertThat(connect(strict, Connect.builder(text).version(ProtocolVersion.V3_1_1)))
                .isEqualTo(ReasonCode.CLIENT_IDENTIFIER_NOT_VALID);
        assertThat(connect(strict, Connect.builder("client").userName(text))).isEqualTo(ReasonCode.MALFORMED_PACKET);
        assertThat(connect(strict, Connect.builder("client").will(willTo(text))))
                .isEqualTo(ReasonCode.MALFORMED_PACKET);
        assertThat(connect(strict, Connect.builder("client").will(willTo("w").withProperties(answersTo(text)))))
                .isEqualTo(ReasonCode.MALFORMED_PACKET);
    }

    @ParameterizedTest
    @MethodSource("texts")
    void shouldTakeThemWhereTheEndpointAllowsThem(String text) {
        ConnectBuilder connect = Connect.builder(text).userName(text).will(willTo(text));
        try (RawClient client = new RawClient(lenient.port(), ProtocolVersion.V5)) {
            assertThat(client.connect(connect.build()).reasonCode()).isEqualTo(ReasonCode.SUCCESS);
            assertThat(client.subscribe(text, AT_MOST_ONCE).reasonCodes()).containsExactly(ReasonCode.GRANTED_QOS_0);

            client.send(publish(text, MessageProperties.NONE), publish("t", answersTo(text)));

            assertThat(client.receivePublish().topic()).isEqualTo(text);
        }
    }

    @Test
    void shouldRefuseATopicThatTheLoopKnowsByAnotherEndpoint() {
        String text = "known/\u0007";
        IoLoop loop = strict.broker().loops().get(0);
        loop.execute(() -> strict.broker().route(TopicName.of(text), loop));
        strict.settle();
        try (RawClient client = RawClient.connected(strict.port(), "client")) {
            client.send(publish(text, MessageProperties.NONE));

            assertThat(client.receive(Disconnect.class).reasonString()).contains("U+0007, a control character");
        }
    }

    @Test
    void shouldRefuseATopicBehindAnAlias() {
        try (RawClient client = RawClient.connected(strict.port(), "client")) {
            client.send(new Publish(
                    false,
                    AT_MOST_ONCE,
                    false,
                    "aliased/\u0007",
                    0,
                    1,
                    Publish.NO_EXPIRY,
                    MessageProperties.NONE,
                    List.of(),
                    NOTHING));

            assertThat(client.receive(Disconnect.class).reasonCode()).isEqualTo(ReasonCode.MALFORMED_PACKET);
        }
    }

    @Test
    void shouldRefuseAnEmptyResponseTopic() {
        try (RawClient client = RawClient.connected(strict.port(), "client")) {
            client.sendBytes(0x30, 7, 0, 1, 't', 3, 0x08, 0, 0);

            assertThat(client.receive(Disconnect.class).reasonCode()).isEqualTo(ReasonCode.MALFORMED_PACKET);
        }
    }

    @Test
    void shouldSayNoMoreOfALongFilterThanFits() {
        try (RawClient client = RawClient.connected(strict.port(), "client")) {
            assertThat(client.subscribe("#".repeat(65_535), AT_MOST_ONCE).reasonCodes())
                    .containsExactly(ReasonCode.TOPIC_FILTER_INVALID);

            client.send(new Subscribe(1, new TopicSubscription("$share/" + "+".repeat(65_528), AT_MOST_ONCE)));

            Disconnect answer = client.receive(Disconnect.class);
            assertThat(answer.reasonCode()).isEqualTo(ReasonCode.PROTOCOL_ERROR);
            assertThat(answer.reasonString()).endsWith(" …").hasSizeLessThan(1_010);
        }
    }

    private static List<Packet> packetsWith(String text) {
        return List.of(
                publish(text, MessageProperties.NONE),
                new Publish(text, AT_LEAST_ONCE, true, 1, NOTHING),
                new Subscribe(1, new TopicSubscription("t", AT_MOST_ONCE), new TopicSubscription(text, AT_MOST_ONCE)),
                new Subscribe(1, new TopicSubscription("$share/g/" + text, AT_MOST_ONCE)),
                new Unsubscribe(1, text));
    }

    private static Publish publish(String topic, MessageProperties properties) {
        return new Publish(
                false,
                AT_MOST_ONCE,
                false,
                topic,
                0,
                Publish.NO_ALIAS,
                Publish.NO_EXPIRY,
                properties,
                List.of(),
                NOTHING);
    }

    private static MessageProperties answersTo(String topic) {
        return MqttMessageProperties.builder().responseTopic(topic).build();
    }

    private static ConnectWill willTo(String topic) {
        return new ConnectWill(topic, NOTHING, AT_MOST_ONCE, false);
    }

    private static ReasonCode connect(TestBroker broker, ConnectBuilder connect) {
        Connect packet = connect.build();
        try (RawClient client = new RawClient(broker.port(), packet.version())) {
            client.send(packet);
            Packet answer = client.receiveOrEnd();
            return answer instanceof ConnAck connAck ? connAck.reasonCode() : ReasonCode.UNSPECIFIED_ERROR;
        }
    }
}
