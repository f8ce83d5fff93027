package dev.avocet.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The real process, from the launcher to its exit code. */
class BrokerProcessTest {
    private static final Map<String, String> THIS_JAVA = Distribution.SHORT_LIVED;
    private static final Map<String, String> AS_SHIPPED =
            Map.of("JAVA_HOME", System.getProperty("java.home"), "BROKER_HEAP", "64m");

    @TempDir
    private Path data;

    @ParameterizedTest
    @ValueSource(strings = {"TERM", "INT"})
    void shouldServeOnceReadyAndStopInOrderOnASignal(String signal) throws IOException, InterruptedException {
        try (Launched broker = launch(AS_SHIPPED, "--endpoint", "127.0.0.1:0", "--admin", "127.0.0.1:0")) {
            // when
            String ready = broker.awaitLine("ready");

            // then
            assertThat(ready).endsWith("store 'sync'");
            try (Socket client = new Socket(InetAddress.getLoopbackAddress(), broker.port())) {
                assertThat(client.isConnected()).isTrue();
            }

            // when
            broker.signal(signal);

            // then
            assertThat(broker.exitCode()).isZero();
            assertThat(broker.output()).contains("stopping").endsWith("stopped");
        }
    }

    /** The administration starts once the broker is ready. */
    @InTurn
    @RepeatedTest(4)
    void shouldStopInOrderWhileItsAdministrationStarts() throws IOException, InterruptedException {
        try (Launched broker = launch("--endpoint", "127.0.0.1:0", "--admin", "127.0.0.1:0")) {
            broker.awaitLine("ready");

            // when
            broker.signal("TERM");

            // then
            assertThat(broker.exitCode()).isZero();
            assertThat(broker.output()).endsWith("stopped").doesNotContain("\tat ");
        }
    }

    @InTurn
    @Test
    void shouldKeepAllItsFilesToItsUser() throws IOException {
        try (Launched broker = launch("--endpoint", "127.0.0.1:0", "--admin", "off")) {
            broker.awaitLine("ready");

            // the broker makes and deletes files meanwhile
            await().ignoreExceptionsMatching(e -> e instanceof IOException || e instanceof UncheckedIOException)
                    .untilAsserted(() -> {
                        try (Stream<Path> files = Files.walk(data.resolve("of broker"))) {
                            assertThat(files)
                                    .isNotEmpty()
                                    .allSatisfy(file -> assertThat(Files.getPosixFilePermissions(file))
                                            .isEqualTo(PosixFilePermissions.fromString(
                                                    Files.isDirectory(file) ? "rwx------" : "rw-------")));
                        }
                    });
        }
    }

    @InTurn
    @Test
    void shouldSayThatThePortIsTaken() throws IOException, InterruptedException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Launched broker = launch("--endpoint", "127.0.0.1:" + taken.getLocalPort(), "--admin", "off")) {
            assertThat(broker.exitCode()).isEqualTo(3);
            assertThat(broker.output())
                    .contains("cannot listen on 127.0.0.1:" + taken.getLocalPort()
                            + ": another process listens there already")
                    .doesNotContain("\tat ");
        }
    }

    @InTurn
    @Test
    void shouldSayThatTheAdminPortIsTaken() throws IOException, InterruptedException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Launched broker = launch("--endpoint", "127.0.0.1:0", "--admin", "127.0.0.1:" + taken.getLocalPort())) {
            assertThat(broker.exitCode()).isEqualTo(3);
            assertThat(broker.output())
                    .contains("admin end point cannot listen on 127.0.0.1:" + taken.getLocalPort())
                    .doesNotContain("\tat ");
        }
    }

    @InTurn
    @Test
    void shouldLetOnlyOneBrokerUseADataDirectoryUntilItIsKilled() throws IOException, InterruptedException {
        try (Launched first = launch("--endpoint", "127.0.0.1:0", "--admin", "off")) {
            first.awaitLine("ready");
            try (Launched second = launch("--endpoint", "127.0.0.1:0", "--admin", "off")) {
                assertThat(second.exitCode()).isEqualTo(4);
                assertThat(second.output()).contains("is used by another broker (process ");
            }
            first.signal("KILL");
            first.exitCode();
        }
        try (Launched third = launch("--endpoint", "127.0.0.1:0", "--admin", "off")) {
            assertThat(third.awaitLine("ready")).isNotEmpty();
        }
    }

    @InTurn
    @Test
    void shouldReportABrokenConfigurationWithoutAStackTrace() throws IOException, InterruptedException {
        // given
        Path file = data.resolve("broker.json");
        Files.writeString(file, "{\n  \"endpoints\": [\n");

        try (Launched broker = launch("--config", file.toString())) {
            assertThat(broker.exitCode()).isEqualTo(2);
            assertThat(broker.output())
                    .startsWith("broker: " + file + " cannot be used:\n  line 3, column 1: not valid JSON")
                    .doesNotContain("\tat ");
        }
    }

    @InTurn
    @Test
    void shouldRefuseToBeReachableByEverybodyUnlessAsked() throws IOException, InterruptedException {
        try (Launched refused = launch("--endpoint", "0.0.0.0:0", "--admin", "off")) {
            assertThat(refused.exitCode()).isEqualTo(2);
            assertThat(refused.output()).contains("hash-password", "--allow-insecure");
        }
        try (Launched allowed = launch("--endpoint", "0.0.0.0:0", "--admin", "off", "--allow-insecure")) {
            assertThat(allowed.awaitLine("ready")).isNotEmpty();
        }
    }

    @InTurn
    @Test
    void shouldAcceptTheSampleConfiguration() throws IOException {
        String sample = Distribution.HOME.resolve("conf").resolve("broker.json").toString();
        try (Launched broker =
                launch(AS_SHIPPED, "--config", sample, "--endpoint", "127.0.0.1:0", "--admin", "127.0.0.1:0")) {
            assertThat(broker.awaitLine("ready")).isNotEmpty();
        }
    }

    @InTurn
    @Test
    void shouldTellVersionAndHelpWithoutTouchingTheDataDirectory() throws IOException, InterruptedException {
        Path untouched = data.resolve("untouched");
        try (Launched version = Distribution.launch(THIS_JAVA, "--version");
                Launched help = Distribution.launch(THIS_JAVA, "--data", untouched.toString(), "--help")) {
            assertThat(version.exitCode()).isZero();
            assertThat(version.output()).startsWith("Avocet ").doesNotContain("development");
            assertThat(help.exitCode()).isZero();
            assertThat(help.output()).contains("Exit codes:");
            assertThat(untouched).doesNotExist();
        }
    }

    private Launched launch(String... arguments) throws IOException {
        return launch(THIS_JAVA, arguments);
    }

    private Launched launch(Map<String, String> environment, String... arguments) throws IOException {
        String[] all = new String[arguments.length + 2];
        all[0] = "--data";
        all[1] = data.resolve("of broker").toString();
        System.arraycopy(arguments, 0, all, 2, arguments.length);
        return Distribution.launch(environment, all);
    }
}
