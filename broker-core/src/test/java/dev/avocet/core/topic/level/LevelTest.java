package dev.avocet.core.topic.level;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Levels of up to eight bytes are compared by a number, longer ones by that and their bytes. */
final class LevelTest {
    private static final List<String> TEXTS = List.of(
            "",
            "a",
            "b",
            "ab",
            "$SYS",
            "ü",
            "1234567",
            "12345678",
            "12345679",
            "123456789",
            "123456780",
            "12345678ü",
            "a very long level of a topic");

    @Test
    void shouldBeEqualToItselfAloneWhereverItLies() {
        for (String one : TEXTS) {
            for (String other : TEXTS) {
                for (Level level : inPlacesOf(other)) {
                    boolean same = one.equals(other);
                    assertThat(Level.of(one).equals(level))
                            .as(one + " and " + other)
                            .isEqualTo(same);
                    assertThat(Level.of(one).compareTo(level) == 0).isEqualTo(same);
                    assertThat(level.toString()).isEqualTo(other);
                    if (same) {
                        assertThat(level).hasSameHashCodeAs(Level.of(one));
                    }
                }
                byte[] name = ("before/" + other + "/x").getBytes(StandardCharsets.UTF_8);
                assertThat(Level.of(one).isEqualTo(name, 7, name.length - 2)).isEqualTo(one.equals(other));
            }
        }
    }

    @Test
    void shouldBeOrdered() {
        List<Level> levels = new ArrayList<>();
        TEXTS.forEach(text -> levels.add(Level.of(text)));
        levels.sort(null);

        for (int i = 1; i < levels.size(); i++) {
            for (int j = 0; j < i; j++) {
                assertThat(levels.get(i)).isGreaterThan(levels.get(j));
                assertThat(levels.get(j)).isLessThan(levels.get(i));
            }
        }
    }

    @Test
    void shouldKeepItsBytesWhenThoseOfTheNameChange() {
        byte[] name = "devices/number-4711/state".getBytes(StandardCharsets.UTF_8);
        Level copy = Level.in(name, 8, 19).copy();

        name[10] = '!';

        assertThat(copy).hasToString("number-4711").isEqualTo(Level.of("number-4711"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"$SYS", "$", "$a very long one"})
    void shouldBeReservedWithADollar(String text) {
        assertThat(Level.of(text).isReserved()).isTrue();
        assertThat(Level.of("a" + text).isReserved()).isFalse();
        assertThat(Level.EMPTY.isReserved()).isFalse();
    }

    /** Bytes that differ from a slash in one bit are among them, and such as are not ASCII. */
    @Test
    void shouldEndAtTheNextSlashOrWithTheName() {
        Random random = new Random(2);
        byte[] some = {'/', '.', '\'', '+', '?', 'o', (byte) 0xAF, 'a', 'b', 'c', 'd', 'e', 'f'};
        for (int round = 0; round < 10_000; round++) {
            byte[] name = new byte[random.nextInt(30)];
            for (int i = 0; i < name.length; i++) {
                name[i] = some[random.nextInt(some.length)];
            }
            int from = random.nextInt(name.length + 1);
            int expected = from;
            while (expected < name.length && name[expected] != '/') {
                expected++;
            }

            assertThat(Level.end(name, from)).isEqualTo(expected);
        }
    }

    /** Its bytes alone, at the beginning, in the middle, and at the end of names. */
    private static List<Level> inPlacesOf(String text) {
        List<Level> all = new ArrayList<>();
        all.add(Level.of(text));
        for (String before : List.of("", "a/", "a longer one/")) {
            for (String behind : List.of("", "/", "/and a longer one")) {
                byte[] name = (before + text + behind).getBytes(StandardCharsets.UTF_8);
                int from = before.length();
                all.add(Level.in(name, from, from + text.getBytes(StandardCharsets.UTF_8).length));
                all.add(Level.in(name, from, from + text.getBytes(StandardCharsets.UTF_8).length)
                        .copy());
            }
        }
        return all;
    }
}
