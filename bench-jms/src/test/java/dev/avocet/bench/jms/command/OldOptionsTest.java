package dev.avocet.bench.jms.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class OldOptionsTest {
    @ParameterizedTest
    @CsvSource({
        "run -mt ss -wr -d 60, run --kind=shared -d 60",
        "run -mt=t -mt q, run --kind=topic --kind=queue",
        "run -anon -rrs -np 10, run --anonymous -rrs -np 10",
        "run -as -50 -u 1e-3, run --work-us=50",
        "run -t -1, run --rate=max",
        "run -t 1 -r 500 -m -1, run -r 500",
        "run -T 0x81, run",
        "run -T 0xb5, run --time-calls",
        "run -T 0x08, run --time-calls",
        "run -T 0x41, run --time-calls",
        "run -T 0x83, run --per-destination",
        "run -T 0x12, run --per-destination --time-calls",
        "run -ds 5 -rr 100 -b 30, run -ds 5 -rr 100 -b 30",
        "run --json=a=b -tx -1:0:1:q:1:1:1, run --json=a=b -tx -1:0:1:q:1:1:1"
    })
    void shouldWriteThemAsOurs(String old, String ours) {
        assertThat(String.join(" ", OldOptions.translated(old.split(" ", -1)))).isEqualTo(ours);
    }

    @ParameterizedTest
    @CsvSource({
        "-mt x, -mt 'x': t",
        "-mt, -mt wants a value",
        "-as 3, -as 3 counts loops",
        "-as few, '-as ''few'' is not a number'",
        "-m 2, use taskset",
        "-T 0x101, 0x100 is not measured",
        "-T 0x202, 0x2 (each destination)"
    })
    void shouldSayWhatHasNoCounterpart(String old, String explanation) {
        assertThatThrownBy(() -> OldOptions.translated(old.split(" ", -1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(explanation);
    }

    @ParameterizedTest
    @CsvSource({"-mt x, jmsbench: -mt 'x'", "-mt t, target: say which broker"})
    void shouldBeUnderstoodByTheProgram(String old, String said) {
        StringWriter err = new StringWriter();

        int exitCode =
                JmsBench.execute(new PrintWriter(err, true), new PrintWriter(err, true), ("run " + old).split(" ", -1));

        assertThat(exitCode).isEqualTo(2);
        assertThat(err.toString()).contains(said).doesNotContain("\tat ");
    }
}
