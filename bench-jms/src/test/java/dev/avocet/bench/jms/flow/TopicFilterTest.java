package dev.avocet.bench.jms.flow;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TopicFilterTest {
    @ParameterizedTest
    @CsvSource({
        "a.00000000, a.00000000, true",
        "a.00000000, a.00000001, false",
        "/p/#, /p/t.00000000, true",
        "/p/#, /p/t/u, true",
        "/p1/#, /p10/t, false",
        "/p/+, /p/t, true",
        "/p/+, /p/t/u, false",
        "/+/t, /p/t, true",
        "/p/t, /p, false",
        "/p, /p/t, false"
    })
    void shouldMatchLevelByLevel(String filter, String name, boolean matches) {
        assertThat(TopicFilter.matches(filter, name)).isEqualTo(matches);
    }
}
