package dev.avocet.dist;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** bin/broker-admin against a broker that runs. */
@InTurn
class AdminProcessTest {
    private static final Map<String, String> THIS_JAVA = Distribution.SHORT_LIVED;

    @TempDir
    private Path data;

    @Test
    void shouldAskTheBrokerForItsStore() throws IOException, InterruptedException {
        try (Launched broker = startBroker();
                Launched table = stat(broker, "table");
                Launched json = stat(broker, "json")) {
            assertThat(table.exitCode()).isZero();
            assertThat(table.output().replaceAll(" +", " ")).contains("mode sync", "state accepting", "segments 1");
            assertThat(json.exitCode()).isZero();
            assertThat(json.output())
                    .contains("\"Store\" : {", "\"mode\" : \"sync\"")
                    .endsWith("}");
        }
    }

    @Test
    void shouldLeaveTheFilesOfABrokerThatRunsAlone() throws IOException, InterruptedException {
        try (Launched broker = startBroker();
                Launched verify = Distribution.launchAdmin(THIS_JAVA, "store", "verify", "--data", data.toString())) {
            assertThat(verify.exitCode()).isEqualTo(4);
            assertThat(verify.output()).contains("is used by a broker that runs (process ");
            assertThat(broker.port()).isPositive();
        }
    }

    @Test
    void shouldSayThatThereIsNoStore() throws IOException, InterruptedException {
        try (Launched stat =
                Distribution.launchAdmin(THIS_JAVA, "store", "stat", "--offline", "--data", data.toString())) {
            assertThat(stat.exitCode()).isEqualTo(2);
            assertThat(stat.output()).isEqualTo("broker: there is no store in " + data.resolve("store"));
        }
    }

    @Test
    void shouldSayThatNoBrokerAnswers() throws IOException, InterruptedException {
        try (Launched stat = Distribution.launchAdmin(THIS_JAVA, "store", "stat", "--server", "http://127.0.0.1:1")) {
            assertThat(stat.exitCode()).isEqualTo(3);
            assertThat(stat.output()).startsWith("broker-admin: no answer from http://127.0.0.1:1");
        }
    }

    @Test
    void shouldTellItsVersion() throws IOException, InterruptedException {
        try (Launched version = Distribution.launchAdmin(THIS_JAVA, "--version")) {
            assertThat(version.exitCode()).isZero();
            assertThat(version.output()).startsWith("Avocet ").doesNotContain("development");
        }
    }

    private Launched startBroker() throws IOException {
        Launched broker = Distribution.launch(
                THIS_JAVA, "--data", data.toString(), "--endpoint", "127.0.0.1:0", "--admin", "127.0.0.1:0");
        broker.awaitLine("ready");
        return broker;
    }

    private static Launched stat(Launched broker, String format) throws IOException {
        return Distribution.launchAdmin(
                THIS_JAVA, "store", "stat", "-o", format, "--server", "http://127.0.0.1:" + broker.adminPort());
    }
}
