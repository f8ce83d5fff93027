package dev.avocet.testkit.cost;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProcessorTimeTest {
    @Test
    void shouldAddUpTheTimesOfAProcessAndItsChildren() {
        // given a command with blanks and parentheses, as proc(5) allows
        String statistics = "4242 (java (a) b) S 1 4242 4242 0 -1 4194304 9 8 7 6 1000 200 30 4 20 0 33 0 5555 1 2";

        // when
        long ticks = ProcessorTime.ticks(statistics);

        // then
        assertThat(ticks).isEqualTo(1234);
    }
}
