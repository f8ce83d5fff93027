package dev.avocet.dist.pair;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TermsTest {
    @Test
    void shouldCountANodeThatAnswersAfterAnotherOneHasTakenOver() {
        List<AckedAt> handedOver =
                List.of(new AckedAt("a", 0, 1), new AckedAt("a", 2, 3), new AckedAt("b", 4, 5), new AckedAt("b", 6, 7));
        List<AckedAt> stale = List.of(new AckedAt("a", 0, 1), new AckedAt("b", 2, 3), new AckedAt("a", 4, 5));

        assertThat(Terms.least(handedOver)).isEqualTo(2);
        assertThat(Terms.least(stale)).isEqualTo(3);
    }

    @Test
    void shouldNotBlameAnAnswerThatMayHaveBeenGivenBefore() {
        // given: asked before the other one took over, and read late
        List<AckedAt> late = List.of(new AckedAt("a", 0, 1), new AckedAt("a", 2, 9), new AckedAt("b", 3, 5));

        assertThat(Terms.least(late)).isEqualTo(2);
    }
}
