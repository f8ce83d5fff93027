package dev.avocet.amqp.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class TypeScanTest {
    private static final byte[] EMPTY_LISTS = {(byte) 0xE0, 2, (byte) 128, 0x45};

    @Test
    void shouldLetAFewElementsOfNoBytesThrough() throws AmqpException {
        byte[] list = listOfArrays(8);

        assertThat(TypeScan.end(list, 0, list.length)).isEqualTo(list.length);
    }

    /** Each array is small, and all together they would be a hundred times what came. */
    @Test
    void shouldCountElementsOfNoBytesOfAllArraysTogether() {
        byte[] list = listOfArrays(9);

        assertThatThrownBy(() -> TypeScan.end(list, 0, list.length))
                .isInstanceOf(AmqpException.class)
                .hasMessageContaining("more than 1024 elements that take no bytes");
    }

    private static byte[] listOfArrays(int count) {
        int contentBytes = count * EMPTY_LISTS.length;
        ByteBuffer list = ByteBuffer.allocate(9 + contentBytes)
                .put((byte) 0xD0)
                .putInt(4 + contentBytes)
                .putInt(count);
        for (int i = 0; i < count; i++) {
            list.put(EMPTY_LISTS);
        }
        return list.array();
    }
}
