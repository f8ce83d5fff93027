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
import org.junit.jupiter.params.provider.ValueSource;

/** Publishers that close their sockets in waves, with messages under way. */
@InTurn
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class PublisherStormTest {
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
    @CsvSource({"4,1", "4,2", "5,1", "5,2"})
    void shouldSendAgainWhatWasCutOff(int version, int qos) throws IOException {
        // given a line on which nothing of what the publishers send first comes through; before it each has cleaned its
        // session
        try (CuttingProxy proxy = new CuttingProxy(broker.port(), 2)) {
            Plans run = plans(proxy.port(), version, qos, 4, true);

            // when
            RunResult result = run.run();

            // then
            Map<String, Long> storms = result.counts().get("storms");
            assertThat(result.verdict().outcome()).as("%s", result.verdict()).isEqualTo(Outcome.PASSED);
            assertThat(proxy.cut()).isPositive();
            assertThat(storms.get("sentAgain")).isPositive();
            assertThat(storms.get("sessionsPresent")).isEqualTo(storms.get("left"));
            assertThat(storms.get("unknown")).isZero();
            assertThat(result.tally().lost()).isZero();
            assertThat(result.tally().received() - result.tally().duplicates())
                    .isEqualTo(result.tally().expected());
            assertThat(result.tally().duplicates()).isLessThanOrEqualTo(qos == 2 ? 0 : storms.get("sentAgain"));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void shouldNotCallLostWhatNobodyKnows(int qos) throws IOException {
        // given the same without sessions
        try (CuttingProxy proxy = new CuttingProxy(broker.port(), 1)) {
            Plans run = plans(proxy.port(), 4, qos, 4, false);

            // when
            RunResult result = run.run();

            // then
            Map<String, Long> storms = result.counts().get("storms");
            assertThat(result.verdict().outcome()).as("%s", result.verdict()).isEqualTo(Outcome.PASSED);
            assertThat(storms.get("unknown")).isPositive();
            assertThat(storms.get("unacknowledged")).isGreaterThanOrEqualTo(qos == 0 ? 0 : storms.get("unknown"));
            assertThat(storms.get("sentAgain")).isZero();
            assertThat(result.tally().sent() - result.tally().expected()).isEqualTo(storms.get("unknown"));
            assertThat(result.tally().received()).isEqualTo(result.tally().expected());
            assertThat(result.verdict().reasons())
                    .anySatisfy(reason -> assertThat(reason).contains("not known: ", storms.get("unknown") + " "));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldCallLostWhatTheServerHad(int qos) throws IOException {
        // given one that lets publishers through, and leaves out each tenth message to subscribers
        try (MeddlingProxy proxy = new MeddlingProxy(broker.port(), Meddling.DROP, 10)) {
            // one of four leaves at a time, so that most messages are not at the end of a connection
            Plans run = plans(proxy.port(), 4, qos, 1, false);
            run.measureMs = 1_500;
            run.drainMs = 1_000;
            run.maxInFlight = 1;

            // when
            RunResult result = run.run();

            // then only those at the end of a connection, which may have been cut off, are not known to be lost
            long unknown = result.counts().get("storms").get("unknown");
            assertThat(result.verdict().outcome()).isEqualTo(Outcome.FAILED);
            assertThat(result.tally().lost()).isPositive().isGreaterThanOrEqualTo(proxy.meddled() - unknown);
        }
    }

    @Test
    void shouldAllowDoublesOfWhatWasSentAgain() throws IOException {
        // given one that keeps each fifth acknowledgement to itself
        try (MeddlingProxy proxy = new MeddlingProxy(broker.port(), Meddling.WITHHOLD, 5)) {
            Plans run = plans(proxy.port(), 4, 1, 4, true);

            // when
            RunResult result = run.run();

            // then
            assertThat(result.verdict().outcome()).as("%s", result.verdict()).isEqualTo(Outcome.PASSED);
            assertThat(result.tally().duplicates())
                    .isPositive()
                    .isLessThanOrEqualTo(result.counts().get("storms").get("sentAgain"));
        }
    }

    @Test
    void shouldNotAllowOtherDoubles() throws IOException {
        // given one that has messages come twice, and publishers with one message under way
        try (MeddlingProxy proxy = new MeddlingProxy(broker.port(), Meddling.DOUBLE, 5)) {
            Plans run = plans(proxy.port(), 4, 1, 1, true);
            run.maxInFlight = 1;

            // when
            RunResult result = run.run();

            // then
            assertThat(result.verdict().outcome()).isEqualTo(Outcome.FAILED);
            assertThat(result.verdict().reasons())
                    .anySatisfy(reason -> assertThat(reason)
                            .endsWith("messages came more than once, though no publisher sent them again"));
        }
    }

    @Test
    void shouldNoticeThatASessionIsGone() throws IOException {
        // given a server that says it has no session of those who come back
        try (MeddlingProxy proxy = new MeddlingProxy(broker.port(), Meddling.FORGET, 1)) {
            Plans run = plans(proxy.port(), 4, 1, 2, true);

            // when
            RunResult result = run.run();

            // then
            Map<String, Long> storms = result.counts().get("storms");
            assertThat(result.verdict().outcome()).isEqualTo(Outcome.FAILED);
            assertThat(storms.get("sessionsLost")).isPositive();
            assertThat(storms.get("sentAgain")).isZero();
            assertThat(result.verdict().reasons())
                    .contains(storms.get("sessionsLost") + " sessions were gone when their clients came back");
        }
    }

    @Test
    void shouldHaveBothEndsComeBack() {
        // given subscribers that close their sockets too
        Plans run = plans(broker.port(), 5, 2, 100, true);
        run.isPersistent = true;
        run.storms = new Storms(msAsNs(200), Stormers.ALL, 6, false, msAsNs(20), 0, true);

        // when
        RunResult result = run.run();

        // then
        assertThat(result.verdict().outcome()).as("%s", result.verdict()).isEqualTo(Outcome.PASSED);
        assertThat(result.tally().lost() + result.tally().duplicates()).isZero();
        assertThat(result.counts().get("storms").get("left")).isGreaterThanOrEqualTo(6);
    }

    private static Plans plans(int port, int version, int qos, int leaving, boolean resends) {
        Plans run = new Plans(port);
        run.version = version;
        run.qos = qos;
        run.topicsPerProducer = 2;
        run.measureMs = 700;
        run.storms = new Storms(msAsNs(200), Stormers.PRODUCERS, leaving, false, 0, 0, resends);
        return run;
    }

    private static long msAsNs(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }
}
