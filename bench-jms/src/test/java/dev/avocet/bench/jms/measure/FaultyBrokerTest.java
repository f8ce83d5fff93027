package dev.avocet.bench.jms.measure;

import static dev.avocet.bench.jms.measure.Plans.execute;
import static dev.avocet.bench.jms.measure.Plans.flow;
import static dev.avocet.bench.jms.measure.Plans.requests;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.bench.jms.destination.DestinationKind;
import dev.avocet.bench.jms.fake.FakeBroker;
import dev.avocet.bench.jms.fake.Fault;
import dev.avocet.bench.jms.plan.ReplyTo;
import dev.avocet.bench.jms.plan.TrafficPlan;
import dev.avocet.bench.report.RunResult;
import dev.avocet.bench.run.Verdict.Outcome;
import dev.avocet.testkit.turn.InTurn;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each check finds what it is there for, and nothing where there is nothing. */
@InTurn
final class FaultyBrokerTest {
    private static final int MESSAGES = 400;
    private static final int ONE_IN = 50;

    static Stream<TrafficPlan> flows() {
        return Stream.of(
                flow(DestinationKind.QUEUE, "queue", 1, 1, 1),
                flow(DestinationKind.QUEUE, "queue", 2, 6, 2),
                flow(DestinationKind.TOPIC, "topic", 2, 3, 1),
                flow(DestinationKind.SHARED, "shared", 2, 3, 1));
    }

    static Stream<TrafficPlan> requestPlans() {
        return Stream.of(requests(ReplyTo.SELECTOR, 2, 2), requests(ReplyTo.TEMPORARY_QUEUE, 1, 1));
    }

    static Stream<TrafficPlan> all() {
        return Stream.concat(flows(), requestPlans());
    }

    @ParameterizedTest
    @MethodSource("all")
    void shouldPassWhatComesOnceAndInOrderAndWhole(TrafficPlan traffic) {
        // when
        RunResult result = run(traffic, Fault.NONE);

        // then
        assertThat(result.verdict().reasons()).isEmpty();
        assertThat(result.verdict().outcome()).isEqualTo(Outcome.PASSED);
        assertThat(result.tally().received())
                .isEqualTo(result.tally().expected())
                .isPositive();
        assertThat(result.latencies().values().iterator().next().samples())
                .isEqualTo(result.tally().received());
    }

    @ParameterizedTest
    @MethodSource("all")
    void shouldFindWhatIsLost(TrafficPlan traffic) {
        RunResult result = run(traffic, Fault.DROP);

        assertFailed(result, "lost: ");
        assertThat(result.tally().lost()).isGreaterThanOrEqualTo(MESSAGES / ONE_IN);
    }

    @ParameterizedTest
    @MethodSource("all")
    void shouldFindWhatComesTwice(TrafficPlan traffic) {
        RunResult result = run(traffic, Fault.DOUBLE);

        assertFailed(result, "doubled: ");
        assertThat(result.tally().lost()).isZero();
        assertThat(result.tally().duplicates()).isGreaterThanOrEqualTo(MESSAGES / ONE_IN);
    }

    /** Round trips have no order to lose: the next request goes when the reply is there. */
    @ParameterizedTest
    @MethodSource("flows")
    void shouldFindWhatComesTooLate(TrafficPlan traffic) {
        RunResult result = run(traffic, Fault.SWAP);

        assertThat(result.tally().duplicates()).isZero();
        assertThat(result.tally().corrupt()).isZero();
        if (isSeenByOneConsumer(traffic)) {
            assertFailed(result, "order: ");
        }
    }

    @ParameterizedTest
    @MethodSource("all")
    void shouldFindWhatIsDamaged(TrafficPlan traffic) {
        RunResult result = run(traffic, Fault.DAMAGE);

        assertFailed(result, "corrupt: ");
        assertThat(result.tally().lost()).isZero();
        assertThat(result.tally().corrupt()).isGreaterThanOrEqualTo(MESSAGES / ONE_IN);
    }

    /** Two messages that swap places and go to different consumers are in order for each. */
    private static boolean isSeenByOneConsumer(TrafficPlan traffic) {
        return traffic.equals(flow(DestinationKind.QUEUE, "queue", 1, 1, 1))
                || traffic.equals(flow(DestinationKind.TOPIC, "topic", 2, 3, 1));
    }

    private static RunResult run(TrafficPlan traffic, Fault fault) {
        FakeBroker broker = new FakeBroker(fault, ONE_IN);
        return execute(Plans.run(traffic, MESSAGES, "64-200", 1), List.of(broker::connect));
    }

    private static void assertFailed(RunResult result, String reason) {
        assertThat(result.verdict().outcome()).isEqualTo(Outcome.FAILED);
        assertThat(result.verdict().reasons())
                .anySatisfy(text -> assertThat(text).startsWith(reason));
    }
}
