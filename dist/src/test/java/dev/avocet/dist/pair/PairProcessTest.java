package dev.avocet.dist.pair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.dist.Launched;
import dev.avocet.dist.fault.WireClient;
import dev.avocet.dist.fault.WireClient.Received;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A pair as it is shipped: what it has acknowledged is there whatever becomes of the active node. */
@Timeout(180)
class PairProcessTest {
    private static final String ONCE_OR_MORE = "least";
    private static final String EXACTLY_ONCE = "once";
    private static final int BATCH = 50;
    private static final Pattern CONFIRMED = Pattern.compile("\navocet_pair_confirm_latency_seconds_count [1-9]");
    private static final int END = Integer.MAX_VALUE;

    @TempDir
    private Path folder;

    /** Acknowledged by a broker, by topic. */
    private int offered;

    @Test
    void shouldKeepWhatItHasAcknowledgedWhenTheActiveNodeIsKilledOrStopsOrHandsOver() throws Exception {
        try (PairUnderTest pair = new PairUnderTest(folder, null)) {
            // given: both are up, and a client has subscribed
            pair.startArbiter().awaitLine("ready");
            startBoth(pair);
            String first = pair.active();
            String second = PairUnderTest.other(first);
            pair.awaitInSync(second);
            subscribe(pair.port(first));
            publish(pair.port(first));
            int completed = completeSome(pair.port(first));
            awaitConfirmation(pair, first);
            tellHowFarTheStandbyIs(pair, first, second);

            // when the active one is killed
            int epoch = pair.epoch(first);
            pair.kill(first);

            // then the other one has everything, and what was completed does not come again
            pair.of(second).awaitLine("role active epoch ");
            pair.awaitActive(second, epoch);
            assertThat(takeAll(pair.port(second), offered - completed)).hasSize(offered - completed);

            assertThat(pair.of(second).httpGet("/health"))
                    .contains("\"whyNotInSync\":\"" + first + " is not connected")
                    .contains("\"lagRecords\":-1");

            // when the one that was killed comes back
            Launched returned = pair.start(first);
            returned.awaitLines("ready", "role standby in-sync");
            await().untilAsserted(
                            () -> assertThat(pair.of(second).httpGet("/health")).contains("\"inSync\":[\"a\",\"b\"]"));
            publish(pair.port(pair.activeBesideOneInSync()));

            // and it is the one that refuses changes
            assertThat(pair.post(first, "/configuration", "{\"Queue\": {\"orders\": {}}}")
                            .body())
                    .contains("CWLNA0388", "the active node is " + second);
            assertThat(pair.post(second, "/configuration", "{\"Queue\": {\"orders\": {}}}")
                            .statusCode())
                    .isEqualTo(200);

            // and has it by then
            assertThat(returned.httpGet("/api/v1/configuration/Queue")).contains("orders");

            // when the active one stands still, and goes on later
            String stopped = pair.activeBesideOneInSync();
            String next = PairUnderTest.other(stopped);
            epoch = pair.epoch(stopped);
            pair.of(stopped).stop();
            pair.awaitActive(next, epoch);
            assertThat(takeAll(pair.port(next), 2 * BATCH)).hasSize(2 * BATCH);
            pair.of(stopped).signal("CONT");
            pair.of(stopped).awaitLine("role standby in-sync");
            assertThat(returned.httpGet("/api/v1/configuration/Queue")).contains("orders");
            publish(pair.port(pair.activeBesideOneInSync()));

            // when the role is handed over
            String last = pair.handOver();

            // then
            assertThat(takeAll(pair.port(last), 2 * BATCH)).hasSize(2 * BATCH);
            pair.awaitInSync(PairUnderTest.other(last));
        }
    }

    /** Publishes until the standby has confirmed something: on a busy machine it may have been out of sync till now. */
    private void awaitConfirmation(PairUnderTest pair, String active) {
        await().until(() -> {
            boolean confirmed =
                    CONFIRMED.matcher(pair.of(active).httpGet("/metrics")).find();
            if (!confirmed) {
                publish(pair.port(active));
            }
            return confirmed;
        });
    }

    private static void tellHowFarTheStandbyIs(PairUnderTest pair, String active, String standby) throws Exception {
        await().untilAsserted(() -> assertThat(pair.of(active).httpGet("/health"))
                .contains("\"lagBytes\":0,\"lagRecords\":0,\"lagMs\":0,", "\"whyNotInSync\":\"\""));
        assertThat(pair.of(active).httpGet("/metrics"))
                .contains("\navocet_pair_lag_seconds 0.0\n", "\navocet_pair_lag_records 0.0\n")
                .containsPattern(CONFIRMED)
                .containsPattern("\navocet_pair_confirm_latency_percentile_seconds\\{phi=\"0.99\"} [0-9.]+[1-9]")
                .containsPattern("\navocet_pair_commit_wait_seconds_count [1-9]");
        assertThat(pair.of(standby).httpGet("/metrics")).contains("\navocet_pair_lag_records NaN\n");
        assertThat(pair.admin(active, "ha", "status")).contains("LagMs", "Paused", "DiskFull", "WhyNotInSync");
    }

    @InTurn
    @Test
    void shouldNeedNoArbiterWithASharedDirectoryAndLetNoStrangerIn() throws Exception {
        try (PairUnderTest pair = new PairUnderTest(folder, "file:" + folder.resolve("shared"))) {
            // given
            startBoth(pair);
            String first = pair.active();
            String second = PairUnderTest.other(first);
            pair.awaitInSync(second);
            subscribe(pair.port(first));
            publish(pair.port(first));

            // when
            int epoch = pair.epoch(first);
            pair.kill(first);

            // then
            pair.awaitActive(second, epoch);
            assertThat(takeAll(pair.port(second), offered)).hasSize(offered);

            // when one comes that has a secret, and the pair has none
            Path secret = Files.writeString(folder.resolve("secret"), "0123456789abcdef0123456789abcdef");
            pair.prove(first, "--ha-secret-file", secret.toString());
            Launched stranger = pair.start(first);

            // then it is told in a line why, and nothing changes
            assertThat(stranger.awaitLineWith("No link with")).contains("does not speak TLS, and this node does");
            assertThat(pair.of(second).httpGet("/health")).contains("\"inSync\":[\"" + second + "\"]");
            stranger.close();

            // when it comes back as one of the pair
            pair.prove(first);
            pair.start(first).awaitLine("role standby in-sync");
        }
    }

    @InTurn
    @Test
    void shouldServeAloneWithAStoreOfThePairOnlyWhenItIsAsked() throws Exception {
        try (PairUnderTest pair = new PairUnderTest(folder, "file:" + folder.resolve("register"))) {
            // given
            startBoth(pair);
            String active = pair.active();
            String standby = PairUnderTest.other(active);
            pair.awaitInSync(standby);
            subscribe(pair.port(active));
            publish(pair.port(active));
            pair.kill(standby);

            // when
            Launched refused = pair.startAlone(standby);

            // then
            assertThat(refused.awaitLineWith("belongs to a node of a pair")).contains("--ha-leave");
            assertThat(refused.exitCode()).isNotZero();

            // when its administrator insists
            Launched alone = pair.startAlone(standby, "--ha-leave");

            // then it serves what it has
            alone.awaitLine("ready");
            assertThat(takeAll(pair.port(standby), offered)).hasSize(offered);
            pair.kill(standby);

            // and it does not come back to the pair with that store
            assertThat(pair.start(standby).awaitLineWith("has left its pair")).contains("Move ");

            // when the store is moved elsewhere
            Files.move(pair.store(standby), folder.resolve("elsewhere"));
            pair.start(standby).awaitLine("role standby in-sync");

            // then it has what the pair has
            int epoch = pair.epoch(active);
            pair.kill(active);
            pair.awaitActive(standby, epoch);
            assertThat(takeAll(pair.port(standby), offered)).hasSize(offered);
        }
    }

    @InTurn
    @Test
    void shouldLeaveThoseInSyncWhilePausedAndTakeOverOnceResumed() throws Exception {
        try (PairUnderTest pair = new PairUnderTest(folder, "file:" + folder.resolve("register"))) {
            // given
            startBoth(pair);
            String active = pair.active();
            String standby = PairUnderTest.other(active);
            pair.awaitInSync(standby);
            subscribe(pair.port(active));
            publish(pair.port(active));

            // when
            assertThat(pair.admin(active, "ha", "pause")).contains("is the active one");
            assertThat(pair.adminProcess(standby, "ha", "pause")).contains("not promoted before it is resumed");

            // then the active node goes on alone, and the roles stay
            pair.of(standby).awaitLine("role standby paused");
            await().untilAsserted(() ->
                    assertThat(pair.of(active).httpGet("/health")).contains("\"inSync\":[\"" + active + "\"]"));
            publish(pair.port(active));
            assertThat(pair.admin(active, "ha", "switch")).contains("ask the active node when both are in sync");
            assertThat(pair.adminProcess(standby, "ha", "status")).contains("standby paused");

            // when it is resumed, and the active node is killed
            assertThat(pair.admin(standby, "ha", "resume")).contains("follows the active node again");
            pair.awaitInSync(standby);
            int epoch = pair.epoch(active);
            pair.kill(active);

            // then
            pair.awaitActive(standby, epoch);
            assertThat(takeAll(pair.port(standby), offered)).hasSize(offered);
        }
    }

    @InTurn
    @Test
    void shouldGetEverythingAnewAfterAResync() throws Exception {
        try (PairUnderTest pair = new PairUnderTest(folder, "file:" + folder.resolve("register"))) {
            // given
            startBoth(pair);
            String active = pair.active();
            String standby = PairUnderTest.other(active);
            pair.awaitInSync(standby);
            subscribe(pair.port(active));
            publish(pair.port(active));
            assertThat(pair.admin(active, "ha", "resync", "--yes")).contains("is the active one");
            assertThat(pair.admin(standby, "ha", "resync")).contains("--yes");

            // when
            assertThat(pair.admin(standby, "ha", "resync", "--yes"))
                    .contains("The store of this standby is in " + pair.store(standby) + ".aside-");

            // then
            try (Stream<Path> data = Files.list(folder.resolve(standby))) {
                assertThat(data).anyMatch(file -> file.getFileName().toString().startsWith("store.aside-"));
            }
            pair.awaitInSync(standby);
            publish(pair.port(active));
            int epoch = pair.epoch(active);
            pair.kill(active);
            pair.awaitActive(standby, epoch);
            assertThat(takeAll(pair.port(standby), offered)).hasSize(offered);
        }
    }

    @InTurn
    @Test
    void shouldServeWhatTheStandbyHasWhenItIsPromotedByForce() throws Exception {
        try (PairUnderTest pair = new PairUnderTest(folder, null)) {
            // given: the active node alone has what it acknowledged last
            pair.startArbiter().awaitLine("ready");
            startBoth(pair);
            String active = pair.active();
            String standby = PairUnderTest.other(active);
            pair.awaitInSync(standby);
            subscribe(pair.port(active));
            publish(pair.port(active));
            int onBoth = offered;
            assertThat(pair.admin(standby, "ha", "promote", "--force")).contains("becomes active by itself");
            assertThat(pair.admin(standby, "ha", "pause")).contains("leaves those in sync");
            await().untilAsserted(() ->
                    assertThat(pair.of(active).httpGet("/health")).contains("\"inSync\":[\"" + active + "\"]"));
            publish(pair.port(active));
            int epoch = pair.epoch(active);
            pair.kill(active);
            assertThat(pair.admin(standby, "ha", "resume")).contains("follows the active node again");

            // when
            assertThat(pair.admin(standby, "ha", "promote")).contains("has acknowledged and this one", "--force");
            await().untilAsserted(() -> assertThat(pair.admin(standby, "ha", "promote", "--force"))
                    .contains("This standby becomes active"));

            // then
            pair.awaitActive(standby, epoch);
            assertThat(takeAll(pair.port(standby), onBoth)).hasSize(onBoth);

            // and the former one becomes the standby
            pair.start(active).awaitLine("role standby in-sync");
        }
    }

    private static void startBoth(PairUnderTest pair) throws IOException {
        pair.start("a");
        pair.start("b");
        pair.of("a").awaitLine("ready");
        pair.of("b").awaitLine("ready");
    }

    private static void subscribe(int port) throws IOException {
        try (WireClient reader = new WireClient(port, "reader", WireClient.MQTT_3_1_1)) {
            reader.subscribe(ONCE_OR_MORE, 1);
            assertThat(reader.read().type()).isEqualTo(WireClient.SUBACK);
            reader.subscribe(EXACTLY_ONCE, 2);
            assertThat(reader.read().type()).isEqualTo(WireClient.SUBACK);
        }
    }

    /** Returns when all are acknowledged: a batch of QoS 1 and one of QoS 2. */
    private void publish(int port) throws IOException {
        try (WireClient writer = new WireClient(port, "writer", WireClient.MQTT_3_1_1)) {
            for (int i = 0; i < BATCH; i++) {
                writer.publish(ONCE_OR_MORE, 1, false, 1 + i, offered++);
                writer.publish(EXACTLY_ONCE, 2, false, 1 + BATCH + i, offered++);
            }
            writer.flush();
            int open = 2 * BATCH;
            while (open > 0) {
                Received answer = writer.read();
                if (answer.type() == WireClient.PUBREC) {
                    writer.acknowledge(WireClient.PUBREL, answer.packetId());
                    writer.flush();
                } else {
                    open--; // PUBACK or PUBCOMP
                }
            }
        }
    }

    /** Takes a few and completes them; what comes beside that is left open. Returns how many. */
    private static int completeSome(int port) throws IOException {
        int wanted = BATCH / 5;
        try (WireClient reader = new WireClient(port, "reader", WireClient.MQTT_3_1_1)) {
            int taken = 0;
            int completed = 0;
            while (completed < wanted) {
                Received packet = reader.read();
                if (packet.type() == WireClient.PUBREL) { // from now on it must not come again
                    reader.acknowledge(WireClient.PUBCOMP, packet.packetId());
                    completed++;
                } else if (packet.qos() == 2 && taken < wanted) {
                    reader.acknowledge(WireClient.PUBREC, packet.packetId());
                    taken++;
                }
                reader.flush();
            }
        }
        return wanted;
    }

    /** Everything that waits for the reader, each once however often it came at QoS 1; fails for a doubled QoS 2. */
    private static Set<Integer> takeAll(int port, int expected) throws IOException {
        Set<Integer> atLeastOnce = new TreeSet<>();
        List<Integer> once = new ArrayList<>();
        try (WireClient reader = new WireClient(port, "reader", WireClient.MQTT_3_1_1)) {
            assertThat(reader.sessionPresent()).isTrue();
            boolean marked = false;
            int ends = 0;
            Set<Integer> open = new TreeSet<>();
            while (!marked || !open.isEmpty() || ends < 2) {
                if (!marked && atLeastOnce.size() + once.size() == expected) {
                    marked = true; // what comes before the marks is too much
                    mark(port);
                }
                Received packet = reader.read();
                if (packet.type() == WireClient.PUBREL) {
                    reader.acknowledge(WireClient.PUBCOMP, packet.packetId());
                    open.remove(packet.packetId());
                } else if (packet.qos() == 2) {
                    once.add(packet.number());
                    reader.acknowledge(WireClient.PUBREC, packet.packetId());
                    open.add(packet.packetId());
                } else {
                    ends += packet.number() == END ? 1 : 0;
                    atLeastOnce.add(packet.number());
                    reader.acknowledge(WireClient.PUBACK, packet.packetId());
                }
                reader.flush();
            }
        }
        assertThat(once).doesNotHaveDuplicates();
        atLeastOnce.addAll(once);
        atLeastOnce.remove(END);
        return atLeastOnce;
    }

    private static void mark(int port) throws IOException {
        try (WireClient writer = new WireClient(port, "marker", WireClient.MQTT_3_1_1)) {
            writer.publish(ONCE_OR_MORE, 1, false, 1, END);
            writer.publish(EXACTLY_ONCE, 1, false, 2, END);
            writer.flush();
            assertThat(writer.read().type()).isEqualTo(WireClient.PUBACK);
            assertThat(writer.read().type()).isEqualTo(WireClient.PUBACK);
        }
    }
}
