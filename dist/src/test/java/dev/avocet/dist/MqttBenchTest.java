package dev.avocet.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The load generator as it is packaged, against the packaged broker. */
class MqttBenchTest {
    private static final Map<String, String> THIS_JAVA = Map.of("JAVA_HOME", System.getProperty("java.home"));

    @TempDir
    private Path data;

    @Test
    void shouldMeasureABroker() throws IOException, InterruptedException {
        try (Launched broker = Distribution.launch(
                THIS_JAVA, "--data", data.toString(), "--endpoint", "127.0.0.1:0", "--admin", "off")) {
            broker.awaitLine("ready");
            String target = "127.0.0.1:" + broker.port();
            try (Launched bench = Distribution.launchMqttBench(
                    THIS_JAVA,
                    "run",
                    "FANIN.Q1.PERSISTENT.SHARED",
                    "--gc=throughput",
                    "--scale=0.00001",
                    "--warm-up=0",
                    "--duration=1",
                    "--rate=50",
                    "--target=" + target)) {
                bench.exitCode();
                assertThat(bench.output()).contains(": 0 lost, 0 doubled, 0 out of order, 0 corrupt", "110 connected");
            }
        }
    }

    @Test
    void shouldRefuseACollectorThatThisJavaLacks() throws IOException, InterruptedException {
        try (Launched bench = Distribution.launchMqttBench(THIS_JAVA, "run", "--gc", "metronome")) {
            assertThat(bench.exitCode()).isEqualTo(2);
            assertThat(bench.output()).contains("mqttbench: Metronome is a collector of OpenJ9");
        }
    }
}
