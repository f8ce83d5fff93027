package dev.avocet.dist.pair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.dist.Launched;
import dev.avocet.dist.fault.Consuming;
import dev.avocet.dist.fault.Party;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * How long a client waits for its acknowledgements when the active node is killed or hands over, as a pair is shipped.
 * It prints what it has measured; {@code -Davocet.pair.rounds=20} plays more rounds, and
 * {@code -Davocet.pair.syncTimeout=1000} has the default in place of a time that nothing may wait for;
 * {@code -Davocet.pair.pinned=true} gives each broker a processor of its own. The nightly one has a large store;
 * {@code -Davocet.pair.sessions}, {@code references} and {@code retained} choose how large.
 */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class PairTimesTest {
    private static final int ROUNDS = Integer.getInteger("avocet.pair.rounds", 1);
    private static final int SYNC_TIMEOUT_MS = Integer.getInteger("avocet.pair.syncTimeout", 10_000);
    private static final boolean PINNED = Boolean.getBoolean("avocet.pair.pinned");
    private static final int PATIENCE_MS = 6_000;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Preload NOTHING = new Preload(0, 0, 0);
    private static final Preload LARGE = Preload.orAsAsked(20_000, 1_000_000, 100_000);
    private static final int LARGE_ROUNDS = Integer.getInteger("avocet.pair.rounds", 5);
    private static final String LARGE_HEAP = "512m";

    /** What is promised of a kill with a large store. */
    private static final long USUAL_MS = 1_200;

    private static final long LONGEST_MS = 2_000;

    /** What is promised of a switch with a large store. */
    private static final long LONGEST_SWITCH_MS = 1_000;

    private static final int SOME = 20;
    private static final String TOPIC = "timed";

    @TempDir
    private Path folder;

    @InTurn
    @Test
    void shouldAcknowledgeSoonAfterTheActiveNodeIsLostOrHandsOver() throws Exception {
        measure("without a secret", NOTHING, ROUNDS);
    }

    @InTurn
    @Test
    void shouldAcknowledgeSoonWhenTheMembersHaveASecret() throws Exception {
        measure("with a secret", NOTHING, ROUNDS, "--ha-secret-file", secret().toString());
    }

    @Test
    @Tag("nightly")
    void shouldTakeOverALargeStoreWithinTwoSeconds() throws Exception {
        Pauses pauses = measure(LARGE.toString(), LARGE, LARGE_ROUNDS);

        assertThat(pauses.killsMs()).allSatisfy(each -> assertThat(each).isLessThanOrEqualTo(LONGEST_MS));
        assertThat(median(pauses.killsMs())).isLessThanOrEqualTo(USUAL_MS);
        assertThat(pauses.switchesMs()).allSatisfy(each -> assertThat(each).isLessThanOrEqualTo(LONGEST_SWITCH_MS));
    }

    private Path secret() throws IOException {
        return Files.writeString(folder.resolve("secret"), "0123456789abcdef0123456789abcdef\n");
    }

    /** The longest pause of the client in each kill and in each switch. */
    private record Pauses(List<Long> killsMs, List<Long> switchesMs) {}

    private Pauses measure(String what, Preload preload, int rounds, String... proof) throws Exception {
        try (PairUnderTest pair = new PairUnderTest(folder, null)) {
            // given
            if (!preload.equals(NOTHING)) {
                pair.atSpeed(LARGE_HEAP);
            }
            for (String member : List.of("a", "b", PairUnderTest.ARBITER)) {
                pair.prove(member, proof);
            }
            pair.startArbiter().awaitLine("ready");
            start(pair, "a");
            start(pair, "b");
            pair.of("a").awaitLine("ready");
            pair.of("b").awaitLine("ready");
            preload.fill(pair.port(pair.active()));
            int[] ports = {pair.port("a"), pair.port("b")};
            Consuming consumer = new Consuming(ports, "reader", TOPIC, 1, PATIENCE_MS);
            start(consumer);
            await().atMost(PATIENCE).until(consumer::isSubscribed);
            Timing timing = new Timing(ports, TOPIC);
            start(timing);

            // when
            List<Long> killsMs = new ArrayList<>();
            List<Long> switchesMs = new ArrayList<>();
            for (int round = 0; round < rounds; round++) {
                killsMs.add(killMs(pair, timing));
                if (!preload.equals(NOTHING)) {
                    pair.of(PairUnderTest.other(pair.active())).awaitLineWith("has rehearsed to take over");
                }
                switchesMs.add(switchMs(pair, timing));
            }

            // then
            String measured = what + ", SyncTimeout " + SYNC_TIMEOUT_MS + " ms: longest pause of a"
                    + " client after a kill " + summary(killsMs) + "; in a switch "
                    + summary(switchesMs);
            System.out.println(measured);
            assertThat(killsMs).as(measured).allSatisfy(each -> assertThat(each).isLessThan(PATIENCE_MS));
            assertThat(switchesMs)
                    .as(measured)
                    .allSatisfy(each -> assertThat(each).isLessThan(PATIENCE_MS));
            timing.stop();
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(consumer.next()).isGreaterThanOrEqualTo(timing.acknowledged()));
            consumer.stop();
            assertThat(timing.problem()).isNull();
            assertThat(consumer.problem()).isNull();
            return new Pauses(killsMs, switchesMs);
        }
    }

    private static void start(PairUnderTest pair, String node) throws IOException, InterruptedException {
        Launched broker = pair.start(node, "--ha-sync-timeout", Integer.toString(SYNC_TIMEOUT_MS));
        if (PINNED) {
            String processor = node.equals("a") ? "0" : "1";
            Process pinning = new ProcessBuilder("taskset", "-apc", processor, Long.toString(broker.pid()))
                    .inheritIO()
                    .start();
            assertThat(pinning.waitFor()).isZero();
        }
    }

    private static void start(Party party) {
        Thread thread = new Thread(party);
        thread.setDaemon(true);
        thread.start();
    }

    private static long killMs(PairUnderTest pair, Timing timing) throws Exception {
        String active = awaitInSync(pair, timing);
        int from = timing.acknowledged();
        pair.kill(active);
        awaitMore(timing);
        long longestMs = longestPauseMs(timing, from);
        start(pair, active);
        pair.of(active).awaitLine("ready");
        return longestMs;
    }

    private static long switchMs(PairUnderTest pair, Timing timing) throws Exception {
        String active = awaitInSync(pair, timing);
        int from = timing.acknowledged();
        assertThat(pair.admin(active, "ha", "switch")).contains("takes over");
        pair.awaitInSync(active);
        assertThat(awaitInSync(pair, timing)).isEqualTo(PairUnderTest.other(active));
        return longestPauseMs(timing, from);
    }

    /** The longest time between two acknowledgements, of that number or a later one. */
    private static long longestPauseMs(Timing timing, int from) {
        long longestNs = 0;
        for (int number = from; number < timing.acknowledged(); number++) {
            longestNs = Math.max(longestNs, timing.acknowledgedNs(number) - timing.acknowledgedNs(number - 1));
        }
        return TimeUnit.NANOSECONDS.toMillis(longestNs);
    }

    /** Returns the active node once both have everything, and clients are served. */
    private static String awaitInSync(PairUnderTest pair, Timing timing) throws Exception {
        awaitMore(timing);
        String[] active = new String[1];
        await().atMost(PATIENCE).until(() -> {
            active[0] = pair.active();
            return pair.of(active[0]).httpGet("/health").contains("\"inSync\":[\"a\",\"b\"]")
                    && pair.of(PairUnderTest.other(active[0]))
                            .httpGet("/health")
                            .contains("\"role\":\"standby in-sync\"");
        });
        awaitMore(timing);
        return active[0];
    }

    private static void awaitMore(Timing timing) {
        int before = timing.acknowledged();
        await().atMost(PATIENCE).until(() -> timing.acknowledged() > before + SOME);
    }

    private static long median(List<Long> values) {
        return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
    }

    private static String summary(List<Long> valuesMs) {
        return String.format(
                Locale.ROOT,
                "p50 %d ms, max %d ms in %d rounds",
                median(valuesMs),
                Collections.max(valuesMs),
                valuesMs.size());
    }
}
