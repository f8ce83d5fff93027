package dev.avocet.mqtt.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.avocet.mqtt.codec.field.MalformedPacketException;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.ReasonCode;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Assertions on packets that must be refused. */
public final class Refusals {
    private Refusals() {}

    public static void assertRefused(ThrowingCallable decoding, ReasonCode reasonCode, String reason) {
        MalformedPacketException refusal = catchThrowableOfType(MalformedPacketException.class, decoding);
        assertThat(refusal).as("refusal").isNotNull();
        assertThat(refusal.reason()).contains(reason);
        assertThat(refusal.reasonCode()).isEqualTo(reasonCode);
        assertThat(refusal.getStackTrace()).isEmpty();
    }

    static void assertMalformed(ProtocolVersion version, byte[] packetOfClient, String reason) {
        assertRefused(() -> Wire.fromClient(version, packetOfClient), ReasonCode.MALFORMED_PACKET, reason);
    }

    static void assertProtocolError(ProtocolVersion version, byte[] packetOfClient, String reason) {
        assertRefused(() -> Wire.fromClient(version, packetOfClient), ReasonCode.PROTOCOL_ERROR, reason);
    }
}
