package dev.avocet.bench.jms.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.bench.jms.destination.Layout;
import dev.avocet.bench.jms.fake.Allocations;
import dev.avocet.bench.jms.fake.FakeBroker;
import dev.avocet.bench.jms.flow.OneFlow.Way;
import dev.avocet.bench.jms.plan.AcknowledgeMode;
import dev.avocet.bench.jms.plan.ConsumerPlan;
import dev.avocet.bench.jms.plan.MessageSizes;
import dev.avocet.bench.jms.plan.ReceiveMode;
import dev.avocet.bench.jms.traffic.Arrivals;
import dev.avocet.bench.jms.traffic.Bodies;
import dev.avocet.bench.jms.traffic.Failures;
import dev.avocet.bench.latency.LatencyRecorder;
import dev.avocet.bench.run.RateSchedule;
import dev.avocet.bench.run.RunClock;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the harness does for each message leaves no garbage, so a real-time collector has nothing to do. */
final class SteadyStateTest {
    private static final String SIZES = "128-512";

    private OneFlow flow;
    private Arrivals arrivals;
    private final Failures failures = new Failures();

    /** The listener is called on the sending thread. */
    @ParameterizedTest
    @CsvSource({"false, 0, 2", "false, 100, 1", "true, 100, 2"})
    void shouldSendAndListenWithoutAllocation(boolean isPaced, int messagesPerCommit, int acknowledgeMode)
            throws JMSException {
        Way way = new Way(SIZES, messagesPerCommit, 0, new AcknowledgeMode(acknowledgeMode));

        Allocations.assertNonePerMessage(messages -> sending(way, messages, isPaced));

        assertAllReceived();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 20})
    void shouldSendWithCompletionListenersWithoutAllocation(int window) throws JMSException {
        Way way = new Way(SIZES, 0, window, AcknowledgeMode.AUTO);

        Allocations.assertNonePerMessage(messages -> sending(way, messages, false));

        assertAllReceived();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "LISTENER")
    void shouldReceiveWithoutAllocation(ReceiveMode mode) throws JMSException {
        Allocations.assertNonePerMessage(messages -> receiving(mode, messages));

        assertThat(failures.texts()).isEmpty();
        assertThat(arrivals.figures().received()).isEqualTo(Allocations.MANY);
        assertThat(arrivals.figures().corrupt() + arrivals.figures().duplicates())
                .isZero();
    }

    /** The count itself sees what there is to see. */
    @Test
    void shouldNoticeABytePerMessage() {
        byte[][] kept = new byte[1][];

        Allocations.Path path = messages -> () -> {
            for (int i = 0; i < messages; i++) {
                kept[0] = new byte[1];
            }
        };

        assertThatThrownBy(() -> Allocations.assertNonePerMessage(path)).isInstanceOf(AssertionError.class);
    }

    private Runnable sending(Way way, int messages, boolean isPaced) throws JMSException {
        Session session = new FakeBroker().session();
        flow = new OneFlow(session, session, "queue", way);
        RateSchedule schedule = isPaced ? RateSchedule.fixed(1e9) : RateSchedule.unpaced();
        return flow.producer(flow.pace(messages, schedule, () -> Long.MAX_VALUE), true)::sendAll;
    }

    private Runnable receiving(ReceiveMode mode, int messages) throws JMSException {
        Session session = new FakeBroker().session();
        RunClock clock = RunClock.system();
        MessageSizes sizes = MessageSizes.of(SIZES);
        ScriptedConsumer consumer = new ScriptedConsumer(session, new Bodies(sizes), clock, messages);
        arrivals = new Arrivals(clock, new LatencyRecorder(), sizes.largest(), null);
        arrivals.begin(clock.nanoTime());
        ConsumerPlan plan =
                new ConsumerPlan(Layout.ofThreads("queue", 1), mode, 0, AcknowledgeMode.CLIENT, 7, false, 0);
        ReceivingSession receiving = new ReceivingSession(session, plan, failures);
        Inlet inlet = new Inlet("q", consumer, receiving, arrivals, 0, failures, null, false);
        ConsumerThread thread =
                new ConsumerThread("consumer", List.of(inlet), mode, new TimedCall(clock, true), failures);
        consumer.atEnd(thread::end);
        return thread;
    }

    private void assertAllReceived() {
        assertThat(flow.failures().texts()).isEmpty();
        assertThat(flow.received()).isEqualTo(Allocations.MANY);
    }
}
