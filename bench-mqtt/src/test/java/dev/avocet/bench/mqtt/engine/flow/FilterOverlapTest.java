package dev.avocet.bench.mqtt.engine.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Filters of one client that would get a message twice. */
final class FilterOverlapTest {
    @ParameterizedTest
    @CsvSource({
        "a/b,a/b,true",
        "a/+,a/b,true",
        "a/+/c,a/b/+,true",
        "a/#,a,true",
        "#,x/y/z,true",
        "a/#,+/b,true",
        "a/+,a/b/c,false",
        "a/b,a/c,false",
        "a/+,b/+,false",
        "a,a/b,false",
        "a/b/#,a,false"
    })
    void shouldFindWhatBothMatch(String one, String other, boolean overlaps) {
        assertThat(FilterOverlap.overlap(one, other)).isEqualTo(overlaps);
        assertThat(FilterOverlap.overlap(other, one)).isEqualTo(overlaps);
    }

    @Test
    void shouldRefuseThemWithTheClientsName() {
        assertThatThrownBy(() -> FilterOverlap.refuse("ada", List.of("a/+", "b", "a/c")))
                .hasMessageContaining("a/+ and a/c of client ada overlap");
        assertThatThrownBy(() -> FilterOverlap.refuse("ada", List.of("b", "b"))).hasMessageContaining("overlap");
        assertThatCode(() -> FilterOverlap.refuse("ada", List.of("a/+", "$share/g/a/+", "b")))
                .doesNotThrowAnyException();
    }
}
