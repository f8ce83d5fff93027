package dev.avocet.bench.mqtt.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PositionsTest {
    @Test
    void shouldCountFromOneWithBothEnds() {
        assertThat(indexes(Positions.of("2-3,6,8-8"))).containsExactly(1, 2, 5, 7);
        assertThat(indexes(Positions.ALL)).hasSize(10);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0-5 | the first client of a list is 1, not 0",
                "5-2 | the first is behind the last",
                "1-11 | the list has 10 clients",
                "1-2, | several with commas between, such as 1-1000,5001-6000",
                "a | is FIRST-LAST",
                "1-99999999999 | is FIRST-LAST"
            })
    void shouldSayWhatIsWrong(String text, String message) {
        assertThatThrownBy(() -> Positions.of(text).within(10))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("--client-range ")
                .hasMessageContaining(message);
    }

    private static int[] indexes(Positions positions) {
        return IntStream.range(0, 10).filter(positions::has).toArray();
    }
}
