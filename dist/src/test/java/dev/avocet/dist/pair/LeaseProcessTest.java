package dev.avocet.dist.pair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.dist.fault.WireClient;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An active node that hears of no other member delivers nothing once its lease is over, as it is shipped. */
@InTurn
@Timeout(120)
class LeaseProcessTest {
    private static final int LEASE_MS = 500;
    private static final int EVERY_MS = 10;
    private static final String TOPIC = "now";

    @TempDir
    private Path folder;

    /** In milliseconds since the other members stand still. */
    private final AtomicInteger publishedLast = new AtomicInteger();

    @Test
    void shouldDeliverNothingAfterItsLeaseWhenTheOtherMembersStandStill() throws Exception {
        try (PairUnderTest pair = new PairUnderTest(folder, null)) {
            // given
            pair.startArbiter().awaitLine("ready");
            pair.start("a", "--ha-min-in-sync", "2");
            pair.start("b", "--ha-min-in-sync", "2");
            pair.of("a").awaitLine("ready");
            pair.of("b").awaitLine("ready");
            String active = pair.active();
            String standby = PairUnderTest.other(active);
            pair.awaitInSync(standby);
            int epoch = pair.epoch(active);
            assertThat(pair.of(standby).httpGet("/metrics"))
                    .contains("avocet_pair_active 0.0", "avocet_pair_in_sync 1.0", "avocet_pair_epoch " + epoch + ".0");
            assertThat(pair.of(active).httpGet("/metrics"))
                    .contains("avocet_pair_active 1.0", "avocet_pair_nodes_in_sync 2.0");
            ScheduledExecutorService publisher = Executors.newSingleThreadScheduledExecutor();
            try (WireClient reader = pair.connected(active, "reader");
                    WireClient writer = pair.connected(active, "writer")) {
                reader.subscribe(TOPIC, 0);
                assertThat(reader.read().type()).isEqualTo(WireClient.SUBACK);
                writer.publish(TOPIC, 0, false, 0, 0);
                writer.flush();
                assertThat(reader.read().number()).isZero();

                // when
                pair.of(PairUnderTest.ARBITER).stop();
                pair.of(standby).stop();
                long stoppedNs = System.nanoTime();
                var publishing = publisher.scheduleAtFixedRate(
                        () -> publish(writer, stoppedNs), 0, EVERY_MS, TimeUnit.MILLISECONDS);

                // then: it gives its role up later, and until then clients may publish
                assertThat(lastReceived(reader)).isLessThanOrEqualTo(LEASE_MS);
                assertThat(publishedLast).hasValueGreaterThan(2 * LEASE_MS);
                assertThat(publishing.isCancelled()).isFalse();
                pair.of(active).awaitLine("role fenced epoch " + epoch);
            } finally {
                publisher.shutdownNow();
            }

            // when they are there again, the pair goes on
            pair.of(PairUnderTest.ARBITER).signal("CONT");
            pair.of(standby).signal("CONT");
            assertThat(pair.active()).isIn(active, standby);
        }
    }

    private void publish(WireClient writer, long stoppedNs) {
        int nowMs = (int) TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - stoppedNs);
        try {
            writer.publish(TOPIC, 0, false, 0, nowMs);
            writer.flush();
            publishedLast.set(nowMs);
        } catch (IOException e) {
            throw new IllegalStateException("the connection is closed", e); // which ends the schedule
        }
    }

    /** Returns when the connection is closed. */
    private static int lastReceived(WireClient reader) {
        int last = 0;
        try {
            while (true) {
                last = Math.max(last, reader.read().number());
            }
        } catch (IOException e) {
            return last;
        }
    }
}
