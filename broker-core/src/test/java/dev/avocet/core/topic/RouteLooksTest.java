package dev.avocet.core.topic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;

/** What a publisher finds decides how often it looks. */
final class RouteLooksTest {
    private static final int TOPICS = 16_000;

    private final RouteLooks looks = new RouteLooks();

    @Test
    void shouldLookEachTimeWhileTopicsAreFound() {
        assertThat(looksAt(topic -> true)).isEqualTo(TOPICS);
    }

    @Test
    void shouldLookEachTimeWhileMostAreFound() {
        assertThat(looksAt(topic -> topic % 2 == 0)).isEqualTo(TOPICS);
    }

    @Test
    void shouldLookSeldomWhenNothingIsFound() {
        assertThat(looksAt(topic -> false)).isBetween(TOPICS / RouteLooks.SELDOM, TOPICS / RouteLooks.SELDOM + 100);
    }

    @Test
    void shouldLookSeldomWhenFewAreFound() {
        assertThat(looksAt(topic -> topic % 7 == 0)).isLessThan(TOPICS / 4);
    }

    @Test
    void shouldSoonLookEachTimeAgain() {
        // given
        looksAt(topic -> false);

        // when
        int until = 0;
        for (int topic = 0; topic < 2 * RouteLooks.SELDOM; topic++) {
            if (looks.isWorthIt()) {
                looks.found();
                until = topic;
            }
        }

        // then
        assertThat(until).isEqualTo(2 * RouteLooks.SELDOM - 1);
        assertThat(looksAt(topic -> true)).isEqualTo(TOPICS);
    }

    private int looksAt(IntPredicate isFound) {
        int count = 0;
        for (int topic = 0; topic < TOPICS; topic++) {
            if (looks.isWorthIt()) {
                count++;
                if (isFound.test(topic)) {
                    looks.found();
                } else {
                    looks.missed();
                }
            }
        }
        return count;
    }
}
