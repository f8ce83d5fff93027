package dev.avocet.mqtt.codec;

import static dev.avocet.mqtt.codec.Refusals.assertMalformed;
import static dev.avocet.mqtt.codec.Refusals.assertProtocolError;
import static dev.avocet.mqtt.codec.Wire.bytes;
import static dev.avocet.mqtt.codec.Wire.packet;
import static dev.avocet.mqtt.codec.Wire.sized;
import static dev.avocet.mqtt.packet.ProtocolVersion.V3_1;
import static dev.avocet.mqtt.packet.ProtocolVersion.V3_1_1;
import static dev.avocet.mqtt.packet.ProtocolVersion.V5;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.message.UserProperty;
import dev.avocet.mqtt.codec.field.MalformedPacketException;
import dev.avocet.mqtt.codec.field.PacketWriter;
import dev.avocet.mqtt.packet.Acknowledgement;
import dev.avocet.mqtt.packet.Auth;
import dev.avocet.mqtt.packet.Packet;
import dev.avocet.mqtt.packet.PacketType;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.PubAck;
import dev.avocet.mqtt.packet.PubComp;
import dev.avocet.mqtt.packet.PubRec;
import dev.avocet.mqtt.packet.PubRel;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.packet.SubAck;
import dev.avocet.mqtt.packet.UnsubAck;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AcknowledgementCodecTest {
    @ParameterizedTest
    @CsvSource({"PUBACK, 0x40, 0x10", "PUBREC, 0x50, 0x97", "PUBREL, 0x62, 0x92", "PUBCOMP, 0x70, 0x92"})
    void shouldReadAndWriteAllForms(PacketType type, int header, int reason) throws MalformedPacketException {
        // given
        ReasonCode reasonCode = ReasonCode.of(reason);
        List<UserProperty> user = List.of(new UserProperty("k", "v"));

        // then
        for (ProtocolVersion version : ProtocolVersion.values()) {
            assertBothWays(
                    version,
                    bytes(header, 2, 0x12, 0x34), // packet identifier
                    Acknowledgement.of(type, 0x1234, ReasonCode.SUCCESS, null, List.of()));
        }
        assertBothWays(
                V5,
                bytes(header, 3, 0, 9, reason), // packet identifier, reason code
                Acknowledgement.of(type, 9, reasonCode, null, List.of()));
        assertBothWays(
                V5,
                packet(
                        header,
                        bytes(0, 9), // packet identifier
                        reason, // reason code
                        sized(
                                bytes(0x1F, "why"), // reason string
                                bytes(0x26, "k", "v"))), // user property
                Acknowledgement.of(type, 9, reasonCode, "why", user));
    }

    private static void assertBothWays(ProtocolVersion version, byte[] packet, Acknowledgement record)
            throws MalformedPacketException {
        assertThat(Wire.fromClient(version, packet)).isEqualTo(record);
        assertThat(Wire.fromServer(version, packet)).isEqualTo(record);
        assertThat(Wire.encode(version, record)).isEqualTo(packet);
    }

    @ParameterizedTest
    @CsvSource({"PUBACK, 0x40, 0x87", "PUBREC, 0x50, 0x97", "PUBREL, 0x62, 0x92", "PUBCOMP, 0x70, 0x92"})
    void shouldWriteWithoutARecord(PacketType type, int header, int reason) {
        // given
        PacketWriter out = new PacketWriter(0, 100);

        // when
        PacketEncoder.encodeAcknowledgement(V3_1_1, type, 0x1234, ReasonCode.of(reason), out);
        PacketEncoder.encodeAcknowledgement(V5, type, 0x1234, ReasonCode.SUCCESS, out);
        PacketEncoder.encodeAcknowledgement(V5, type, 0x1234, ReasonCode.of(reason), out);

        // then
        assertThat(out.toByteArray())
                .isEqualTo(bytes(
                        bytes(header, 2, 0x12, 0x34),
                        bytes(header, 2, 0x12, 0x34),
                        bytes(header, 3, 0x12, 0x34, reason)));
    }

    @ParameterizedTest
    @CsvSource({"0x40", "0x50", "0x62", "0x70"})
    void shouldRefuseWhatIsWrong(int header) {
        assertMalformed(V5, packet(header, 0), "packet identifier");
        assertProtocolError(V5, packet(header, 0, 0), "[MQTT-2.2.1-3]");
        assertMalformed(V5, packet(header ^ 1, 0, 1), "[MQTT-2.1.3-1]");
        assertMalformed(V3_1_1, packet(header ^ 2, 0, 1), "[MQTT-2.1.3-1]"); // [MQTT-3.6.1-1]
        // [MQTT-3.4.2-1] [MQTT-3.5.2-1] [MQTT-3.6.2-1] [MQTT-3.7.2-1]
        assertProtocolError(V5, packet(header, 0, 1, 0x8E), "not a reason code");
        assertProtocolError(V5, packet(header, 0, 1, 0xFF), "not a reason code");
        assertMalformed(V5, packet(header, 0, 1, 0, 1), "property section");
        assertMalformed(V5, packet(header, 0, 1, 0, 0, 0), "left at the end");
        assertMalformed(V3_1_1, packet(header, 0, 1, 0), "left at the end");
        assertMalformed(V5, packet(header, 0, 1, 0, sized(0x11, 0, 0, 0, 1)), "is not allowed here");
        assertProtocolError(V5, packet(header, 0, 1, 0, sized(0x1F, "a", 0x1F, "b")), "more than once");
    }

    @ParameterizedTest
    @CsvSource({"0x42", "0x6A"})
    void shouldForgiveUnusedFlagsInVersion31(int header) throws MalformedPacketException {
        Acknowledgement packet = (Acknowledgement) Wire.fromClient(V3_1, packet(header, 0, 1));
        assertThat(packet.packetId()).isEqualTo(1);
    }

    /**
     * [MQTT-3.4.2-2] [MQTT-3.4.2-3] [MQTT-3.5.2-2] [MQTT-3.5.2-3] [MQTT-3.6.2-2] [MQTT-3.6.2-3] [MQTT-3.7.2-2]
     * [MQTT-3.7.2-3] [MQTT-3.9.2-1] [MQTT-3.9.2-2] [MQTT-3.11.2-1] [MQTT-3.11.2-2] [MQTT-3.15.2-2] [MQTT-3.15.2-3]
     */
    @Test
    void shouldLeaveOutDiagnosticsThatMakeAPacketTooLarge() {
        List<UserProperty> user = List.of(new UserProperty("k", "v"));
        List<ReasonCode> reasons = List.of(ReasonCode.NOT_AUTHORIZED);
        assertShortened(new PubAck(1, ReasonCode.NOT_AUTHORIZED, "why", user), 5);
        assertShortened(new PubRec(1, ReasonCode.NOT_AUTHORIZED, "why", user), 5);
        assertShortened(new PubRel(1, ReasonCode.SUCCESS, "why", user), 4);
        assertShortened(new PubComp(1, ReasonCode.SUCCESS, "why", user), 4);
        assertShortened(new SubAck(1, reasons, "why", user), 6);
        assertShortened(new UnsubAck(1, reasons, "why", user), 6);
        assertShortened(new Auth(ReasonCode.SUCCESS, "M", null, "why", user), 8);
    }

    private static void assertShortened(Packet packet, int shortLength) {
        int wholeLength = Wire.encode(V5, packet).length;
        PacketWriter out = new PacketWriter(0, 100);
        assertThat(PacketEncoder.encode(V5, packet, out, wholeLength)).isEqualTo(wholeLength);
        assertThat(PacketEncoder.encode(V5, packet, out, wholeLength - 1)).isEqualTo(shortLength);
        assertThat(PacketEncoder.encode(V5, packet, out, shortLength)).isEqualTo(shortLength);
        assertThat(PacketEncoder.encode(V5, packet, out, shortLength - 1)).isZero();
        assertThat(out.position()).isEqualTo(wholeLength + 2 * shortLength);
    }
}
