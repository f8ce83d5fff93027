package dev.avocet.testkit.cost;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class WaitsTest {
    @Test
    void shouldLookEverMoreSeldom() {
        // when
        Stream<Duration> pauses = Stream.iterate(Waits.pauseAfter(Duration.ZERO), Waits::pauseAfter);

        // then
        assertThat(pauses.limit(7).map(Duration::toMillis)).containsExactly(5L, 10L, 20L, 40L, 80L, 100L, 100L);
    }
}
