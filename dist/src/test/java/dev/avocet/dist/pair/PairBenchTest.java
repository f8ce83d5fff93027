package dev.avocet.dist.pair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.dist.Distribution;
import dev.avocet.dist.Launched;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The harnesses with workloads of a pair, in short, at a pair as it is shipped whose standby is named first. */
@InTurn
@Timeout(300)
class PairBenchTest {
    private static final Map<String, String> THIS_JAVA = Distribution.shortLived("96m");
    private static final String SMALL = "--max-own-pause-ms=0";

    @TempDir
    private Path folder;

    @Test
    void shouldRunAtAPairWhetherItsStandbyIsClosedOrSendsClientsOn() throws Exception {
        try (PairUnderTest pair = new PairUnderTest(folder, "file:" + folder.resolve("shared"))) {
            // given
            pair.start("a");
            pair.start("b");
            pair.of("a").awaitLine("ready");
            pair.of("b").awaitLine("ready");
            String active = pair.active();
            String standby = PairUnderTest.other(active);
            pair.awaitInSync(standby);
            String target = "--target=127.0.0.1:" + pair.port(standby) + "/127.0.0.1:" + pair.port(active);

            // then
            shouldPass(
                    Distribution.launchMqttBench(
                            THIS_JAVA,
                            run(target, "FANIN.Q1.HA.PERSISTENT.PARTITIONS", "--scale=0.0002", "--duration=2")),
                    "FANIN.Q1.HA.PERSISTENT.PARTITIONS");

            // when the standby sends its clients on
            pair.admin(
                    active,
                    "high-availability",
                    "update",
                    "--standby-answers",
                    "Redirect",
                    "--client-addresses",
                    active + "=127.0.0.1:" + pair.port(active));
            pair.of(standby).awaitLineWith("sends its clients to the active node " + active);

            // then
            shouldPass(
                    Distribution.launchMqttBench(
                            THIS_JAVA, run(target, "FANIN.Q0.HA.PARTITIONS", "--scale=0.0002", "--duration=2")),
                    "FANIN.Q0.HA.PARTITIONS");
            shouldPass(
                    Distribution.launchJmsBench(THIS_JAVA, run(target, "RR.C2.HA.2KB", "--scale=0.02", "--duration=2")),
                    "RR.C2.HA.2KB");
            shouldPass(
                    Distribution.launchMqttBench(
                            THIS_JAVA,
                            run(target, "FANIN.Q1.HA.PERSISTENT.JMS.SHARED", "--scale=0.0002", "--duration=2")),
                    "FANIN.Q1.HA.PERSISTENT.JMS.SHARED");
        }
    }

    private static String[] run(String target, String workload, String... more) {
        List<String> arguments = new ArrayList<>(List.of("run", workload, target, SMALL, "--warm-up=1"));
        arguments.addAll(List.of(more));
        return arguments.toArray(String[]::new);
    }

    /** All arrives, once. A machine that has other work may miss the rate, so the verdict does not count here. */
    private static void shouldPass(Launched started, String workload) throws IOException, InterruptedException {
        try (Launched bench = started) {
            int unused = bench.exitCode();
            assertThat(bench.output())
                    .contains("  " + workload)
                    .containsPattern("[1-9]\\d* sent, .* 0 lost, 0 doubled");
        }
    }
}
