package dev.avocet.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The packaged broker with {@code security.fips} in a Java runtime without a validated provider. */
@Timeout(120)
class FipsStartTest {
    private static final int USAGE = 2;

    @TempDir
    private Path directory;

    @Test
    void shouldNotStartAndSayWhy() throws IOException, InterruptedException {
        Path startup = Files.writeString(directory.resolve("broker.json"), "{\"security\": {\"fips\": true}}");
        try (Launched broker = Distribution.launch(
                Distribution.SHORT_LIVED,
                "--data",
                directory.resolve("data").toString(),
                "--config",
                startup.toString(),
                "--endpoint",
                "127.0.0.1:0",
                "--admin",
                "127.0.0.1:0")) {
            String output = broker.output();
            assertThat(broker.exitCode()).as(output).isEqualTo(USAGE);
            assertThat(output)
                    .contains("security.fips: the first security provider of this Java runtime is ", "docs/security.md")
                    .doesNotContain("\tat ");
        }
    }
}
