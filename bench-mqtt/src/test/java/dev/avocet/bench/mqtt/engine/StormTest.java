package dev.avocet.bench.mqtt.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.bench.mqtt.engine.MeddlingProxy.Meddling;
import dev.avocet.bench.mqtt.engine.plan.RunPlan.Stormers;
import dev.avocet.bench.mqtt.engine.plan.RunPlan.Storms;
import dev.avocet.bench.report.RunResult;
import dev.avocet.bench.run.Verdict.Outcome;
import dev.avocet.testkit.TestBroker;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clients that leave in waves while messages flow. */
@InTurn
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class StormTest {
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
    @CsvSource({"4,1,false,0", "4,2,false,0", "5,1,true,500", "5,2,false,500"})
    void shouldLoseNothingForThoseWhoComeBack(int version, int qos, boolean isClean, double returnsPerSecond) {
        // given twelve subscribers with sessions that outlive their connections, of whom half leave each time
        Plans run = new Plans(broker.port());
        run.version = version;
        run.qos = qos;
        run.isPersistent = true;
        run.topic = "s/{s}";
        run.topicsPerProducer = 6;
        run.filter = "s/{s}";
        run.consumers = 12;
        run.filtersPerClient = 2;
        run.partitions = 24;
        run.storms = new Storms(msAsNs(100), Stormers.CONSUMERS, 6, isClean, msAsNs(20), returnsPerSecond);

        // when
        RunResult result = run.run();

        // then
        Map<String, Long> storms = result.counts().get("storms");
        assertThat(result.verdict().outcome()).as("%s", result.verdict()).isEqualTo(Outcome.PASSED);
        assertThat(result.tally().lost()).isZero();
        assertThat(storms.get("waves")).isPositive();
        assertThat(storms.get("left")).isEqualTo(storms.get("returned")).isPositive();
        assertThat(storms.get("sessionsPresent")).isEqualTo(storms.get("left"));
        assertThat(result.latencies().get("reconnect").samples()).isEqualTo(storms.get("returned"));
        assertThat(result.connections()).isEqualTo(16);
    }

    @Test
    void shouldNoticeSessionsThatAreGone() throws IOException {
        // given a server that says it has no session of those who come back
        try (MeddlingProxy proxy = new MeddlingProxy(broker.port(), Meddling.FORGET, 1)) {
            Plans run = new Plans(proxy.port());
            run.qos = 1;
            run.isPersistent = true;
            run.storms = new Storms(msAsNs(100), Stormers.CONSUMERS, 2, true, 0, 0);

            // when
            RunResult result = run.run();

            // then
            long gone = result.counts().get("storms").get("sessionsLost");
            assertThat(gone).isPositive();
            assertThat(result.verdict().outcome()).isEqualTo(Outcome.FAILED);
            assertThat(result.verdict().reasons()).contains(gone + " sessions were gone when their clients came back");
        }
    }

    @Test
    void shouldHavePublishersLeaveWhenAllIsAcknowledged() {
        Plans run = new Plans(broker.port());
        run.qos = 2;
        run.storms = new Storms(msAsNs(100), Stormers.PRODUCERS, 3, true, 0, 0);

        RunResult result = run.run();

        assertThat(result.verdict().outcome()).as("%s", result.verdict()).isEqualTo(Outcome.PASSED);
        assertThat(result.counts().get("storms").get("left")).isGreaterThanOrEqualTo(3);
    }

    @Test
    void shouldHaveIdleClientsComeAndGo() {
        Plans run = new Plans(broker.port());
        run.producers = 0;
        run.consumers = 0;
        run.idle = 50;
        run.storms = new Storms(msAsNs(50), Stormers.IDLE, 50, true, 0, 0);

        RunResult result = run.run();

        assertThat(result.verdict().outcome()).as("%s", result.verdict()).isEqualTo(Outcome.PASSED);
        assertThat(result.counts().get("storms").get("left")).isGreaterThanOrEqualTo(50);
        assertThat(result.latencies().get("connack").samples())
                .isEqualTo(50 + result.counts().get("storms").get("returned"));
    }

    private static long msAsNs(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }
}
