package dev.avocet.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The load generator for JMS as it is packaged, with the packaged client, against the packaged broker. */
class JmsBenchTest {
    private static final Map<String, String> THIS_JAVA = Distribution.shortLived("256m");

    @TempDir
    private Path data;

    @Test
    void shouldMeasureABroker() throws IOException, InterruptedException {
        try (Launched broker = Distribution.launch(
                THIS_JAVA, "--data", data.toString(), "--endpoint", "127.0.0.1:0", "--admin", "off")) {
            broker.awaitLine("ready");
            try (Launched bench = Distribution.launchJmsBench(
                    THIS_JAVA,
                    "run",
                    "QUEUE.TRANSACTED",
                    "--gc=throughput",
                    "--scale=0.1",
                    "--messages=500",
                    "--max-own-pause-ms=0",
                    "--target=127.0.0.1:" + broker.port())) {
                int exitCode = bench.exitCode();
                assertThat(bench.output())
                        .contains("PASSED  QUEUE.TRANSACTED", "1000 sent, 1000 expected, 1000 received: 0 lost");
                assertThat(exitCode).isZero();
            }
        }
    }
}
