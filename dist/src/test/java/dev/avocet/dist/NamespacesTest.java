package dev.avocet.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.avocet.bench.report.ResultFile;
import dev.avocet.bench.report.RunResult;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A run over machines that are network namespaces, where they may be made. How fast anything is does not matter here.
 */
@InTurn
@Timeout(300)
class NamespacesTest {
    private static final Path NAMESPACES = Path.of("..", "bench", "namespaces").toAbsolutePath();
    private static final int CANNOT = 77;

    @TempDir
    private Path folder;

    @Test
    void shouldRunOverMachinesAndLeaveNothing() throws IOException, InterruptedException {
        // given
        String before = namespaces();
        Path json = folder.resolve("result.json");

        // when
        String output;
        int exitCode;
        try (Launched run = launch(
                Distribution.HOME,
                "--agents=2",
                "run",
                "--producers=3",
                "--consumers=2",
                "--partitions=2",
                "--qos=1",
                "--rate=200",
                "--warm-up=0",
                "--duration=0.5",
                "--min-rate-percent=0",
                "--max-busy-percent=100000",
                "--max-own-pause-ms=0",
                "--json=" + json)) {
            output = run.output();
            exitCode = run.exitCode();
        }
        assumeTrue(exitCode != CANNOT, output);

        // then
        assertThat(exitCode).as(output).isNotEqualTo(2);
        RunResult result = ResultFile.read(json);
        assertThat(result.tally().sent()).as(output).isPositive();
        assertThat(result.tally().received()).isEqualTo(result.tally().sent());
        assertThat(result.connections()).isEqualTo(5);
        assertThat(result.environment()).containsKeys("agent 10.177.0.10:7000, jvm", "agent 10.177.0.11:7000, jvm");
        assertThat(namespaces()).isEqualTo(before);
    }

    @Test
    void shouldLeaveNothingWhenAMachineDoesNotComeUp() throws IOException, InterruptedException {
        // given a distribution whose broker ends at once
        String before = namespaces();
        Path bin = Files.createDirectories(folder.resolve("bin"));
        for (String program : List.of("broker", "mqttbench")) {
            Path script = Files.writeString(bin.resolve(program), "#!/bin/sh\necho no disk\nexit 1\n");
            assertThat(script.toFile().setExecutable(true)).isTrue();
        }

        // when
        try (Launched run = launch(folder, "--agents=1", "run", "FANIN.Q0.SHARED")) {
            String output = run.output();
            int exitCode = run.exitCode();
            assumeTrue(exitCode != CANNOT, output);

            // then
            assertThat(exitCode).isEqualTo(1);
            assertThat(output).contains("no disk", "namespaces: broker has not come up");
        }
        assertThat(namespaces()).isEqualTo(before);
    }

    @Test
    void shouldRefuseWhatItDoesNotKnow() throws IOException, InterruptedException {
        try (Launched run = launch(Distribution.HOME, "--machines=2", "run")) {
            assertThat(run.exitCode()).isEqualTo(2);
            assertThat(run.output()).contains("there is no option --machines=2 before 'run'");
        }
    }

    /** Those that exist, whoever has made them; empty where nobody can. */
    private static String namespaces() throws IOException, InterruptedException {
        try {
            Process list = new ProcessBuilder("ip", "netns", "list")
                    .redirectErrorStream(true)
                    .start();
            String names = new String(list.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            list.waitFor();
            return names;
        } catch (IOException noSuchCommand) {
            assumeTrue(false, "there is no command ip");
            return "";
        }
    }

    private static Launched launch(Path distribution, String... arguments) throws IOException {
        return Distribution.launchScript(
                NAMESPACES,
                Map.of(
                        "JAVA_HOME",
                        System.getProperty("java.home"),
                        "PATH",
                        System.getenv("PATH"),
                        "JAVA_OPTS",
                        Distribution.QUICK_COMPILER,
                        "BENCH_HEAP",
                        "128m",
                        "BROKER_HEAP",
                        "256m",
                        "AVOCET_DISTRIBUTION",
                        distribution.toAbsolutePath().toString()),
                arguments);
    }
}
