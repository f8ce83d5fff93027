package dev.avocet.dist.pair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.dist.fault.Consuming;
import dev.avocet.dist.fault.Party;
import dev.avocet.dist.fault.WireClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * How long a commit takes at most while a standby comes back that was away for long. It prints what it has measured;
 * {@code -Davocet.pair.behindMb=100} has the standby lack less.
 */
@Tag("nightly")
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class RejoinTest {
    private static final long BEHIND_BYTES = Long.getLong("avocet.pair.behindMb", 2_000) << 20;
    private static final String HEAP = "512m";
    private static final Duration PATIENCE = Duration.ofMinutes(15);
    private static final int PATIENCE_MS = 20_000;
    private static final String TOPIC = "timed";
    private static final int TOPICS = 200;
    private static final int PAYLOAD_BYTES = 100_000;
    private static final int WINDOW = 20;
    private static final int COMPARED = 1_000;
    private static final int SOME = 200;

    /** What is promised. */
    private static final long DELAY_MS = 100;

    @TempDir
    private Path folder;

    @Test
    void shouldDelayNoCommitForLongWhileAStandbyCatchesUp() throws Exception {
        try (PairUnderTest pair = new PairUnderTest(folder, null)) {
            // given a standby that was away while much was published
            pair.atSpeed(HEAP);
            pair.startArbiter().awaitLine("ready");
            pair.start("a").awaitLine("ready");
            pair.start("b").awaitLine("ready");
            pair.makeActive("a");
            pair.of("b").terminate();
            publish(pair.port("a"));
            int[] ports = {pair.port("a")};
            Consuming consumer = new Consuming(ports, "reader", TOPIC, 1, PATIENCE_MS);
            start(consumer);
            await().atMost(PATIENCE).until(consumer::isSubscribed);
            Timing timing = new Timing(ports, TOPIC);
            start(timing);
            await().atMost(PATIENCE).until(() -> timing.acknowledged() > COMPARED);

            // when it comes back
            int from = timing.acknowledged();
            long beganNs = System.nanoTime();
            pair.start("b").awaitLine("ready");
            pair.awaitInSync("b");
            long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNs);
            int joined = timing.acknowledged();
            await().atMost(PATIENCE).until(() -> timing.acknowledged() > joined + SOME);

            // then
            long[] before = pausesMs(timing, from - COMPARED, from);
            long[] meanwhile = pausesMs(timing, from, timing.acknowledged());
            String measured = String.format(
                    Locale.ROOT,
                    "%d MB behind, in sync after %d ms; pauses of a client before: %s; meanwhile: %s",
                    BEHIND_BYTES >> 20,
                    tookMs,
                    summary(before),
                    summary(meanwhile));
            System.out.println(measured);
            assertThat(timing.problem()).isNull();
            assertThat(longest(meanwhile)).as(measured).isLessThanOrEqualTo(longest(before) + DELAY_MS);
            timing.stop();
            consumer.stop();
        }
    }

    private static void start(Party party) {
        Thread thread = new Thread(party);
        thread.setDaemon(true);
        thread.start();
    }

    /** Retained messages, of which each takes the place of an earlier one. */
    private static void publish(int port) throws IOException {
        try (WireClient writer = new WireClient(port, "writer", WireClient.MQTT_3_1_1)) {
            byte[] payload = new byte[PAYLOAD_BYTES];
            int sent = 0;
            for (int acknowledged = 0; (long) acknowledged * PAYLOAD_BYTES < BEHIND_BYTES; acknowledged++) {
                for (; sent < acknowledged + WINDOW; sent++) {
                    writer.retain("large/" + sent % TOPICS, 1 + sent % WINDOW, sent, payload);
                }
                writer.flush();
                assertThat(writer.read().type()).isEqualTo(WireClient.PUBACK);
            }
        }
    }

    /** Sorted times between two acknowledgements, of those numbers. */
    private static long[] pausesMs(Timing timing, int from, int end) {
        long[] pauses = new long[end - from];
        for (int number = from; number < end; number++) {
            pauses[number - from] =
                    TimeUnit.NANOSECONDS.toMillis(timing.acknowledgedNs(number) - timing.acknowledgedNs(number - 1));
        }
        Arrays.sort(pauses);
        return pauses;
    }

    private static long longest(long[] sorted) {
        return sorted[sorted.length - 1];
    }

    private static String summary(long[] sorted) {
        return String.format(
                Locale.ROOT,
                "p50 %d ms, p99 %d ms, longest %d ms of %d",
                sorted[sorted.length / 2],
                sorted[sorted.length * 99 / 100],
                longest(sorted),
                sorted.length);
    }
}
