package dev.avocet.bench.mqtt.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.bench.check.Tally;
import dev.avocet.bench.mqtt.engine.MeddlingProxy.Meddling;
import dev.avocet.bench.mqtt.engine.flow.Correlation;
import dev.avocet.bench.mqtt.engine.plan.RunPlan.Requests;
import dev.avocet.bench.report.RunResult;
import dev.avocet.bench.run.RateSchedule;
import dev.avocet.bench.run.Verdict.Outcome;
import dev.avocet.testkit.TestBroker;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests that are answered, and what becomes of those that are not. */
@InTurn
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class RequestsTest {
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
    @CsvSource({"3,1", "4,0", "4,1", "4,2", "5,0", "5,1", "5,2"})
    void shouldBringEveryReplyToWhoAsked(int version, int qos) {
        // given four requesters with two topics each, and three who share the answering
        Plans run = requests(broker.port());
        run.version = version;
        run.qos = qos;

        // when
        RunResult result = run.run();

        // then
        long sent = result.tally().sent();
        assertThat(result.verdict().outcome()).as("%s", result.verdict()).isEqualTo(Outcome.PASSED);
        assertThat(result.tally().received()).isEqualTo(sent).isPositive();
        assertThat(result.counts().get("requests")).isEqualTo(Map.of("answered", sent, "unanswered", 0L, "stray", 0L));
        assertThat(result.latencies()).containsKey("round trip").doesNotContainKey("message");
    }

    @Test
    void shouldKeepRepliesThatAreTooManyInFlight() {
        Plans run = requests(broker.port());
        run.qos = 1;
        run.schedule = RateSchedule.unpaced();
        run.window = 200;
        run.batch = 16;
        run.maxInFlight = 2;

        RunResult result = run.run();

        assertThat(result.verdict().outcome()).as("%s", result.verdict()).isEqualTo(Outcome.PASSED);
    }

    @Test
    void shouldMissRepliesThatAreLost() throws IOException {
        // given a proxy that drops every tenth PUBLISH of each client, a request or a reply
        try (MeddlingProxy proxy = new MeddlingProxy(broker.port(), Meddling.DROP, 10)) {
            // when
            RunResult result = requests(proxy.port()).run();

            // then each of them is a round trip that did not come to its end
            Tally tally = result.tally();
            assertThat(tally.lost()).isEqualTo(proxy.meddled()).isPositive();
            assertThat(result.verdict().outcome()).isEqualTo(Outcome.FAILED);
        }
    }

    @Test
    void shouldFindCorrelationDataThatWereDamaged() {
        // given a reply that brings back another request's correlation data
        byte[] packet = new byte[100];
        packet[0] = Correlation.SIZE_BYTES + 3;
        packet[1] = 0x09;
        packet[2] = 0;
        packet[3] = Correlation.SIZE_BYTES;
        int payloadAt = 4 + Correlation.SIZE_BYTES;

        // then
        assertThat(Correlation.isThere(packet, 0, payloadAt, packet.length)).isTrue();
        packet[4] ^= 1;
        assertThat(Correlation.isThere(packet, 0, payloadAt, packet.length)).isFalse();
    }

    @Test
    void shouldRefuseFiltersThatNobodyOrTooManyAnswer() {
        Plans nobody = requests(broker.port());
        nobody.filter = "elsewhere/#";
        Plans all = requests(broker.port());
        all.filter = "request/#";
        Plans echo = requests(broker.port());
        echo.filter = "$share/r/#";

        assertThatThrownBy(nobody::run).hasMessageContaining("reach 0 responders");
        assertThatThrownBy(all::run).hasMessageContaining("reach 3 responders");
        assertThatThrownBy(echo::run).hasMessageContaining("replies to reply/request/0/0.0 1");
    }

    private static Plans requests(int port) {
        Plans run = new Plans(port);
        run.topic = "request/{p}/{i}.{t}";
        run.topicsPerProducer = 2;
        run.filter = "$share/responders/request/#";
        run.consumers = 3;
        run.requests = new Requests("reply/");
        return run;
    }
}
