package dev.avocet.dist.pair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.dist.FipsHome;
import dev.avocet.dist.Launched;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Members of a pair as they are shipped, with Bouncy Castle FIPS and cryptography that FIPS 140 approves alone. */
@Timeout(240)
class FipsPairTest {
    private static final int USAGE = 2;

    @TempDir
    private Path folder;

    private Path startup;
    private Path home;

    @BeforeEach
    void prepare() throws IOException {
        startup = Files.writeString(folder.resolve("broker.json"), "{\"security\": {\"fips\": true}}");
        home = FipsHome.make("fips-pair-home");
    }

    @Test
    void shouldRefuseASecretAloneAtEachMember() throws Exception {
        try (PairUnderTest pair = new PairUnderTest(folder, null)) {
            pair.runFrom(home);
            Path secret = Files.writeString(folder.resolve("secret"), "0123456789abcdef0123456789abcdef\n");
            pair.prove("a", "--ha-secret-file", secret.toString());
            pair.prove(PairUnderTest.ARBITER, "--ha-secret-file", secret.toString());

            assertRefused(start(pair, "a"), "security.fips: TLS between the members would be made of --ha-secret-file");
            assertRefused(
                    pair.startArbiter("--fips"), "--fips: TLS between the members would be made of --ha-secret-file");
            assertRefused(pair.startArbiter(), "lib/fips holds Bouncy Castle FIPS");
        }
    }

    private Launched start(PairUnderTest pair, String broker) throws IOException {
        return pair.start(broker, "--config", startup.toString());
    }

    private static void assertRefused(Launched member, String why) throws InterruptedException {
        String output = member.output();
        assertThat(member.exitCode()).as(output).isEqualTo(USAGE);
        assertThat(output).contains(why).doesNotContain("\tat ");
    }
}
