package dev.avocet.bench.mqtt.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PacketReaderTest {
    private final List<Integer> lengths = new ArrayList<>();
    private final PacketHandler handler = (firstByte, array, from, to) -> lengths.add(to - from);

    @Test
    void shouldFindPacketsWhereverTheBytesEnd() {
        // given packets whose remaining length has one, two and three bytes
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int length : new int[] {0, 127, 128, 16_383, 16_384}) {
            byte[] packet = new byte[5 + length];
            packet[0] = 0x30;
            int end = VariableByteInteger.write(packet, 1, length) + length;
            out.write(packet, 0, end);
            assertThat(VariableByteInteger.sizeBytes(length)).isEqualTo(end - length - 1);
        }
        byte[] bytes = out.toByteArray();

        // when they come in two pieces, cut anywhere
        for (int cut = 0; cut <= bytes.length; cut += cut < 600 ? 1 : 997) {
            lengths.clear();
            int used = PacketReader.read(bytes, cut, handler);
            byte[] rest = Arrays.copyOfRange(bytes, used, bytes.length);
            int usedThen = PacketReader.read(rest, rest.length, handler);

            // then all are there
            assertThat(usedThen).isEqualTo(rest.length);
            assertThat(lengths).containsExactly(0, 127, 128, 16_383, 16_384);
        }
    }

    @Test
    void shouldRefuseALengthWithoutEnd() {
        byte[] bytes = {0x30, -1, -1, -1, -1, 1};

        assertThatThrownBy(() -> PacketReader.read(bytes, bytes.length, handler))
                .isInstanceOf(MalformedPacketException.class);
    }

    @Test
    void shouldReadTheReceiveMaximumAmongOtherProperties() {
        byte[] connack = {0, 0, 13, 0x24, 1, 0x1F, 0, 1, 'x', 0x21, 0, 20, 0x22, 0, 10, 0};

        assertThat(Connack.read(5, connack, 0, connack.length)).isEqualTo(new Connack(false, 0, 20));
        assertThat(Connack.read(4, new byte[] {0, 5}, 0, 2)).isEqualTo(new Connack(false, 5, 65535));
        assertThatThrownBy(() -> Connack.read(4, new byte[1], 0, 1)).isInstanceOf(MalformedPacketException.class);
    }
}
