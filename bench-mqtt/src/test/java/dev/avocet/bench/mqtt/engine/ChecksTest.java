package dev.avocet.bench.mqtt.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.bench.check.Tally;
import dev.avocet.bench.latency.LatencySummary;
import dev.avocet.bench.mqtt.engine.MeddlingProxy.Meddling;
import dev.avocet.bench.report.RunResult;
import dev.avocet.bench.run.RateSchedule;
import dev.avocet.bench.run.Verdict.Outcome;
import dev.avocet.testkit.TestBroker;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What somebody does to messages on their way is found, in kind and number. */
@InTurn
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ChecksTest {
    private static final int EVERY = 37;

    private TestBroker broker;

    @BeforeAll
    void start() {
        broker = Brokers.start();
    }

    @AfterAll
    void stop() {
        broker.close();
    }

    @ParameterizedTest
    @EnumSource(
            value = Meddling.class,
            names = {"NONE", "DROP", "DOUBLE", "REORDER", "CORRUPT"})
    void shouldFindWhatWasDoneToMessages(Meddling meddling) throws IOException {
        try (MeddlingProxy proxy = new MeddlingProxy(broker.port(), meddling, EVERY)) {
            // given two publishers and one subscriber of each
            Plans run = new Plans(proxy.port());
            run.producers = 2;
            run.schedule = RateSchedule.fixed(1000);

            // when
            RunResult result = run.run();

            // then
            int meddled = proxy.meddled();
            long sent = result.tally().sent();
            assertThat(result.tally()).isEqualTo(expected(meddling, sent, meddled, proxy.holding()));
            boolean isClean = meddling == Meddling.NONE;
            assertThat(meddled > 0).isEqualTo(!isClean);
            assertThat(result.verdict().outcome()).isEqualTo(isClean ? Outcome.PASSED : Outcome.FAILED);
            assertThat(result.verdict().reasons()).hasSize((isClean ? 0 : 1) + Math.min(1, proxy.holding()));
        }
    }

    private static Tally expected(Meddling meddling, long sent, int meddled, int held) {
        return switch (meddling) {
            case DROP -> new Tally(sent, sent, sent - meddled, 0, 0, 0);
            case DOUBLE -> new Tally(sent, sent, sent + meddled, meddled, 0, 0);
            case REORDER -> new Tally(sent, sent, sent - held, 0, meddled, 0);
            case CORRUPT -> new Tally(sent, sent, sent, 0, 0, meddled);
            case NONE, STALL, FORGET, WITHHOLD -> new Tally(sent, sent, sent, 0, 0, 0);
        };
    }

    /**
     * A publisher that waits for each PUBACK is held up for half a second, once. Had it measured from when it sent, one
     * message of a thousand would have been slow; measured from when they were meant to be sent, all those that fell
     * due in between were.
     */
    @Test
    void shouldShowAStallInThePercentiles() throws IOException {
        try (MeddlingProxy proxy = new MeddlingProxy(broker.port(), Meddling.STALL, 100)) {
            // given
            Plans run = new Plans(proxy.port());
            run.producers = 1;
            run.consumers = 1;
            run.partitions = 1;
            run.qos = 1;
            run.maxInFlight = 1;
            run.schedule = RateSchedule.fixed(250);
            run.measureMs = 2_000;

            // when
            RunResult result = run.run();

            // then a quarter of two seconds' messages were late, and half of those by more than half of the stall
            LatencySummary latency = result.latencies().get("message");
            assertThat(proxy.meddled()).isPositive();
            assertThat(latency.maxNs()).isGreaterThan(ms(MeddlingProxy.STALL_MS - 100));
            assertThat(latency.p90Ns()).isGreaterThan(ms(MeddlingProxy.STALL_MS / 4));
            assertThat(result.verdict().outcome()).isEqualTo(Outcome.PASSED);
        }
    }

    private static long ms(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }
}
