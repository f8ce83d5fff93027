package dev.avocet.core.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class TopicNameTest {
    /** Two words and a part of a third one. */
    private static final int LONGEST = 21;

    @ParameterizedTest
    @CsvSource({"a, 1", "/, 2", "a/b//c, 4", "devices/7/temperature, 3", "/seven//, 4", "Straße/7, 2", "////////, 9"})
    void shouldCountLevelsWithTheEmptyOnes(String text, int levels) {
        assertThat(TopicName.of(text).levels()).isEqualTo(levels);
    }

    @ParameterizedTest
    @ValueSource(strings = {"+", "#", "a/+", "devices/#", "devices/+/temperature", "a\0b", ""})
    void shouldRefuseWildcardsAndWhatIsNoName(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);

        assertThat(TopicName.ifPlain(utf8)).isNull();
        assertThatThrownBy(() -> TopicName.of(text)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> TopicName.ofUtf8(utf8)).isInstanceOf(IllegalArgumentException.class);
    }

    /** Each byte at each place of a name of each length: the look at eight bytes at once says what one at each does. */
    @Test
    void shouldTakeAPlainNameForWhatItIsWhereverAnotherByteStands() {
        Random random = new Random(1);
        for (int length = 1; length <= LONGEST; length++) {
            for (int at = 0; at < length; at++) {
                for (int value = Byte.MIN_VALUE; value <= Byte.MAX_VALUE; value++) {
                    // given
                    byte[] utf8 = printable(length, random);
                    utf8[at] = (byte) value;

                    // when
                    TopicName plain = TopicName.ifPlain(utf8);

                    // then
                    boolean expected = value >= ' ' && value < 0x7F && value != '+' && value != '#';
                    assertThat(plain != null)
                            .as("byte %d at %d of %d", value, at, length)
                            .isEqualTo(expected);
                    if (plain != null) {
                        assertThat(plain.levels()).isEqualTo(1 + slashes(utf8));
                        assertThat(plain.hasDisallowedCharacters()).isFalse();
                        assertThat(plain.text()).isEqualTo(new String(utf8, StandardCharsets.US_ASCII));
                    }
                }
            }
        }
    }

    @Test
    void shouldHaveAsManyLevelsAsTheLongestNameHasSlashes() {
        String text = "/".repeat(TopicName.MAX_BYTES);

        assertThat(TopicName.of(text).levels()).isEqualTo(TopicName.MAX_BYTES + 1);
        assertThatThrownBy(() -> TopicName.of(text + "/"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("65536");
    }

    private static byte[] printable(int length, Random random) {
        byte[] utf8 = new byte[length];
        for (int i = 0; i < length; i++) {
            utf8[i] = (byte) "/09AZaz~ ".charAt(random.nextInt(9));
        }
        return utf8;
    }

    private static int slashes(byte[] utf8) {
        int count = 0;
        for (byte each : utf8) {
            if (each == '/') {
                count++;
            }
        }
        return count;
    }
}
