package dev.avocet.mqtt.codec;

import static dev.avocet.mqtt.codec.Refusals.assertMalformed;
import static dev.avocet.mqtt.codec.Refusals.assertProtocolError;
import static dev.avocet.mqtt.codec.Refusals.assertRefused;
import static dev.avocet.mqtt.codec.Wire.bytes;
import static dev.avocet.mqtt.codec.Wire.packet;
import static dev.avocet.mqtt.codec.Wire.sized;
import static dev.avocet.mqtt.packet.ProtocolVersion.V3_1_1;
import static dev.avocet.mqtt.packet.ProtocolVersion.V5;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.avocet.core.message.UserProperty;
import dev.avocet.mqtt.codec.field.MalformedPacketException;
import dev.avocet.mqtt.codec.field.PacketWriter;
import dev.avocet.mqtt.packet.Auth;
import dev.avocet.mqtt.packet.Disconnect;
import dev.avocet.mqtt.packet.PingReq;
import dev.avocet.mqtt.packet.PingResp;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.ReasonCode;
import java.util.List;
import org.junit.jupiter.api.Test;

/** PINGREQ, PINGRESP, DISCONNECT and AUTH. */
class SmallPacketsTest {
    private static final List<UserProperty> USER = List.of(new UserProperty("k", "v"));

    @Test
    void shouldReadAndWritePings() throws MalformedPacketException {
        for (ProtocolVersion version : ProtocolVersion.values()) {
            assertThat(Wire.fromClient(version, bytes(0xC0, 0))).isEqualTo(PingReq.INSTANCE);
            assertThat(Wire.fromServer(version, bytes(0xD0, 0))).isEqualTo(PingResp.INSTANCE);
            assertThat(Wire.encode(version, PingReq.INSTANCE)).isEqualTo(bytes(0xC0, 0));
            assertThat(Wire.encode(version, PingResp.INSTANCE)).isEqualTo(bytes(0xD0, 0));
        }
    }

    @Test
    void shouldRefuseWrongPings() {
        assertMalformed(V5, bytes(0xC0, 1, 0), "left at the end");
        assertMalformed(V5, bytes(0xC1, 0), "[MQTT-2.1.3-1]");
        assertProtocolError(V5, bytes(0xD0, 0), "came from a CLIENT");
    }

    @Test
    void shouldReadAndWriteDisconnect() throws MalformedPacketException {
        // given
        byte[] packet = packet(
                0xE0,
                0x04, // disconnect with will message
                sized(
                        bytes(0x11, 0, 0, 0, 9), // session expiry interval
                        bytes(0x1F, "why"), // reason string
                        bytes(0x26, "k", "v"), // user property
                        bytes(0x1C, "other"))); // server reference
        Disconnect record = new Disconnect(ReasonCode.DISCONNECT_WITH_WILL_MESSAGE, 9, "why", USER, "other");

        // then
        assertThat(Wire.fromClient(V5, packet)).isEqualTo(record);
        assertThat(Wire.encode(V5, record)).isEqualTo(packet);
        assertThat(Wire.encode(V3_1_1, record)).isEqualTo(bytes(0xE0, 0));
    }

    @Test
    void shouldReadAndWriteTheShortFormsOfDisconnect() throws MalformedPacketException {
        Disconnect normal = new Disconnect(ReasonCode.NORMAL_DISCONNECTION);
        Disconnect takenOver = new Disconnect(ReasonCode.SESSION_TAKEN_OVER);
        assertThat(Wire.fromClient(V3_1_1, bytes(0xE0, 0))).isEqualTo(normal);
        assertThat(Wire.fromClient(V5, bytes(0xE0, 0))).isEqualTo(normal);
        assertThat(Wire.fromServer(V5, bytes(0xE0, 1, 0x8E))).isEqualTo(takenOver);
        assertThat(Wire.encode(V5, normal)).isEqualTo(bytes(0xE0, 0));
        assertThat(Wire.encode(V5, takenOver)).isEqualTo(bytes(0xE0, 2, 0x8E, 0));
    }

    @Test
    void shouldRefuseWrongDisconnects() {
        assertMalformed(V5, bytes(0xE2, 0), "[MQTT-2.1.3-1]"); // [MQTT-3.14.1-1]
        assertMalformed(V3_1_1, bytes(0xE0, 1, 0), "left at the end");
        assertProtocolError(V5, bytes(0xE0, 1, 0x10), "not a reason code"); // [MQTT-3.14.2-1]
        assertMalformed(V5, bytes(0xE0, 2, 0, 1), "property section");
        assertMalformed(V5, bytes(0xE0, 3, 0, 0, 0), "left at the end");
        assertRefused(
                () -> Wire.fromServer(V5, packet(0xE0, 0, sized(0x11, 0, 0, 0, 1))),
                ReasonCode.PROTOCOL_ERROR,
                "[MQTT-3.14.2-2]");
    }

    /** [MQTT-3.14.2-3] [MQTT-3.14.2-4] */
    @Test
    void shouldLeaveOutDiagnosticsOfDisconnectThatMakeItTooLarge() {
        PacketWriter out = new PacketWriter(0, 100);
        Disconnect packet = new Disconnect(ReasonCode.USE_ANOTHER_SERVER, -1, "a long story", USER, "other");
        assertThat(PacketEncoder.encode(V5, packet, out, 20)).isEqualTo(12);
        assertThat(out.toByteArray()).isEqualTo(packet(0xE0, 0x9C, sized(0x1C, "other")));
    }

    @Test
    void shouldReadAndWriteAuth() throws MalformedPacketException {
        // given
        byte[] packet = packet(
                0xF0,
                0x18, // continue authentication
                sized(
                        bytes(0x15, "SCRAM"), // authentication method
                        bytes(0x16, 0, 2, 1, 2), // authentication data
                        bytes(0x1F, "why"), // reason string
                        bytes(0x26, "k", "v"))); // user property
        Auth record = new Auth(ReasonCode.CONTINUE_AUTHENTICATION, "SCRAM", new byte[] {1, 2}, "why", USER);

        // then
        assertThat(Wire.fromClient(V5, packet)).usingRecursiveComparison().isEqualTo(record);
        assertThat(Wire.encode(V5, record)).isEqualTo(packet);
    }

    @Test
    void shouldReadAndWriteTheShortFormOfAuth() throws MalformedPacketException {
        Auth record = new Auth(ReasonCode.SUCCESS, null, null, null, List.of());
        assertThat(Wire.fromServer(V5, bytes(0xF0, 0))).isEqualTo(record);
        assertThat(Wire.encode(V5, record)).isEqualTo(bytes(0xF0, 0));
    }

    @Test
    void shouldRefuseWrongAuths() {
        assertMalformed(V5, bytes(0xF1, 0), "[MQTT-2.1.3-1]"); // [MQTT-3.15.1-1]
        assertMalformed(V3_1_1, bytes(0xF0, 0), "reserved before MQTT 5");
        assertProtocolError(V5, bytes(0xF0, 2, 0x04, 0), "not a reason code"); // [MQTT-3.15.2-1]
        assertMalformed(V5, bytes(0xF0, 1, 0x18), "property length");
        assertProtocolError(V5, bytes(0xF0, 2, 0x18, 0), "no authentication method");
        assertMalformed(V5, packet(0xF0, 0x18, sized(0x15, "M"), 0), "left at the end");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Wire.encode(V3_1_1, new Auth(ReasonCode.SUCCESS, "M", null)));
    }

    @Test
    void shouldRefuseTheReservedPacketType() {
        assertRefused(
                () -> PacketDecoder.decode(Sender.CLIENT, V5, 0x00, new byte[0], 0, 0),
                ReasonCode.MALFORMED_PACKET,
                "type 0");
    }
}
