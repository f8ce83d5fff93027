package dev.avocet.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.avocet.testkit.InstalledPrograms;
import dev.avocet.testkit.RandomSuite;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The comparison with peers does its work: starts servers and loads, and writes its table. How fast anything is does
 * not matter here. The peers are the ceilings, which need nothing to be installed.
 */
@Timeout(300)
class CompareTest {
    private static final Path COMPARE = Path.of("..", "bench", "compare").toAbsolutePath();

    @TempDir
    private Path out;

    @InTurn
    @Test
    void shouldCompareAvocetWithTheCeilings() throws IOException, InterruptedException {
        requirePython();

        // when
        String output;
        int exitCode;
        try (Launched comparison = launch(
                "--short",
                "--peers=ceiling,jms-ceiling",
                "--works=fanin,mqtt-jms,QUEUE.NP" + (RandomSuite.isWhole() ? ",fanout-slow,TOPIC.NP,late-queue" : ""),
                "--seconds=0.5",
                "--warm-up=0.5",
                "--longest-seconds=16", // a busy machine may have no processor for all of them in half a second
                "--heap=256m",
                "--out=" + out.resolve("results"))) {
            output = comparison.output();
            exitCode = comparison.exitCode();
        }

        // then
        assertThat(output).contains("fanin");
        assertThat(exitCode).as(output).isZero();
        assertThat(out.resolve("results").resolve("compare.md"))
                .content()
                .contains("| MQTT QoS 0, 100 publishers to 10 subscribers in partitions | Ceiling")
                .contains("| JMS, queues, non-persistent | JMS ceiling");
        assertThat(out.resolve("results").resolve("compare.json"))
                .content()
                .contains("\"peer\": \"ceiling\"", "\"peer\": \"jms-ceiling\"")
                .doesNotContain("FAILED");
        assertThat(out.resolve("results").resolve("fanin-avocet-1.json")).exists();
        assertThat(out.resolve("results").resolve("mqtt-jms-avocet-1.json")).exists();
    }

    @InTurn
    @Test
    void shouldRefuseAWorkThatItDoesNotKnow() throws IOException, InterruptedException {
        requirePython();
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
                        "JAVA_OPTS",
                        Distribution.QUICK_COMPILER,
                        "PATH",
                        System.getenv("PATH"),
                        "AVOCET_DISTRIBUTION",
                        Distribution.HOME.toAbsolutePath().toString()),
                arguments);
    }

    /** Skipped where there is none, but for where all must run. */
    private static void requirePython() throws IOException, InterruptedException {
        int isOlder = new ProcessBuilder(
                        InstalledPrograms.onPath("python3"), "-c", "import sys; sys.exit(sys.version_info < (3, 10))")
                .start()
                .waitFor();
        assumeTrue(isOlder == 0, "Python is older than 3.10");
    }
}
