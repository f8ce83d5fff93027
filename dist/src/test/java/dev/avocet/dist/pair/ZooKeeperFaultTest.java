package dev.avocet.dist.pair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.dist.fault.WireClient;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** As {@link PairFaultTest}, where ZooKeeper's server, a process of its own, has the register. */
@Timeout(value = 60, unit = TimeUnit.MINUTES)
class ZooKeeperFaultTest {
    private static final List<PairFault> IN_SHORT = List.of(
            PairFault.KILL_ARBITER, PairFault.KILL_ACTIVE_AND_ARBITER, PairFault.STOP_ALL_BUT_ACTIVE, PairFault.SWITCH);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int A_WHILE_MS = 4_000;
    private static final String TOPIC = "state";

    @TempDir
    private Path folder;

    @InTurn
    @Test
    @Timeout(300)
    void shouldLoseNothingInAFewFaults() throws Exception {
        new FaultRounds(folder, true).play(IN_SHORT, FaultRounds.firstSeed(7));
    }

    @Test
    @Tag("fault")
    void shouldLoseNothingInManyFaults() throws Exception {
        new FaultRounds(folder, true).playMany(FaultRounds.firstSeed(4712));
    }

    @InTurn
    @Test
    @Timeout(300)
    void shouldServeWithoutZooKeeperUntilANodeIsLostToo() throws Exception {
        try (FaultyPair pair = new FaultyPair(folder, false, true)) {
            // given
            pair.start();
            String active = pair.awaitActive();
            String standby = PairUnderTest.other(active);

            // when ZooKeeper is lost
            pair.kill(PairUnderTest.ARBITER);

            // then the active node keeps its role, and acknowledges what both have
            try (WireClient writer = new WireClient(pair.port(active), "writer", WireClient.MQTT_3_1_1, A_WHILE_MS)) {
                for (int number = 1; number <= 10; number++) {
                    assertThat(retain(writer, number)).isEqualTo(WireClient.PUBACK);
                    await().pollDelay(Duration.ofMillis(300)).until(() -> true);
                }
                assertThat(pair.health(active)).contains("\"role\":\"active\",\"epoch\":1");

                // when the standby is lost as well, which cannot be left out now
                pair.kill(standby);

                // then nothing is acknowledged, and the role is given up
                assertThat(answers(writer, 11)).isFalse();
            }
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(pair.health(active)).doesNotContain("\"role\":\"active\""));

            // when the standby is back, neither leads without the register
            pair.start(standby);
            await().during(Duration.ofSeconds(2))
                    .atMost(PATIENCE)
                    .until(() -> pair.active().isEmpty());

            // when ZooKeeper is back
            pair.startArbiter();
            pair.awaitHealed();

            // then what was acknowledged is there
            assertThat(retained(pair.port(pair.awaitActive()))).isGreaterThanOrEqualTo(10);
        }
    }

    private static int retain(WireClient writer, int number) throws IOException {
        writer.retain(TOPIC, number, number);
        writer.flush();
        return writer.read().type();
    }

    /** Whether the node says anything, before it gives up. */
    private static boolean answers(WireClient writer, int number) {
        try {
            retain(writer, number);
            return true;
        } catch (IOException e) {
            return false; // nothing has come, or it has closed the connection
        }
    }

    private static int retained(int port) throws IOException {
        try (WireClient reader = new WireClient(port, "reader", WireClient.MQTT_3_1_1)) {
            reader.subscribe(TOPIC, 0);
            WireClient.Received packet = reader.read();
            while (packet.type() == WireClient.SUBACK) {
                packet = reader.read();
            }
            return packet.number();
        }
    }
}
