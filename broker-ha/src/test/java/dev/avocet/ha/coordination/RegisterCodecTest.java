package dev.avocet.ha.coordination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

final class RegisterCodecTest {
    private static final Register REGISTER =
            Register.NONE.foundedBy("a", "store-1").with("b");

    /** What version 1 has written; every later version must read it. */
    private static final String VERSION_1 =
            "415652470100000000000000020000000000000001000161000773746f72652d3102000161000162a7f8b2be";

    @Test
    void shouldReadWhatWasWritten() throws CoordinationException {
        assertThat(RegisterCodec.decode(RegisterCodec.encode(REGISTER))).isEqualTo(REGISTER);
        assertThat(RegisterCodec.decode(RegisterCodec.encode(Register.NONE))).isEqualTo(Register.NONE);
    }

    @Test
    void shouldReadVersion1() throws CoordinationException {
        assertThat(RegisterCodec.decode(HexFormat.of().parseHex(VERSION_1))).isEqualTo(REGISTER);
    }

    @Test
    void shouldRefuseEachDamagedByte() {
        byte[] bytes = RegisterCodec.encode(REGISTER);
        for (int i = 0; i < bytes.length; i++) {
            byte[] damaged = bytes.clone();
            damaged[i] ^= 0x10;
            assertThatThrownBy(() -> RegisterCodec.decode(damaged))
                    .as("byte %d", i)
                    .isInstanceOf(CoordinationException.class);
        }
    }

    @Test
    void shouldRefuseOtherLengths() {
        byte[] bytes = RegisterCodec.encode(REGISTER);
        for (int length : new int[] {0, 1, 5, bytes.length - 1, bytes.length + 1, RegisterCodec.BYTES_MAX + 1}) {
            byte[] other = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> RegisterCodec.decode(other)).isInstanceOf(CoordinationException.class);
        }
    }

    @Test
    void shouldNameAVersionThatItDoesNotKnow() {
        byte[] bytes = RegisterCodec.encode(REGISTER);
        bytes[4] = 9;
        assertThatThrownBy(() -> RegisterCodec.decode(bytes)).hasMessageContaining("version 9");
    }
}
