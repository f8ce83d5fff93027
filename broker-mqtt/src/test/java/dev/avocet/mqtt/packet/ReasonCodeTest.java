package dev.avocet.mqtt.packet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ReasonCodeTest {
    @Test
    void shouldKnowItsNumber() {
        for (ReasonCode reasonCode : ReasonCode.values()) {
            assertThat(ReasonCode.of(reasonCode.number())).isEqualTo(reasonCode);
            assertThat(reasonCode.isError()).isEqualTo(reasonCode.number() >= 0x80);
        }
        assertThat(ReasonCode.values()).hasSize(43);
        assertThat(ReasonCode.of(3)).isNull();
        assertThat(ReasonCode.of(-1)).isNull();
        assertThat(ReasonCode.of(256)).isNull();
    }

    /** As many as in table 2-6, which lists 0x8C for DISCONNECT where section 3.14.2.1 does not. */
    @Test
    void shouldBeAllowedWhereTheStandardListsIt() {
        assertAllowed(PacketType.CONNACK, 22);
        assertAllowed(PacketType.PUBACK, 9);
        assertAllowed(PacketType.PUBREC, 9);
        assertAllowed(PacketType.PUBREL, 2);
        assertAllowed(PacketType.PUBCOMP, 2);
        assertAllowed(PacketType.SUBACK, 12);
        assertAllowed(PacketType.UNSUBACK, 7);
        assertAllowed(PacketType.DISCONNECT, 30);
        assertAllowed(PacketType.AUTH, 3);
        assertAllowed(PacketType.PUBLISH, 0);
    }

    private static void assertAllowed(PacketType packet, int codes) {
        assertThat(Arrays.stream(ReasonCode.values()).filter(reasonCode -> reasonCode.isAllowedIn(packet)))
                .as("reason codes of %s", packet)
                .hasSize(codes);
    }

    @Test
    void shouldHaveAReturnCodeBeforeVersion5() {
        for (int returnCode = 0; returnCode <= 5; returnCode++) {
            ReasonCode reasonCode = ReasonCode.ofConnackReturnCode(returnCode);
            assertThat(reasonCode.connackCode(ProtocolVersion.V3_1_1)).isEqualTo(returnCode);
            assertThat(reasonCode.connackCode(ProtocolVersion.V5)).isEqualTo(reasonCode.number());
        }
        assertThat(ReasonCode.ofConnackReturnCode(6)).isNull();
        assertThat(ReasonCode.SERVER_BUSY.connackCode(ProtocolVersion.V3_1)).isEqualTo(3);
        assertThat(ReasonCode.PROTOCOL_ERROR.connackCode(ProtocolVersion.V3_1_1))
                .isEqualTo(ReasonCode.NO_CODE);
    }
}
