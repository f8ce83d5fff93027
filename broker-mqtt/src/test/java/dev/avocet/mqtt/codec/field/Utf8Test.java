package dev.avocet.mqtt.codec.field;

import static dev.avocet.mqtt.codec.Wire.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class Utf8Test {
    @Test
    void shouldAcceptEveryLengthOfSequence() {
        assertThat(isMqttString("a\u00e9\u20ac\ud83d\ude00 and some more ASCII".getBytes(StandardCharsets.UTF_8)))
                .isTrue();
    }

    /** [MQTT-1.5.4-1] */
    @Test
    void shouldRefuseWhatIsIllFormed() {
        assertThat(isMqttString(bytes(0x80))).as("continuation alone").isFalse();
        assertThat(isMqttString(bytes(0xC0, 0x80))).as("over-long U+0000").isFalse();
        assertThat(isMqttString(bytes(0xC1, 0xBF))).as("over-long").isFalse();
        assertThat(isMqttString(bytes(0xE0, 0x9F, 0xBF))).as("over-long").isFalse();
        assertThat(isMqttString(bytes(0xED, 0xA0, 0x80))).as("surrogate U+D800").isFalse();
        assertThat(isMqttString(bytes(0xED, 0xBF, 0xBF))).as("surrogate U+DFFF").isFalse();
        assertThat(isMqttString(bytes(0xF0, 0x8F, 0xBF, 0xBF))).as("over-long").isFalse();
        assertThat(isMqttString(bytes(0xF4, 0x90, 0x80, 0x80)))
                .as("above U+10FFFF")
                .isFalse();
        assertThat(isMqttString(bytes(0xF5, 0x80, 0x80, 0x80)))
                .as("above U+10FFFF")
                .isFalse();
        assertThat(isMqttString(bytes(0xC3))).as("cut off").isFalse();
        assertThat(isMqttString(bytes(0xE2, 0x82, 'a'))).as("not continued").isFalse();
    }

    /** [MQTT-1.5.4-2] */
    @Test
    void shouldRefuseABadByteAtEveryPlaceOfTextsOfEveryLength() {
        for (int length = 1; length < 26; length++) {
            for (int at = 0; at < length; at++) {
                byte[] text =
                        "a topic/of some length/and more".substring(0, length).getBytes(StandardCharsets.UTF_8);
                assertThat(isMqttString(text)).isTrue();
                for (int bad : new int[] {0, 0x80, 0xC3, 0xFF}) {
                    text[at] = (byte) bad;
                    assertThat(isMqttString(text)).isFalse();
                }
            }
        }
    }

    @Test
    void shouldRefuseNullAtEveryPlace() {
        for (int i = 0; i < 20; i++) {
            byte[] text = "twenty bytes of text".getBytes(StandardCharsets.UTF_8);
            text[i] = 0;
            assertThat(isMqttString(text)).isFalse();
            assertThat(Utf8.isWellFormed(text, 0, text.length)).isTrue();
        }
    }

    /**
     * Section 1.5.4 advises against sending some of these, but they are characters all the same; [MQTT-1.5.4-3] for
     * U+FEFF.
     */
    @Test
    void shouldAcceptControlCharactersAndNonCharactersAndTheByteOrderMark() {
        assertThat(isMqttString("\u0001\u001f\u007f\u009f\ufdd0\uffff\ufeff".getBytes(StandardCharsets.UTF_8)))
                .isTrue();
    }

    @Test
    void shouldFindWildcardsAtEveryPlace() {
        for (int i = 0; i < 20; i++) {
            byte[] text = "twenty bytes of text".getBytes(StandardCharsets.UTF_8);
            assertThat(Utf8.hasWildcard(text, 0, text.length)).isFalse();
            text[i] = (byte) (i % 2 == 0 ? '+' : '#');
            assertThat(Utf8.hasWildcard(text, 0, text.length)).isTrue();
            assertThat(Utf8.hasWildcard(text, 0, i)).isFalse();
            assertThat(Utf8.hasWildcard(text, i + 1, text.length - i - 1)).isFalse();
        }
    }

    @Property
    void shouldAgreeWithThePlatform(@ForAll("nearlyText") byte[] text) {
        boolean hasNull = false;
        for (byte b : text) {
            hasNull |= b == 0;
        }
        assertThat(Utf8.isWellFormed(text, 0, text.length)).isEqualTo(platformAccepts(text));
        assertThat(isMqttString(text)).isEqualTo(platformAccepts(text) && !hasNull);
    }

    /** Mostly bytes at the edges of the ranges, so that well-formed sequences do occur. */
    @Provide
    Arbitrary<byte[]> nearlyText() {
        Arbitrary<Integer> edges = Arbitraries.of(
                0, 1, 0x2F, 0x61, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2, 0xDF, 0xE0, 0xE1, 0xED, 0xEF,
                0xF0, 0xF1, 0xF4, 0xF5);
        Arbitrary<byte[]> noise =
                edges.map(Integer::byteValue).array(byte[].class).ofMaxSize(24);
        Arbitrary<byte[]> text = Arbitraries.strings()
                .withChars("abcdefgh/\u00e9\u20ac\ud7ff\ue000")
                .ofMaxLength(24)
                .map(each -> each.getBytes(StandardCharsets.UTF_8));
        return Arbitraries.oneOf(noise, text);
    }

    private static boolean platformAccepts(byte[] text) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(text));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    private static boolean isMqttString(byte[] text) {
        byte[] buf = bytes(0xFF, text, 0xBF);
        return Utf8.isMqttString(buf, 1, text.length);
    }
}
