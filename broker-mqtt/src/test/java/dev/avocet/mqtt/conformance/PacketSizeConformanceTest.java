package dev.avocet.mqtt.conformance;

import static dev.avocet.core.message.QualityOfService.AT_LEAST_ONCE;
import static dev.avocet.core.message.QualityOfService.AT_MOST_ONCE;
import static dev.avocet.core.message.QualityOfService.EXACTLY_ONCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.UserProperty;
import dev.avocet.mqtt.admission.MqttOptions;
import dev.avocet.mqtt.codec.PacketEncoder;
import dev.avocet.mqtt.codec.field.PacketWriter;
import dev.avocet.mqtt.packet.Auth;
import dev.avocet.mqtt.packet.ConnAck;
import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.Disconnect;
import dev.avocet.mqtt.packet.Packet;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.PubAck;
import dev.avocet.mqtt.packet.PubComp;
import dev.avocet.mqtt.packet.PubRec;
import dev.avocet.mqtt.packet.PubRel;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.packet.SubAck;
import dev.avocet.mqtt.packet.UnsubAck;
import dev.avocet.mqtt.testing.MqttTestBroker;
import dev.avocet.mqtt.testing.RawClient;
import dev.avocet.testkit.TestBroker;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Maximum packet size, in both directions, and what is left out to stay below it. */
class PacketSizeConformanceTest extends ConformanceTest {
    private static final List<UserProperty> USER_PROPERTIES = List.of(new UserProperty("name", "v".repeat(50)));
    private static final String REASON = "r".repeat(50);

    @ParameterizedTest
    @EnumSource(QualityOfService.class)
    @Proves({"MQTT-3.1.2-24", "MQTT-3.1.2-25"})
    void shouldDiscardWhatIsTooLargeForTheClientAndGoOn(QualityOfService qos) {
        String topic = fresh("topic");
        RawClient subscriber = connected(
                Connect.builder(fresh("client")).maximumPacketSizeBytes(100).receiveMaximum(1));
        subscriber.subscribe(topic, EXACTLY_ONCE);

        publish(topic, qos, "x".repeat(100));
        publish(topic, qos, "small");

        assertThat(text(subscriber.receivePublish())).isEqualTo("small");
    }

    @Test
    @Proves("MQTT-3.1.2-24")
    void shouldSendAPacketOfExactlyTheMaximumSize() {
        String topic = fresh("topic");
        int overheadBytes = 2 + 2 + topic.length() + 2 + 1;
        RawClient subscriber = connected(Connect.builder(fresh("client")).maximumPacketSizeBytes(100));
        subscriber.subscribe(topic, AT_LEAST_ONCE);

        publish(topic, AT_LEAST_ONCE, "x".repeat(100 - overheadBytes + 1));
        publish(topic, AT_LEAST_ONCE, "y".repeat(100 - overheadBytes));

        assertThat(text(subscriber.receivePublish())).startsWith("y");
    }

    @Test
    @Proves("MQTT-3.1.2-25")
    void shouldDiscardWhatHasBecomeTooLargeOnANewConnection() {
        String topic = fresh("topic");
        String id = fresh("client");
        RawClient before = persistent(id);
        before.subscribe(topic, EXACTLY_ONCE);
        publish(topic, AT_LEAST_ONCE, "x".repeat(100));
        before.receivePublish();
        lose(before);
        publish(topic, EXACTLY_ONCE, "small");

        RawClient after = open();
        after.connect(resuming(id).maximumPacketSizeBytes(100).build());

        assertThat(text(after.receivePublish())).isEqualTo("small");
    }

    @Test
    @Proves("MQTT-3.2.2-19")
    void shouldLeaveTheReasonStringOutOfAConnAckThatWouldBeTooLarge() {
        ConnAck explained = open().connect(Connect.builder("__broker").build());
        ConnAck terse = open().connect(
                        Connect.builder("__broker").maximumPacketSizeBytes(20).build());

        assertThat(explained.reasonString()).isNotEmpty();
        assertThat(terse.reasonCode()).isEqualTo(ReasonCode.CLIENT_IDENTIFIER_NOT_VALID);
        assertThat(terse.reasonString()).isNull();
    }

    @Test
    @Proves("MQTT-3.14.2-3")
    void shouldLeaveTheReasonStringOutOfADisconnectThatWouldBeTooLarge() {
        RawClient verbose = client();
        verbose.send(Connect.builder("second").build());
        assertThat(verbose.receive(Disconnect.class).reasonString()).isNotEmpty();

        RawClient terse = connected(Connect.builder(fresh("client")).maximumPacketSizeBytes(20));
        terse.send(Connect.builder("second").build());

        Disconnect disconnect = terse.receive(Disconnect.class);
        assertThat(disconnect.reasonCode()).isEqualTo(ReasonCode.PROTOCOL_ERROR);
        assertThat(disconnect.reasonString()).isNull();
    }

    @Test
    @Proves("MQTT-3.1.2-24")
    void shouldCloseWhenNotEvenConnAckFits() {
        RawClient client = open();

        client.send(Connect.builder(fresh("client")).maximumPacketSizeBytes(4).build());

        client.expectClosed();
    }

    @Test
    @Proves("MQTT-4.13.1-1")
    void shouldSayHowMuchItTakesAndCloseWhenItIsMore() {
        try (TestBroker small = TestBroker.with(MqttTestBroker.mqtt(MqttOptions.DEFAULT))
                        .maxMessageBytes(1024)
                        .start();
                RawClient client = RawClient.connected(small.port(), "client");
                RawClient other = new RawClient(small.port(), ProtocolVersion.V5)) {
            long maximum = other.connect(Connect.builder("other").build()).maximumPacketSizeBytes();

            client.send(message("topic", AT_MOST_ONCE, "x".repeat((int) maximum)));

            expectDisconnect(client, ReasonCode.PACKET_TOO_LARGE);
        }
    }

    @ParameterizedTest
    @MethodSource("explainedAnswers")
    @Proves({
        "MQTT-3.2.2-19",
        "MQTT-3.2.2-20",
        "MQTT-3.4.2-2",
        "MQTT-3.4.2-3",
        "MQTT-3.5.2-2",
        "MQTT-3.5.2-3",
        "MQTT-3.6.2-2",
        "MQTT-3.6.2-3",
        "MQTT-3.7.2-2",
        "MQTT-3.7.2-3",
        "MQTT-3.9.2-1",
        "MQTT-3.9.2-2",
        "MQTT-3.11.2-1",
        "MQTT-3.11.2-2",
        "MQTT-3.14.2-3",
        "MQTT-3.14.2-4",
        "MQTT-3.15.2-2",
        "MQTT-3.15.2-3"
    })
    void shouldLeaveOutWhatOnlyExplainsRatherThanExceedTheMaximum(Packet answer) throws Exception {
        PacketWriter whole = new PacketWriter(512, 512);
        int wholeBytes = PacketEncoder.encode(ProtocolVersion.V5, answer, whole, 1000);
        PacketWriter exact = new PacketWriter(512, 512);
        int exactBytes = PacketEncoder.encode(ProtocolVersion.V5, answer, exact, wholeBytes);
        PacketWriter reduced = new PacketWriter(512, 512);
        int reducedBytes = PacketEncoder.encode(ProtocolVersion.V5, answer, reduced, wholeBytes - 1);

        assertThat(exactBytes).isEqualTo(wholeBytes);
        assertThat(reducedBytes).isPositive().isLessThan(wholeBytes - 100);
        assertThat(new String(reduced.toByteArray(), StandardCharsets.ISO_8859_1))
                .doesNotContain("rrr", "vvv");
    }

    static Stream<Packet> explainedAnswers() {
        return Stream.of(
                ConnAck.builder(ReasonCode.NOT_AUTHORIZED)
                        .reasonString(REASON)
                        .userProperties(USER_PROPERTIES)
                        .build(),
                new PubAck(1, ReasonCode.NOT_AUTHORIZED, REASON, USER_PROPERTIES),
                new PubRec(1, ReasonCode.NOT_AUTHORIZED, REASON, USER_PROPERTIES),
                new PubRel(1, ReasonCode.PACKET_IDENTIFIER_NOT_FOUND, REASON, USER_PROPERTIES),
                new PubComp(1, ReasonCode.PACKET_IDENTIFIER_NOT_FOUND, REASON, USER_PROPERTIES),
                new SubAck(1, List.of(ReasonCode.NOT_AUTHORIZED), REASON, USER_PROPERTIES),
                new UnsubAck(1, List.of(ReasonCode.NOT_AUTHORIZED), REASON, USER_PROPERTIES),
                new Disconnect(ReasonCode.NOT_AUTHORIZED, Disconnect.SAME_EXPIRY, REASON, USER_PROPERTIES, null),
                new Auth(ReasonCode.CONTINUE_AUTHENTICATION, "SCRAM-SHA-256", new byte[1], REASON, USER_PROPERTIES));
    }
}
