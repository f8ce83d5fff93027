package dev.avocet.mqtt.codec;

import static dev.avocet.core.message.QualityOfService.AT_LEAST_ONCE;
import static dev.avocet.core.message.QualityOfService.AT_MOST_ONCE;
import static dev.avocet.core.message.QualityOfService.EXACTLY_ONCE;
import static dev.avocet.mqtt.codec.Wire.bytes;
import static dev.avocet.mqtt.codec.Wire.packet;
import static dev.avocet.mqtt.codec.Wire.sized;
import static dev.avocet.mqtt.packet.ProtocolVersion.V3_1_1;
import static dev.avocet.mqtt.packet.ProtocolVersion.V5;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.mqtt.codec.field.MqttMessageProperties;
import dev.avocet.mqtt.codec.field.PacketWriter;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.Publish;
import org.junit.jupiter.api.Test;

class PublishEncoderTest {
    private static final byte[] TOPIC = {'a', '/', 'b'};
    private static final byte[] PAYLOAD = {1, 2, 3};
    private static final int[] NO_IDENTIFIERS = DeliveryOptions.NO_IDENTIFIERS;
    private static final MessageProperties PROPERTIES = MqttMessageProperties.builder()
            .contentType("text/plain")
            .userProperty("k", "v")
            .build();

    private final PacketWriter out = new PacketWriter(0, 1000);

    @Test
    void shouldWriteEveryFieldOfVersion5() {
        // when
        int length =
                encode(V5, true, EXACTLY_ONCE, true, TOPIC, 0x1234, 7, 600, PROPERTIES, new int[] {1, 300}, PAYLOAD);

        // then
        assertThat(out.toByteArray())
                .isEqualTo(packet(
                        0b0011_1101, // PUBLISH, DUP, QoS 2, RETAIN
                        "a/b", // topic name
                        bytes(0x12, 0x34), // packet identifier
                        sized(
                                bytes(0x23, 0, 7), // topic alias
                                bytes(0x02, 0, 0, 2, 0x58), // message expiry interval
                                bytes(0x0B, 1), // subscription identifier
                                bytes(0x0B, 0xAC, 2), // subscription identifier
                                bytes(0x03, "text/plain"), // content type
                                bytes(0x26, "k", "v")), // user property
                        PAYLOAD));
        assertThat(length).isEqualTo(out.position());
    }

    @Test
    void shouldWriteThePlainPacketOfEachVersion() {
        encode(V3_1_1, false, AT_MOST_ONCE, false, TOPIC, 0, 0, -1, MessageProperties.NONE, NO_IDENTIFIERS, PAYLOAD);
        encode(V5, false, AT_LEAST_ONCE, false, TOPIC, 2, 0, -1, MessageProperties.NONE, NO_IDENTIFIERS, PAYLOAD);
        assertThat(out.toByteArray())
                .isEqualTo(bytes(packet(0x30, "a/b", PAYLOAD), packet(0x32, "a/b", 0, 2, 0, PAYLOAD)));
    }

    @Test
    void shouldLeaveOutWhatOlderVersionsCannotSay() {
        encode(V3_1_1, false, AT_LEAST_ONCE, false, TOPIC, 2, 7, 600, PROPERTIES, new int[] {1}, PAYLOAD);
        assertThat(out.toByteArray()).isEqualTo(packet(0x32, "a/b", 0, 2, PAYLOAD));
    }

    /** [MQTT-3.3.1-2] [MQTT-2.2.1-2] */
    @Test
    void shouldWriteNeitherDupNorPacketIdentifierAtQos0() {
        encode(V3_1_1, true, AT_MOST_ONCE, false, TOPIC, 5, 0, -1, MessageProperties.NONE, NO_IDENTIFIERS, PAYLOAD);
        assertThat(out.toByteArray()).isEqualTo(packet(0x30, "a/b", PAYLOAD));
    }

    @Test
    void shouldWriteForeignPropertiesFromTheirAccessors() {
        encode(
                V5,
                false,
                AT_MOST_ONCE,
                false,
                TOPIC,
                0,
                0,
                -1,
                new ForeignProperties("text/plain", "reply", "k", "v"),
                NO_IDENTIFIERS,
                PAYLOAD);
        assertThat(out.toByteArray())
                .isEqualTo(packet(
                        0x30,
                        "a/b",
                        sized(0x01, 1, 0x03, "text/plain", 0x08, "reply", 0x09, bytes(0, 1, 9), 0x26, "k", "v"),
                        PAYLOAD));
    }

    @Test
    void shouldKnowTheSizeBeforehand() {
        for (ProtocolVersion version : ProtocolVersion.values()) {
            for (QualityOfService qos : QualityOfService.values()) {
                for (int payloadLength : new int[] {0, 1, 80, 127, 128, 16_384, 2_097_152}) {
                    PacketWriter writer = new PacketWriter(0, 3_000_000);
                    byte[] payload = new byte[payloadLength];
                    int[] identifiers = {1, 128};
                    long predicted = PublishEncoder.encodedSizeBytes(
                            version, qos, TOPIC.length, 7, 600, PROPERTIES, identifiers, payloadLength);
                    int length = PublishEncoder.encode(
                            writer, version, false, qos, false, TOPIC, 1, 7, 600, PROPERTIES, identifiers, payload);
                    assertThat(predicted).isEqualTo(length).isEqualTo(writer.position());
                }
            }
        }
    }

    @Test
    void shouldKnowThatAPacketIsLongerThanMqttAllows() {
        assertThat(PublishEncoder.encodedSizeBytes(
                        V3_1_1, AT_MOST_ONCE, 3, 0, -1, MessageProperties.NONE, NO_IDENTIFIERS, Integer.MAX_VALUE))
                .isGreaterThan(PacketFramer.MAX_PACKET_SIZE_BYTES);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> encode(
                        V3_1_1,
                        false,
                        AT_MOST_ONCE,
                        false,
                        new byte[65_536],
                        0,
                        0,
                        -1,
                        MessageProperties.NONE,
                        NO_IDENTIFIERS,
                        PAYLOAD));
    }

    @Test
    void shouldWriteNothingWhenTheWriterIsFull() {
        assertThatIllegalStateException()
                .isThrownBy(() -> encode(
                        V3_1_1,
                        false,
                        AT_MOST_ONCE,
                        false,
                        TOPIC,
                        0,
                        0,
                        Publish.NO_EXPIRY,
                        MessageProperties.NONE,
                        NO_IDENTIFIERS,
                        new byte[1000]));
        assertThat(out.position()).isZero();
    }

    private int encode(
            ProtocolVersion version,
            boolean dup,
            QualityOfService qos,
            boolean retain,
            byte[] topic,
            int packetId,
            int alias,
            long expirySeconds,
            MessageProperties properties,
            int[] identifiers,
            byte[] payload) {
        return PublishEncoder.encode(
                out,
                version,
                dup,
                qos,
                retain,
                topic,
                packetId,
                alias,
                expirySeconds,
                properties,
                identifiers,
                payload);
    }
}
