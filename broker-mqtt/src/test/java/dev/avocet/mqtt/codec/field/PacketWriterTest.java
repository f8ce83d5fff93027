package dev.avocet.mqtt.codec.field;

import static dev.avocet.mqtt.codec.Wire.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.avocet.mqtt.codec.Wire;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PacketWriterTest {
    @Test
    void shouldGrowToTheLimitAndNoFurther() {
        // given
        PacketWriter out = new PacketWriter(1, 5);

        // when
        out.writeInt(0xFFFF_FFFFL);
        out.writeByte(0x12);

        // then
        assertThat(out.toByteArray()).isEqualTo(bytes(0xFF, 0xFF, 0xFF, 0xFF, 0x12));
        assertThat(out.remainingBytes()).isZero();
        assertThatIllegalStateException().isThrownBy(() -> out.writeByte(1));
        assertThat(out.position()).isEqualTo(5);
    }

    @Test
    void shouldGiveBackAnArrayThatGrew() {
        PacketWriter out = new PacketWriter(4, 100);
        out.writeBytes(new byte[50]);
        out.reset();
        assertThat(out.array()).hasSizeGreaterThanOrEqualTo(50);
        out.shrink();
        assertThat(out.array()).hasSize(4);
        assertThat(out.position()).isZero();
    }

    /** [MQTT-1.5.5-1] */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 127, 128, 16_383, 16_384, 2_097_151, 2_097_152, 268_435_455})
    void shouldWriteVariableByteIntegersInTheFewestBytes(int value) {
        // given
        PacketWriter out = new PacketWriter(0, 100);

        // when
        out.writeVarInt(value);

        // then
        long decoded = VarInt.decode(out.array(), 0, out.position());
        assertThat(VarInt.value(decoded)).isEqualTo(value);
        assertThat(VarInt.length(decoded)).isEqualTo(out.position()).isEqualTo(VarInt.size(value));
        assertThat(out.position() == 1 || out.array()[out.position() - 1] != 0).isTrue();
        assertThat(VarInt.decode(out.array(), 0, out.position() - 1)).isEqualTo(VarInt.TRUNCATED);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 127, 128, 16_383, 16_384, 2_097_151, 2_097_152})
    void shouldMakeRoomForALengthAfterwards(int length) {
        // given
        PacketWriter out = new PacketWriter(0, 3_000_000);
        out.writeByte(9);

        // when
        int from = out.openLength();
        byte[] content = new byte[length];
        Arrays.fill(content, (byte) 7);
        out.writeBytes(content);
        out.closeLength(from);

        // then
        assertThat(out.toByteArray()).isEqualTo(bytes(9, Wire.sized(content)));
    }

    @Test
    void shouldRefuseTextThatMqttCannotCarry() {
        PacketWriter out = new PacketWriter(0, 100_000);
        assertThatIllegalArgumentException().isThrownBy(() -> out.writeUtf8("a\0b")); // [MQTT-1.5.4-2]
        assertThatIllegalArgumentException().isThrownBy(() -> out.writeUtf8("x".repeat(65_536)));
        assertThatIllegalArgumentException().isThrownBy(() -> out.writeVarInt(268_435_456));
        assertThat(out.position()).isZero();
    }

    @Test
    void shouldForgetWhatWasCutOff() {
        PacketWriter out = new PacketWriter(0, 100);
        out.writeShort(0x1234);
        out.truncate(1);
        assertThat(out.toByteArray()).isEqualTo(bytes(0x12));
        assertThatIllegalArgumentException().isThrownBy(() -> out.truncate(2));
    }
}
