package dev.avocet.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The comparison with peers does its work: starts servers and loads, and writes its table. How fast anything is does not matter here. The
 * one peer is the ceiling, which needs nothing to be installed.
 */
@Timeout(180)
class CompareTest {
    private static final Path COMPARE = Path.of("..", "bench", "compare").toAbsolutePath();

    @TempDir
    private Path out;

    @Test
    void shouldCompareAvocetWithTheCeiling() throws IOException, InterruptedException {
        assumeTrue(hasPython(), "there is no Python 3.10");

        // when
        String output;
        int exitCode;
        try (Launched comparison = launch(
                "--short",
                "--peers=ceiling",
                "--works=fanin,mqtt-jms",
                "--seconds=0.5",
                "--warm-up=0.5",
                "--heap=256m",
                "--out=" + out.resolve("results"))) {
            exitCode = comparison.exitCode();
            output = comparison.output();
        }

        // then
        assertThat(output).contains("fanin");
        assertThat(exitCode).as(output).isZero();
        assertThat(out.resolve("results").resolve("compare.md"))
                .content()
                .contains("| MQTT QoS 0, 100 publishers to 10 subscribers in partitions | Ceiling");
        assertThat(out.resolve("results").resolve("compare.json"))
                .content()
                .contains("\"peer\": \"ceiling\"")
                .doesNotContain("FAILED");
        assertThat(out.resolve("results").resolve("fanin-avocet-1.json")).exists();
        assertThat(out.resolve("results").resolve("mqtt-jms-avocet-1.json")).exists();
    }

    @Test
    void shouldRefuseAWorkThatItDoesNotKnow() throws IOException, InterruptedException {
        assumeTrue(hasPython(), "there is no Python 3.10");
        try (Launched comparison = launch("--works=fanin,nonsense")) {
            assertThat(comparison.exitCode()).isEqualTo(2);
            assertThat(comparison.output()).contains("there is no work nonsense");
        }
    }

    private static Launched launch(String... arguments) throws IOException {
        return Distribution.launchScript(
                COMPARE,
                Map.of(
                        "JAVA_HOME",
                        System.getProperty("java.home"),
                        "PATH",
                        System.getenv("PATH"),
                        "AVOCET_DISTRIBUTION",
                        Distribution.HOME.toAbsolutePath().toString()),
                arguments);
    }

    private static boolean hasPython() throws InterruptedException {
        try {
            return new ProcessBuilder("python3", "-c", "import sys; sys.exit(sys.version_info < (3, 10))")
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException absent) {
            return false;
        }
    }
}
