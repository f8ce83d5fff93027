package dev.avocet.dist;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The load generator for JMS as it is packaged, with the packaged client, against the packaged broker. */
@InTurn
class JmsBenchTest {
    private static final Map<String, String> THIS_JAVA = Distribution.shortLived("256m");

    @TempDir
    private Path directory;

    @Test
    void shouldMeasureABrokerAsAUser() throws IOException, InterruptedException {
        String password = Files.writeString(directory.resolve("password"), "ada's secret\n")
                .toString();
        try (Administered broker = Administered.start(directory.resolve("data"), THIS_JAVA)) {
            broker.adminDoneHere("user", "create", "ada", "--new-password-file", password);
            try (Launched bench = Distribution.launchJmsBench(
                    THIS_JAVA,
                    "run",
                    "QUEUE.TRANSACTED",
                    "--gc=throughput",
                    "--scale=0.1",
                    "--messages=500",
                    "--max-own-pause-ms=0",
                    "--user=ada",
                    "--password-file=" + password,
                    "--target=127.0.0.1:" + broker.process().port())) {
                int exitCode = bench.exitCode();
                assertThat(bench.output())
                        .contains("PASSED  QUEUE.TRANSACTED", "1000 sent, 1000 expected, 1000 received: 0 lost");
                assertThat(exitCode).isZero();
            }
        }
    }
}
