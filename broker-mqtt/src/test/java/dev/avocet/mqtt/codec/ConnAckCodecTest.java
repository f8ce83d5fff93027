package dev.avocet.mqtt.codec;

import static dev.avocet.mqtt.codec.Refusals.assertRefused;
import static dev.avocet.mqtt.codec.Wire.bytes;
import static dev.avocet.mqtt.codec.Wire.packet;
import static dev.avocet.mqtt.codec.Wire.sized;
import static dev.avocet.mqtt.packet.ProtocolVersion.V3_1;
import static dev.avocet.mqtt.packet.ProtocolVersion.V3_1_1;
import static dev.avocet.mqtt.packet.ProtocolVersion.V5;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.UserProperty;
import dev.avocet.mqtt.codec.field.MalformedPacketException;
import dev.avocet.mqtt.codec.field.PacketWriter;
import dev.avocet.mqtt.packet.ConnAck;
import dev.avocet.mqtt.packet.ReasonCode;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConnAckCodecTest {
    private static final ConnAck EVERYTHING = ConnAck.builder(ReasonCode.SUCCESS)
            .sessionPresent(true)
            .sessionExpiryIntervalSeconds(0xFFFF_FFFFL)
            .receiveMaximum(10)
            .maximumQos(QualityOfService.AT_LEAST_ONCE)
            .retainAvailable(false)
            .maximumPacketSizeBytes(1000)
            .assignedClientIdentifier("x")
            .topicAliasMaximum(3)
            .reasonString("why")
            .userProperties(List.of(new UserProperty("k", "v")))
            .wildcardSubscriptionAvailable(false)
            .subscriptionIdentifiersAvailable(false)
            .sharedSubscriptionAvailable(false)
            .serverKeepAliveSeconds(30)
            .responseInformation("reply/x")
            .serverReference("other:1883")
            .authenticationMethod("SCRAM")
            .authenticationData(new byte[] {1, 2})
            .build();

    private static final byte[] EVERYTHING_ENCODED = packet(
            0x20,
            1, // session present
            0, // reason code
            sized(
                    bytes(0x11, 0xFF, 0xFF, 0xFF, 0xFF), // session expiry interval
                    bytes(0x21, 0, 10), // receive maximum
                    bytes(0x27, 0, 0, 3, 0xE8), // maximum packet size
                    bytes(0x22, 0, 3), // topic alias maximum
                    bytes(0x13, 0, 30), // server keep alive
                    bytes(0x24, 1), // maximum QoS
                    bytes(0x25, 0), // retain available
                    bytes(0x28, 0), // wildcard subscription available
                    bytes(0x29, 0), // subscription identifier available
                    bytes(0x2A, 0), // shared subscription available
                    bytes(0x12, "x"), // assigned client identifier
                    bytes(0x1A, "reply/x"), // response information
                    bytes(0x1C, "other:1883"), // server reference
                    bytes(0x15, "SCRAM"), // authentication method
                    bytes(0x16, 0, 2, 1, 2), // authentication data
                    bytes(0x1F, "why"), // reason string
                    bytes(0x26, "k", "v"))); // user property

    @Test
    void shouldWriteEveryPropertyOfVersion5() {
        assertThat(Wire.encode(V5, EVERYTHING)).isEqualTo(EVERYTHING_ENCODED);
    }

    @Test
    void shouldReadEveryPropertyOfVersion5() throws MalformedPacketException {
        assertThat(Wire.fromServer(V5, EVERYTHING_ENCODED))
                .usingRecursiveComparison()
                .isEqualTo(EVERYTHING);
    }

    @Test
    void shouldWriteOnlyWhatDiffersFromTheDefault() {
        assertThat(Wire.encode(V5, ConnAck.builder(ReasonCode.SUCCESS).build())).isEqualTo(bytes(0x20, 3, 0, 0, 0));
    }

    @Test
    void shouldWriteTheOlderVersions() {
        ConnAck present =
                ConnAck.builder(ReasonCode.SUCCESS).sessionPresent(true).build();
        ConnAck refusal = ConnAck.builder(ReasonCode.BANNED).reasonString("x").build();
        assertThat(Wire.encode(V3_1_1, present)).isEqualTo(bytes(0x20, 2, 1, 0));
        assertThat(Wire.encode(V3_1, present)).as("reserved byte").isEqualTo(bytes(0x20, 2, 0, 0));
        assertThat(Wire.encode(V3_1_1, refusal)).isEqualTo(bytes(0x20, 2, 0, 5));
    }

    @Test
    void shouldReadTheReturnCodesOfTheOlderVersions() throws MalformedPacketException {
        ConnAck refusal = (ConnAck) Wire.fromServer(V3_1_1, bytes(0x20, 2, 0, 4));
        assertThat(refusal.reasonCode()).isEqualTo(ReasonCode.BAD_USER_NAME_OR_PASSWORD);
    }

    @Test
    void shouldNotWriteAReasonThatAnOlderVersionHasNoCodeFor() {
        // given
        PacketWriter out = new PacketWriter(8, 100);
        out.writeByte(1);
        ConnAck refusal = ConnAck.builder(ReasonCode.MALFORMED_PACKET).build();

        // when
        assertThatIllegalArgumentException().isThrownBy(() -> PacketEncoder.encode(V3_1_1, refusal, out));

        // then
        assertThat(out.position()).isEqualTo(1);
    }

    @Test
    void shouldRefuseWhatNoServerMaySend() {
        assertRefusedConnAck(bytes(0x20, 3, 2, 0, 0), ReasonCode.MALFORMED_PACKET, "[MQTT-3.2.2-1]");
        assertRefusedConnAck(bytes(0x20, 3, 1, 0x87, 0), ReasonCode.PROTOCOL_ERROR, "[MQTT-3.2.2-6]");
        assertRefusedConnAck(
                bytes(0x20, 3, 0, 0x8E, 0), ReasonCode.PROTOCOL_ERROR, "not a reason code"); // [MQTT-3.2.2-8]
        assertRefusedConnAck(bytes(0x20, 2, 0, 0), ReasonCode.MALFORMED_PACKET, "property length");
        assertRefusedConnAck(packet(0x20, 0, 0, sized(0x24, 2)), ReasonCode.PROTOCOL_ERROR, "MAXIMUM_QOS");
        assertRefusedConnAck(packet(0x20, 0, 0, sized(0x16, "d")), ReasonCode.PROTOCOL_ERROR, "authentication");
        assertRefusedConnAck(bytes(0x20, 4, 0, 0, 0, 0), ReasonCode.MALFORMED_PACKET, "left at the end");
        assertRefused(
                () -> Wire.fromServer(V3_1_1, bytes(0x20, 2, 0, 6)), ReasonCode.PROTOCOL_ERROR, "not a return code");
        assertRefused(
                () -> Wire.fromClient(V5, bytes(0x20, 3, 0, 0, 0)), ReasonCode.PROTOCOL_ERROR, "came from a CLIENT");
    }

    private static void assertRefusedConnAck(byte[] packet, ReasonCode reasonCode, String reason) {
        assertRefused(() -> Wire.fromServer(V5, packet), reasonCode, reason);
    }

    /** [MQTT-3.2.2-19] [MQTT-3.2.2-20] [MQTT-3.1.2-24] */
    @Test
    void shouldLeaveOutDiagnosticsThatMakeThePacketTooLarge() {
        // given
        ConnAck talkative = ConnAck.builder(ReasonCode.NOT_AUTHORIZED)
                .reasonString("a long story")
                .build();
        PacketWriter out = new PacketWriter(8, 100);

        // then
        assertThat(PacketEncoder.encode(V5, talkative, out, 20)).isEqualTo(20);
        assertThat(PacketEncoder.encode(V5, talkative, out, 19)).isEqualTo(5);
        assertThat(PacketEncoder.encode(V5, talkative, out, 4)).isZero();
        assertThat(out.position()).isEqualTo(25);
    }
}
