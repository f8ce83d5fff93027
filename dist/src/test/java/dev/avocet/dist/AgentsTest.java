package dev.avocet.dist;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.bench.report.ResultFile;
import dev.avocet.bench.report.RunResult;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The harnesses as they are packaged, as several processes that make one run. How fast anything is does not matter
 * here.
 */
@InTurn
@Timeout(300)
class AgentsTest {
    private static final Map<String, String> THIS_JAVA = Distribution.shortLived("256m");

    @TempDir
    private Path folder;

    private Path secret;

    @BeforeEach
    void writeSecret() throws IOException {
        secret = Files.writeString(folder.resolve("secret"), "a secret of enough bytes\n");
    }

    /** The producers speak MQTT and the consumers JMS, and each agent has some of both. */
    @Test
    void shouldMakeOneRunOfAgentsOfBothHarnesses() throws IOException, InterruptedException {
        Path json = folder.resolve("result.json");
        try (Launched broker = Distribution.launch(
                        THIS_JAVA,
                        "--data",
                        folder.resolve("data").toString(),
                        "--endpoint",
                        "127.0.0.1:0",
                        "--admin",
                        "off");
                Launched first = Distribution.launchMqttBench(THIS_JAVA, agent("127.0.0.2"));
                Launched second = Distribution.launchMqttBench(THIS_JAVA, agent("127.0.0.3"));
                Launched third = Distribution.launchJmsBench(THIS_JAVA, agent("127.0.0.4"))) {
            broker.awaitLine("ready");
            List<String> agents = List.of(address(first), address(second), address(third));

            // when
            String output;
            int exitCode;
            try (Launched controller = Distribution.launchMqttBench(
                    THIS_JAVA,
                    "run",
                    "FANIN.Q1.PERSISTENT.JMS.SHARED",
                    "--scale=0.1",
                    "--agents=" + String.join(",", agents),
                    "--secret-file=" + secret,
                    "--target=127.0.0.1:" + broker.port(),
                    "--rate=300",
                    "--warm-up=0",
                    "--duration=1",
                    "--min-rate-percent=0",
                    "--max-busy-percent=100000",
                    "--max-own-pause-ms=0",
                    "--json=" + json)) {
                output = controller.output();
                exitCode = controller.exitCode();
            }

            // then
            assertThat(exitCode).as(output).isNotEqualTo(2);
            RunResult result = ResultFile.read(json);
            assertThat(result.tool()).isEqualTo("mqttbench and jmsbench");
            assertThat(result.tally().sent()).as(output).isPositive();
            assertThat(result.tally().received()).isEqualTo(result.tally().sent());
            assertThat(result.tally().lost() + result.tally().duplicates()).isZero();
            assertThat(result.settings()).containsEntry("latency between agents", "by one clock");
            for (String agent : agents) {
                assertThat(result.environment()).containsKey("agent " + agent + ", jvm");
            }
        }
    }

    private String[] agent(String host) {
        return new String[] {"agent", "--listen=" + host + ":0", "--secret-file=" + secret};
    }

    /** Its line is such as: agent of version 1.0 listens on /127.0.0.2:40000. */
    private static String address(Launched agent) {
        return agent.awaitLine("agent of version ").replaceFirst(".*/", "");
    }
}
