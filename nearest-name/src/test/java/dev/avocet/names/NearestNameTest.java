package dev.avocet.names;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestNameTest {
    @ParameterizedTest
    @CsvSource({"maxMesages, maxMessages, 1", "HOST, host, 0", "abc, '', 3", "kitten, sitting, 3"})
    void shouldCountEdits(String typed, String name, int edits) {
        assertThat(NearestName.distance(typed, name)).isEqualTo(edits);
    }

    @Test
    void shouldAdviseOnlyWhatIsNear() {
        assertThat(NearestName.advice("Prot", List.of("Port", "Protocol"))).isEqualTo(", did you mean 'Port'?");
        assertThat(NearestName.advice("P".repeat(257), List.of("P".repeat(257))))
                .isEmpty();
        assertThat(NearestName.advice("Elephant", List.of("Port", "Protocol"))).isEmpty();
    }
}
