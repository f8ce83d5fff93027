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

import dev.avocet.core.message.UserProperty;
import dev.avocet.mqtt.codec.field.MalformedPacketException;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.packet.UnsubAck;
import dev.avocet.mqtt.packet.Unsubscribe;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnsubscribeCodecTest {
    private static final List<UserProperty> USER = List.of(new UserProperty("k", "v"));

    @Test
    void shouldReadAndWriteVersion5() throws MalformedPacketException {
        // given
        byte[] packet = packet(
                0xA2,
                bytes(1, 0), // packet identifier
                sized(0x26, "k", "v"), // user property
                "a/#", // topic filter
                "b"); // topic filter
        Unsubscribe record = new Unsubscribe(256, List.of("a/#", "b"), USER);

        // then
        assertThat(Wire.fromClient(V5, packet)).isEqualTo(record);
        assertThat(Wire.encode(V5, record)).isEqualTo(packet);
    }

    @Test
    void shouldReadAndWriteTheOlderVersions() throws MalformedPacketException {
        byte[] packet = packet(0xA2, 1, 0, "a"); // packet identifier, topic filter
        assertThat(Wire.fromClient(V3_1_1, packet)).isEqualTo(new Unsubscribe(256, "a"));
        assertThat(Wire.fromClient(V3_1, packet(0xAA, 1, 0, "a"))).isEqualTo(new Unsubscribe(256, "a"));
        assertThat(Wire.encode(V3_1_1, new Unsubscribe(256, "a"))).isEqualTo(packet);
    }

    @Test
    void shouldRefuseWhatIsWrong() {
        assertMalformed(V5, packet(0xA0, 0, 1, 0, "a"), "[MQTT-2.1.3-1]"); // [MQTT-3.10.1-1]
        assertProtocolError(V5, packet(0xA2, 0, 0, 0, "a"), "[MQTT-2.2.1-3]");
        assertProtocolError(V5, packet(0xA2, 0, 1, 0), "[MQTT-3.10.3-2]");
        assertProtocolError(V3_1_1, packet(0xA2, 0, 1), "[MQTT-3.10.3-2]");
        assertMalformed(V5, packet(0xA2, 0, 1, 0, 0, 1, 0xFF), "[MQTT-1.5.4-1]"); // [MQTT-3.10.3-1]
        assertMalformed(V5, packet(0xA2, 0, 1, 0, "a", 0), "topic filter");
        assertMalformed(V5, packet(0xA2, 0, 1, sized(0x0B, 1), "a"), "is not allowed here");
    }

    @Test
    void shouldReadAndWriteTheAnswer() throws MalformedPacketException {
        // given
        byte[] packet = packet(
                0xB0,
                bytes(1, 0), // packet identifier
                sized(0x1F, "why", 0x26, "k", "v"), // reason string, user property
                bytes(0, 0x11)); // reason codes
        UnsubAck record =
                new UnsubAck(256, List.of(ReasonCode.SUCCESS, ReasonCode.NO_SUBSCRIPTION_EXISTED), "why", USER);

        // then
        assertThat(Wire.fromServer(V5, packet)).isEqualTo(record);
        assertThat(Wire.encode(V5, record)).isEqualTo(packet);
        assertThat(Wire.encode(V3_1_1, record)).isEqualTo(bytes(0xB0, 2, 1, 0));
        assertThat(Wire.fromServer(V3_1_1, bytes(0xB0, 2, 1, 0))).isEqualTo(new UnsubAck(256, List.of()));
    }

    @Test
    void shouldRefuseAWrongAnswer() {
        assertRefused(() -> Wire.fromServer(V5, packet(0xB0, 0, 1, 0)), ReasonCode.PROTOCOL_ERROR, "[MQTT-3.11.3-1]");
        assertRefused(
                () -> Wire.fromServer(V5, packet(0xB0, 0, 1, 0, 1)), // [MQTT-3.11.3-2]
                ReasonCode.PROTOCOL_ERROR,
                "not a reason code");
        assertRefused(
                () -> Wire.fromServer(V3_1_1, packet(0xB0, 0, 1, 0)), ReasonCode.MALFORMED_PACKET, "left at the end");
    }
}
