package dev.avocet.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RandomSuiteTest {
    private static final List<String> PAGES = List.of("a", "b", "c", "d", "e", "f", "g");

    @Test
    void shouldTryEachOfAListOnceInSoManyBuildsOfConsecutiveSeeds() {
        // when
        List<String> tried = LongStream.range(4711, 4714)
                .mapToObj(seed -> RandomSuite.oneOf(3, PAGES, seed))
                .flatMap(List::stream)
                .toList();

        // then
        assertThat(tried).containsExactlyInAnyOrderElementsOf(PAGES);
    }

    @Test
    void shouldTryTheSameAgainWithTheSameSeed() {
        assertThat(RandomSuite.oneOf(3, PAGES, -1)).containsExactly("c", "f");
    }
}
