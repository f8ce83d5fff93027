package dev.avocet.mqtt.codec;

import static dev.avocet.mqtt.codec.Refusals.assertMalformed;
import static dev.avocet.mqtt.codec.Refusals.assertProtocolError;
import static dev.avocet.mqtt.codec.Refusals.assertRefused;
import static dev.avocet.mqtt.codec.Wire.bytes;
import static dev.avocet.mqtt.codec.Wire.packet;
import static dev.avocet.mqtt.codec.Wire.sized;
import static dev.avocet.mqtt.packet.ProtocolVersion.V3_1;
import static dev.avocet.mqtt.packet.ProtocolVersion.V3_1_1;
import static dev.avocet.mqtt.packet.ProtocolVersion.V5;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.UserProperty;
import dev.avocet.mqtt.codec.field.MalformedPacketException;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.packet.RetainHandling;
import dev.avocet.mqtt.packet.SubAck;
import dev.avocet.mqtt.packet.Subscribe;
import dev.avocet.mqtt.packet.TopicSubscription;
import java.util.List;
import org.junit.jupiter.api.Test;

class SubscribeCodecTest {
    private static final List<UserProperty> USER = List.of(new UserProperty("k", "v"));

    @Test
    void shouldReadAndWriteVersion5() throws MalformedPacketException {
        // given
        byte[] packet = packet(
                0x82,
                bytes(0, 10), // packet identifier
                sized(
                        bytes(0x0B, 0xFF, 0xFF, 0xFF, 0x7F), // subscription identifier
                        bytes(0x26, "k", "v")), // user property
                "a/#", // topic filter
                0b0010_1110, // retain handling 2, retain as published, no local, QoS 2
                "b", // topic filter
                0b0001_0000); // retain handling 1, QoS 0
        Subscribe record = new Subscribe(
                10,
                268_435_455,
                List.of(
                        new TopicSubscription(
                                "a/#", QualityOfService.EXACTLY_ONCE, true, true, RetainHandling.DO_NOT_SEND),
                        new TopicSubscription(
                                "b",
                                QualityOfService.AT_MOST_ONCE,
                                false,
                                false,
                                RetainHandling.SEND_IF_NEW_SUBSCRIPTION)),
                USER);

        // then
        assertThat(Wire.fromClient(V5, packet)).isEqualTo(record);
        assertThat(Wire.encode(V5, record)).isEqualTo(packet);
    }

    @Test
    void shouldReadAndWriteTheOlderVersions() throws MalformedPacketException {
        // given
        byte[] packet = packet(
                0x82,
                bytes(0, 10), // packet identifier
                "a", // topic filter
                1, // QoS
                "not a/filter#", // topic filter: its syntax is not checked here
                2); // QoS
        Subscribe record = new Subscribe(
                10,
                new TopicSubscription("a", QualityOfService.AT_LEAST_ONCE),
                new TopicSubscription("not a/filter#", QualityOfService.EXACTLY_ONCE));

        // then
        assertThat(Wire.fromClient(V3_1_1, packet)).isEqualTo(record);
        assertThat(Wire.fromClient(V3_1, packet)).isEqualTo(record);
        assertThat(Wire.encode(V3_1_1, record)).isEqualTo(packet);
    }

    @Test
    void shouldForgiveDupAndUnusedBitsInVersion31() throws MalformedPacketException {
        Subscribe packet = (Subscribe) Wire.fromClient(V3_1, packet(0x8A, 0, 1, "a", 0b1111_1101));
        assertThat(packet.subscriptions()).containsExactly(new TopicSubscription("a", QualityOfService.AT_LEAST_ONCE));
    }

    @Test
    void shouldRefuseWhatIsWrong() {
        assertMalformed(V5, packet(0x80, 0, 1, 0, "a", 0), "[MQTT-2.1.3-1]"); // [MQTT-3.8.1-1]
        assertMalformed(V3_1_1, packet(0x8A, 0, 1, "a", 0), "[MQTT-2.1.3-1]"); // [MQTT-3.8.1-1]
        assertProtocolError(V5, packet(0x82, 0, 0, 0, "a", 0), "[MQTT-2.2.1-3]");
        assertProtocolError(V5, packet(0x82, 0, 1, 0), "[MQTT-3.8.3-2]");
        assertProtocolError(V3_1_1, packet(0x82, 0, 1), "[MQTT-3.8.3-2]");
        assertMalformed(V5, packet(0x82, 0, 1, 0, "a"), "subscription options");
        assertMalformed(V5, packet(0x82, 0, 1, 0, 0, 9, 'a'), "topic filter");
        assertMalformed(V5, packet(0x82, 0, 1, 0, 0, 1, 0xFF, 0), "[MQTT-1.5.4-1]"); // [MQTT-3.8.3-1]
        assertMalformed(V5, packet(0x82, 0, 1), "[MQTT-2.2.2-1]");
    }

    @Test
    void shouldRefuseWrongOptions() {
        assertMalformed(V5, packet(0x82, 0, 1, 0, "a", 0b0100_0000), "[MQTT-3.8.3-5]");
        assertMalformed(V5, packet(0x82, 0, 1, 0, "a", 0b1000_0000), "[MQTT-3.8.3-5]");
        assertMalformed(V3_1_1, packet(0x82, 0, 1, "a", 0b0000_0100), "[MQTT-3.8.3-5]");
        assertProtocolError(V5, packet(0x82, 0, 1, 0, "a", 3), "QoS is 3");
        assertMalformed(V3_1_1, packet(0x82, 0, 1, "a", 3), "QoS is 3");
        assertMalformed(V3_1, packet(0x82, 0, 1, "a", 3), "QoS is 3");
        assertProtocolError(V5, packet(0x82, 0, 1, 0, "a", 0b0011_0000), "retain handling is 3");
    }

    @Test
    void shouldRefuseWrongProperties() {
        assertProtocolError(V5, packet(0x82, 0, 1, sized(0x0B, 0), "a", 0), "SUBSCRIPTION_IDENTIFIER is 0");
        assertProtocolError(V5, packet(0x82, 0, 1, sized(0x0B, 1, 0x0B, 1), "a", 0), "more than once");
        assertMalformed(V5, packet(0x82, 0, 1, sized(0x1F, "why"), "a", 0), "is not allowed here");
        assertMalformed(V5, packet(0x82, 0, 1, sized(0x0B, 0x80, 0x80, 0x80, 0x80), "a", 0), "SUBSCRIPTION_IDENTIFIER");
    }

    @Test
    void shouldReadAndWriteTheAnswerOfVersion5() throws MalformedPacketException {
        // given
        byte[] packet = packet(
                0x90,
                bytes(0, 10), // packet identifier
                sized(
                        bytes(0x1F, "why"), // reason string
                        bytes(0x26, "k", "v")), // user property
                bytes(0, 2, 0x87)); // reason codes
        SubAck record = new SubAck(
                10,
                List.of(ReasonCode.GRANTED_QOS_0, ReasonCode.GRANTED_QOS_2, ReasonCode.NOT_AUTHORIZED),
                "why",
                USER);

        // then
        assertThat(Wire.fromServer(V5, packet)).isEqualTo(record);
        assertThat(Wire.encode(V5, record)).isEqualTo(packet);
    }

    @Test
    void shouldHaveOneCodeForAllErrorsBeforeVersion5() throws MalformedPacketException {
        SubAck record = new SubAck(10, List.of(ReasonCode.GRANTED_QOS_1, ReasonCode.NOT_AUTHORIZED));
        byte[] packet = packet(0x90, 0, 10, 1, 0x80);
        assertThat(Wire.encode(V3_1_1, record)).isEqualTo(packet);
        assertThat(Wire.fromServer(V3_1_1, packet))
                .isEqualTo(new SubAck(10, List.of(ReasonCode.GRANTED_QOS_1, ReasonCode.UNSPECIFIED_ERROR)));
        assertRefused(
                () -> Wire.fromServer(V3_1_1, packet(0x90, 0, 10, 0x87)),
                ReasonCode.PROTOCOL_ERROR,
                "not a return code before MQTT 5");
    }

    @Test
    void shouldRefuseAWrongAnswer() {
        assertRefused(() -> Wire.fromServer(V5, packet(0x90, 0, 1, 0)), ReasonCode.PROTOCOL_ERROR, "[MQTT-3.9.3-1]");
        assertRefused(
                () -> Wire.fromServer(V5, packet(0x90, 0, 1, 0, 3)), // [MQTT-3.9.3-2]
                ReasonCode.PROTOCOL_ERROR,
                "not a reason code");
        assertRefused(
                () -> Wire.fromClient(V5, packet(0x90, 0, 1, 0, 0)), ReasonCode.PROTOCOL_ERROR, "came from a CLIENT");
        assertRefused(
                () -> Wire.fromServer(V5, packet(0x82, 0, 1, 0, "a", 0)),
                ReasonCode.PROTOCOL_ERROR,
                "came from a SERVER");
    }
}
