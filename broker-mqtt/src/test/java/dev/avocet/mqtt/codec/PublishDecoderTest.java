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

import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.UserProperty;
import dev.avocet.mqtt.codec.field.MalformedPacketException;
import dev.avocet.mqtt.codec.field.MqttMessageProperties;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.packet.ReasonCode;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class PublishDecoderTest {
    private static final byte[] PAYLOAD = {1, 2, 3};

    private final PublishView view = new PublishView();

    @Test
    void shouldReadEveryFieldOfVersion5() throws MalformedPacketException {
        // given
        byte[] properties = bytes(
                bytes(0x26, "a", "1"), // user property
                bytes(0x23, 0, 7), // topic alias
                bytes(0x01, 1), // payload format indicator
                bytes(0x02, 0xFF, 0xFF, 0xFF, 0xFE), // message expiry interval
                bytes(0x08, "reply"), // response topic
                bytes(0x09, "id"), // correlation data
                bytes(0x26, "a", "0"), // user property
                bytes(0x03, "text/plain")); // content type
        byte[] body = bytes(
                "a/b", // topic name
                bytes(0x12, 0x34), // packet identifier
                sized(properties), // properties
                PAYLOAD);

        // when the header says DUP, QoS 2, RETAIN
        PublishDecoder.decode(0b0011_1101, body, 0, body.length, V5, view);

        // then
        assertThat(view.dup()).isTrue();
        assertThat(view.qos()).isEqualTo(QualityOfService.EXACTLY_ONCE);
        assertThat(view.retain()).isTrue();
        assertThat(view.topicOffset()).isEqualTo(2);
        assertThat(view.topicLength()).isEqualTo(3);
        assertThat(view.copyTopic()).isEqualTo("a/b".getBytes(StandardCharsets.UTF_8));
        assertThat(view.packetId()).isEqualTo(0x1234);
        assertThat(view.topicAlias()).isEqualTo(7);
        assertThat(view.messageExpiryIntervalSeconds()).isEqualTo(0xFFFF_FFFEL);
        assertThat(view.propertiesOffset()).isEqualTo(8);
        assertThat(view.propertiesLength()).isEqualTo(properties.length);
        assertThat(view.isPayloadText()).isTrue();
        assertThat(view.copyPayload()).isEqualTo(PAYLOAD);
        assertThat(view.payloadOffset()).isEqualTo(body.length - 3);
        assertForwarded(view.properties());
    }

    /** [MQTT-3.3.2-4] [MQTT-3.3.2-15] [MQTT-3.3.2-16] [MQTT-3.3.2-17] [MQTT-3.3.2-18] [MQTT-3.3.2-20] */
    private static void assertForwarded(MessageProperties properties) {
        assertThat(properties)
                .isEqualTo(new MqttMessageProperties(bytes(
                        bytes(0x26, "a", "1"),
                        bytes(0x01, 1),
                        bytes(0x08, "reply"),
                        bytes(0x09, "id"),
                        bytes(0x26, "a", "0"),
                        bytes(0x03, "text/plain"))));
        assertThat(properties.isPayloadText()).isTrue();
        assertThat(properties.contentType()).isEqualTo("text/plain");
        assertThat(properties.responseTopic()).isEqualTo("reply");
        assertThat(properties.correlationData()).isEqualTo(bytes('i', 'd'));
        assertThat(properties.userProperties()).containsExactly(new UserProperty("a", "1"), new UserProperty("a", "0"));
    }

    @Test
    void shouldReadVersion311() throws MalformedPacketException {
        // given
        byte[] body = bytes(
                "t", // topic name
                bytes(0, 1), // packet identifier
                PAYLOAD);

        // when the header says QoS 1
        PublishDecoder.decode(0x32, body, 0, body.length, V3_1_1, view);

        // then
        assertThat(view.dup()).isFalse();
        assertThat(view.qos()).isEqualTo(QualityOfService.AT_LEAST_ONCE);
        assertThat(view.retain()).isFalse();
        assertThat(view.packetId()).isEqualTo(1);
        assertThat(view.topicAlias()).isEqualTo(Publish.NO_ALIAS);
        assertThat(view.messageExpiryIntervalSeconds()).isEqualTo(Publish.NO_EXPIRY);
        assertThat(view.propertiesLength()).isZero();
        assertThat(view.properties()).isSameAs(MessageProperties.NONE);
        assertThat(view.copyPayload()).isEqualTo(PAYLOAD);
    }

    @Test
    void shouldReadEmptyPayloads() throws MalformedPacketException {
        PublishDecoder.decode(0x30, bytes("t"), 0, 3, V3_1, view);
        assertThat(view.payloadLength()).isZero();
        assertThat(view.packetId()).isZero();
        PublishDecoder.decode(0x30, bytes("t", 0), 0, 4, V5, view);
        assertThat(view.payloadLength()).isZero();
    }

    @Test
    void shouldForgetThePacketBefore() throws MalformedPacketException {
        // given
        byte[] rich = bytes("t", 0, 9, sized(0x01, 1, 0x23, 0, 1, 0x02, 0, 0, 0, 1, 0x26, "a", "b"), PAYLOAD);
        byte[] poor = bytes("u", 0);

        // when
        PublishDecoder.decode(0x3D, rich, 0, rich.length, V5, view);
        PublishDecoder.decode(0x30, poor, 0, poor.length, V5, view);

        // then
        assertThat(view.toPublish())
                .usingRecursiveComparison()
                .isEqualTo(new Publish("u", QualityOfService.AT_MOST_ONCE, false, 0, new byte[0]));
        assertThat(view.isPayloadText()).isFalse();
    }

    @Test
    void shouldForwardNothingWhenOnlyTheHopHasProperties() throws MalformedPacketException {
        byte[] body = bytes("t", sized(0x23, 0, 1));
        PublishDecoder.decode(0x30, body, 0, body.length, V5, view);
        assertThat(view.properties()).isSameAs(MessageProperties.NONE);
    }

    @Test
    void shouldAcceptAnAliasInPlaceOfTheTopic() throws MalformedPacketException {
        byte[] body = bytes("", sized(0x23, 0, 1));
        PublishDecoder.decode(0x30, body, 0, body.length, V5, view);
        assertThat(view.topicLength()).isZero();
        assertThat(view.topicAlias()).isEqualTo(1);
    }

    @Test
    void shouldRefuseWrongHeaders() {
        for (ProtocolVersion version : ProtocolVersion.values()) {
            assertMalformed(version, packet(0x36, "t", 0, 1, 0), "[MQTT-3.3.1-4]");
            assertMalformed(version, packet(0x38, "t", 0), "[MQTT-3.3.1-2]");
        }
    }

    @Test
    void shouldRefuseWrongPacketIdentifiers() {
        for (ProtocolVersion version : ProtocolVersion.values()) {
            assertProtocolError(version, packet(0x32, "t", 0, 0, 0), "[MQTT-2.2.1-3]");
            assertRefused( // [MQTT-2.2.1-4]
                    () -> Wire.fromServer(version, packet(0x32, "t", 0, 0, 0)),
                    ReasonCode.PROTOCOL_ERROR,
                    "packet identifier is 0");
            assertMalformed(version, packet(0x34, "t", 1), "packet identifier goes beyond");
        }
    }

    @Test
    void shouldRefuseWrongLengths() {
        assertMalformed(V3_1_1, packet(0x30), "topic name");
        assertMalformed(V3_1_1, packet(0x30, 0), "topic name");
        assertMalformed(V3_1_1, packet(0x30, 0, 2, 't'), "topic name");
        assertMalformed(V5, packet(0x30, "t"), "[MQTT-2.2.2-1]");
        assertMalformed(V5, packet(0x30, "t", 1), "properties");
        assertMalformed(V5, packet(0x30, "t", 0x80, 0x80, 0x80, 0x80, 0), "properties");
    }

    @Test
    void shouldRefuseWrongTopics() {
        assertMalformed(V3_1_1, packet(0x30, ""), "[MQTT-4.7.3-1]");
        assertProtocolError(V5, packet(0x30, "", 0), "neither a topic name nor a topic alias");
        assertMalformed(V5, packet(0x30, 0, 1, 0xFF, 0), "[MQTT-3.3.2-1]");
        assertMalformed(V5, packet(0x30, "a\0b", 0), "[MQTT-4.7.3-2]");
        assertRefused(
                () -> Wire.fromClient(V5, packet(0x30, "a/+", 0)), ReasonCode.TOPIC_NAME_INVALID, "[MQTT-3.3.2-2]");
        assertRefused(
                () -> Wire.fromClient(V3_1_1, packet(0x30, "#")), ReasonCode.TOPIC_NAME_INVALID, "[MQTT-3.3.2-2]");
    }

    @Test
    void shouldRefuseWrongProperties() {
        assertProtocolError(V5, packet(0x30, "t", sized(0x0B, 1)), "[MQTT-3.3.4-6]");
        assertProtocolError(V5, packet(0x30, "t", sized(0x08, "a/#")), "[MQTT-3.3.2-14]");
        assertMalformed(V5, packet(0x30, "t", sized(0x08, bytes(0, 1, 0xFF))), "[MQTT-1.5.4-1]"); // [MQTT-3.3.2-13]
        assertMalformed(V5, packet(0x30, "t", sized(0x03, bytes(0, 1, 0xFF))), "[MQTT-1.5.4-1]"); // [MQTT-3.3.2-19]
        assertMalformed(V5, packet(0x30, "t", sized(0x26, "k", bytes(0, 1, 0xFF))), "[MQTT-1.5.4-1]"); // [MQTT-1.5.7-1]
        assertMalformed(V5, packet(0x30, "t", sized(0x26, bytes(0, 1, 0xFF), "v")), "[MQTT-1.5.4-1]"); // [MQTT-1.5.7-1]
        assertProtocolError(V5, packet(0x30, "t", sized(0x01, 2)), "PAYLOAD_FORMAT_INDICATOR is neither 0 nor 1");
        assertRefused(
                () -> Wire.fromClient(V5, packet(0x30, "t", sized(0x23, 0, 0))), // [MQTT-3.3.2-8]
                ReasonCode.TOPIC_ALIAS_INVALID,
                "TOPIC_ALIAS is 0");
    }

    @Test
    void shouldCheckTextPayloads() {
        byte[] ill = packet(0x30, "t", sized(0x01, 1), 0xC3);
        assertRefused(() -> Wire.fromClient(V5, ill), ReasonCode.PAYLOAD_FORMAT_INVALID, "payload is not the UTF-8");
    }

    @Test
    void shouldAcceptNullInTextPayloadsAndAnythingInOthers() throws MalformedPacketException {
        Publish text = (Publish) Wire.fromClient(V5, packet(0x30, "t", sized(0x01, 1), 0));
        Publish binary = (Publish) Wire.fromClient(V5, packet(0x30, "t", sized(0x01, 0), 0xC3));
        assertThat(text.payload()).isEqualTo(bytes(0));
        assertThat(binary.payload()).isEqualTo(bytes(0xC3));
    }

    @Test
    void shouldReadSubscriptionIdentifiersOfServers() throws MalformedPacketException {
        Publish publish = (Publish) Wire.fromServer(V5, packet(0x30, "t", sized(0x0B, 5, 0x0B, 0x80, 1, 0x0B, 5)));
        assertThat(publish.subscriptionIdentifiers()).containsExactly(5, 128, 5);
        assertThat(publish.properties()).isSameAs(MessageProperties.NONE);
    }

    @Test
    void shouldAllocateNothingWithoutProperties() throws MalformedPacketException {
        // given
        byte[] qos0 = bytes("some/topic", 0, new byte[32]);
        byte[] qos2 = bytes("some/topic", 0, 1, 0, new byte[32]);
        decodeBoth(qos0, qos2);
        long before = Allocations.bytesOfThisThread();

        // when
        decodeBoth(qos0, qos2);

        // then: less than one object for each round; what remains is the measurement's
        assertThat(Allocations.bytesOfThisThread() - before).isLessThan(4096);
    }

    private void decodeBoth(byte[] qos0, byte[] qos2) throws MalformedPacketException {
        for (int i = 0; i < 10_000; i++) {
            PublishDecoder.decode(0x30, qos0, 0, qos0.length, V5, view);
            PublishDecoder.decode(0x30, qos0, 0, qos0.length, V3_1_1, view);
            PublishDecoder.decode(0x34, qos2, 0, qos2.length, V5, view);
            PublishDecoder.validateTopicName(qos0, view.topicOffset(), view.topicLength());
        }
    }
}
