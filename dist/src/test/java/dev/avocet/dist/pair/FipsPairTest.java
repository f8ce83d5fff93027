package dev.avocet.dist.pair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.dist.FipsHome;
import dev.avocet.dist.Launched;
import dev.avocet.dist.fault.WireClient;
import dev.avocet.testkit.TestAuthority;
import dev.avocet.testkit.TestAuthority.Issued;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A pair as it is shipped, all of whose members have Bouncy Castle FIPS and cryptography that FIPS 140 approves. */
@Timeout(600)
class FipsPairTest {
    private static final int USAGE = 2;
    private static final String TOPIC = "kept";
    private static final List<String> BROKERS = List.of("a", "b");

    @TempDir
    private Path folder;

    private Path startup;
    private Path home;

    @BeforeEach
    void prepare() throws IOException {
        startup = Files.writeString(folder.resolve("broker.json"), "{\"security\": {\"fips\": true}}");
        home = FipsHome.make("fips-pair-home");
    }

    @InTurn
    @Test
    void shouldTakeOverWithCertificates() throws Exception {
        try (PairUnderTest pair = new PairUnderTest(folder, null)) {
            // given
            pair.runFrom(home);
            TestAuthority authority = new TestAuthority("pair");
            Path trust = authority.writeTo(folder.resolve("ca.pem"));
            for (String member : List.of("a", "b", PairUnderTest.ARBITER)) {
                Issued issued = authority.issue(member);
                pair.prove(
                        member,
                        "--ha-certificate",
                        issued.writeCertificate(folder.resolve(member + ".pem")).toString(),
                        "--ha-key",
                        issued.writeKey(folder.resolve(member + ".key")).toString(),
                        "--ha-trust",
                        trust.toString());
            }
            pair.startArbiter("--fips").awaitLine("ready");
            for (String broker : BROKERS) {
                start(pair, broker);
            }
            for (String broker : BROKERS) {
                pair.of(broker).awaitLine("ready");
            }
            String first = pair.active();
            String second = PairUnderTest.other(first);
            pair.awaitInSync(second);
            subscribeAndPublish(pair.port(first));

            // when
            int epoch = pair.epoch(first);
            pair.kill(first);

            // then
            pair.awaitActive(second, epoch);
            assertThat(taken(pair.port(second))).isEqualTo(1);
            start(pair, first).awaitLine("role standby in-sync");
        }
    }

    @InTurn
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
