package dev.avocet.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The load generator as it is packaged. */
class MqttBenchTest {
    private static final Map<String, String> THIS_JAVA = Distribution.shortLived("256m");

    @Test
    void shouldFindAllThatItNeeds() throws IOException, InterruptedException {
        try (Launched bench = Distribution.launchMqttBench(THIS_JAVA, "show", "CONNBURST", "--scale", "0.01")) {
            assertThat(bench.exitCode()).isZero();
            assertThat(bench.output()).contains("--idle=10000");
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
