package dev.avocet.bench.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.avocet.bench.run.PassCriteria;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

final class PassOptionsTest {
    @Test
    void shouldBeStrictWithoutOptions() {
        assertThat(criteria().minRateShare()).isEqualTo(PassCriteria.STRICT.minRateShare());
    }

    @Test
    void shouldTakeTheLeastShareOfTheRate() {
        assertThat(criteria("--min-rate-percent=12.5").minRateShare()).isEqualTo(0.125);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "100.5", "NaN"})
    void shouldRefuseAShareThatIsNone(String percent) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> criteria("--min-rate-percent=" + percent))
                .withMessageStartingWith("--min-rate-percent is ")
                .withMessageEndingWith(": 0 to 100");
    }

    private static PassCriteria criteria(String... arguments) {
        PassOptions options = new PassOptions();
        new CommandLine(options).parseArgs(arguments);
        return options.criteria();
    }
}
