package dev.avocet.dist.pair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.time.SystemClock;
import dev.avocet.dist.Launched;
import dev.avocet.dist.fault.WireClient;
import dev.avocet.testkit.TestAuthority;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who is let into a pair as it is shipped. */
@Timeout(180)
class PairSecurityTest {
    private static final String TOPIC = "kept";
    private static final List<String> BROKERS = List.of("a", "b");

    @TempDir
    private Path folder;

    @InTurn
    @Test
    void shouldTakeNoneThatDoesNotKnowTheSecret() throws Exception {
        try (PairUnderTest pair = new PairUnderTest(folder, null)) {
            // given: three that know it, of which one is lost
            Path secret = Files.writeString(folder.resolve("secret"), "0123456789abcdef0123456789abcdef\n");
            for (String member : List.of("a", "b", PairUnderTest.ARBITER)) {
                pair.prove(member, "--ha-secret-file", secret.toString());
            }
            pair.startArbiter().awaitLine("ready");
            startBoth(pair);
            String first = pair.active();
            String second = PairUnderTest.other(first);
            pair.awaitInSync(second);
            subscribeAndPublish(pair.port(first));
            int epoch = pair.epoch(first);
            pair.kill(first);
            pair.awaitActive(second, epoch);

            // when another process comes in its place that guesses
            Path guess = Files.writeString(folder.resolve("guess"), "fedcba9876543210fedcba9876543210\n");
            pair.prove(first, "--ha-secret-file", guess.toString());
            Launched stranger = pair.start(first);

            // then it is told in a line why at both ports, and nothing changes
            assertThat(stranger.awaitLineWith("does not know the secret of group test"))
                    .contains("No ");
            assertThat(pair.of(PairUnderTest.ARBITER).awaitLineWith("No votes with"))
                    .as("with the reason of that of the two that was faster")
                    .contains(": it ");
            assertThat(pair.of(second).httpGet("/health")).contains("\"inSync\":[\"" + second + "\"]");
            assertThat(taken(pair.port(second))).isEqualTo(1);
            stranger.close();

            // when it comes back as one of the pair
            pair.prove(first, "--ha-secret-file", secret.toString());
            pair.start(first).awaitLine("role standby in-sync");
        }
    }

    @InTurn
    @Test
    void shouldTakeCertificatesAndNewOnesWithoutARestart() throws Exception {
        try (PairUnderTest pair = new PairUnderTest(folder, "file:" + folder.resolve("shared"))) {
            // given: two with certificates, of which one is expired
            TestAuthority authority = new TestAuthority("pair");
            Instant now = Instant.ofEpochMilli(new SystemClock().wallTimeMs());
            Instant expired = now.minus(Duration.ofDays(1)).truncatedTo(ChronoUnit.SECONDS);
            for (String broker : BROKERS) {
                authority.writeTo(folder.resolve(broker + ".ca"));
                write(authority.issue(broker, broker.equals("b") ? expired : now.plus(Duration.ofDays(90))), broker);
                pair.prove(
                        broker,
                        "--ha-certificate",
                        folder.resolve(broker + ".pem").toString(),
                        "--ha-key",
                        folder.resolve(broker + ".key").toString(),
                        "--ha-trust",
                        folder.resolve(broker + ".ca").toString());
            }

            // when
            for (String broker : BROKERS) {
                pair.start(broker);
            }

            // then
            assertThat(pair.of("a").awaitLineWith("No link with"))
                    .contains("shows the certificate of 'CN=b,O=Avocet', which expired at " + expired);
            assertThat(pair.of("b").awaitLineWith("The pair's certificate of this node"))
                    .contains("expired at ");

            // when a good one takes its place
            write(authority.issue("b", now.plus(Duration.ofDays(90))), "b");

            // then
            pair.of("b").awaitLineWith("The pair has a new certificate for new connections");
            pair.awaitInSync(PairUnderTest.other(pair.active()));
        }
    }

    private static void startBoth(PairUnderTest pair) throws IOException {
        for (String broker : BROKERS) {
            pair.start(broker);
        }
        for (String broker : BROKERS) {
            pair.of(broker).awaitLine("ready");
        }
    }

    /** Puts both in their place at once, each. */
    private void write(TestAuthority.Issued issued, String name) throws IOException {
        Files.move(
                issued.writeKey(folder.resolve("next.key")),
                folder.resolve(name + ".key"),
                StandardCopyOption.REPLACE_EXISTING);
        Files.move(
                issued.writeCertificate(folder.resolve("next.pem")),
                folder.resolve(name + ".pem"),
                StandardCopyOption.REPLACE_EXISTING);
    }

    private static void subscribeAndPublish(int port) throws IOException {
        try (WireClient client = new WireClient(port, "reader", WireClient.MQTT_3_1_1)) {
            client.subscribe(TOPIC, 1);
            assertThat(client.read().type()).isEqualTo(WireClient.SUBACK);
        }
        try (WireClient client = new WireClient(port, "writer", WireClient.MQTT_3_1_1)) {
            client.publish(TOPIC, 1, false, 1, 1);
            client.flush();
            assertThat(client.read().type()).isEqualTo(WireClient.PUBACK);
        }
    }

    private static int taken(int port) throws IOException {
        try (WireClient client = new WireClient(port, "reader", WireClient.MQTT_3_1_1)) {
            return client.read().number();
        }
    }
}
