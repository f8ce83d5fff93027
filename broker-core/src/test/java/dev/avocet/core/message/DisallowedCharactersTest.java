package dev.avocet.core.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class DisallowedCharactersTest {
    @Test
    void shouldFindExactlyWhatTheStandardLists() {
        for (int codePoint = 1; codePoint <= Character.MAX_CODE_POINT; codePoint++) {
            if (codePoint < Character.MIN_SURROGATE || codePoint > Character.MAX_SURROGATE) {
                int expected = isListed(codePoint) ? codePoint : DisallowedCharacters.NONE;
                String character = Character.toString(codePoint);
                assertThat(DisallowedCharacters.firstIn(character)).isEqualTo(expected);
                assertThat(DisallowedCharacters.firstIn("sensors/" + character + "\u00E9/temperature"))
                        .isEqualTo(expected);
            }
        }
    }

    @Test
    void shouldFindTheFirstWhereverItIs() {
        for (int length = 0; length < 40; length++) {
            String plain = "~ 0az/\u00A0".repeat(6).substring(0, length);
            assertThat(DisallowedCharacters.firstIn(plain)).isEqualTo(DisallowedCharacters.NONE);
            for (int at = 0; at <= length; at++) {
                String text = plain.substring(0, at) + '\u001B' + plain.substring(at) + '\u0002';
                assertThat(DisallowedCharacters.firstIn(text)).isEqualTo(0x1B);
            }
        }
    }

    @Test
    void shouldFindTheOnlyOneAtEveryPlaceOfTextsOfEveryLength() {
        for (int length = 0; length < 26; length++) {
            String plain = "a topic/of some length/and more".substring(0, length);
            assertThat(DisallowedCharacters.firstIn(plain)).isEqualTo(DisallowedCharacters.NONE);
            for (int at = 0; at <= length; at++) {
                for (String found : new String[] {"\u0001", "\u007F", "\u009F", "\uFFFF"}) {
                    String text = plain.substring(0, at) + found + plain.substring(at);
                    assertThat(DisallowedCharacters.firstIn(text)).isEqualTo(found.charAt(0));
                }
            }
        }
    }

    @Test
    void shouldLookAtNothingElseInTheArray() {
        byte[] utf8 = "\u0001topic\u0002".getBytes(StandardCharsets.UTF_8);

        assertThat(DisallowedCharacters.firstIn(utf8, 1, utf8.length - 2)).isEqualTo(DisallowedCharacters.NONE);
    }

    @Test
    void shouldNameWhatItHasFound() {
        assertThat(DisallowedCharacters.describe(7)).isEqualTo("U+0007, a control character");
        assertThat(DisallowedCharacters.describe(0x1FFFF)).isEqualTo("U+1FFFF, a noncharacter");
    }

    private static boolean isListed(int codePoint) {
        return Character.isISOControl(codePoint)
                || (codePoint >= 0xFDD0 && codePoint <= 0xFDEF)
                || (codePoint & 0xFFFF) >= 0xFFFE;
    }
}
