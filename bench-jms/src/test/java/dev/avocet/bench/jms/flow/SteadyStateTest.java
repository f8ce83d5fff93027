package dev.avocet.bench.jms.flow;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.avocet.bench.jms.destination.Layout;
import dev.avocet.bench.jms.fake.FakeBroker;
import dev.avocet.bench.jms.plan.AcknowledgeMode;
import dev.avocet.bench.jms.plan.ConsumerPlan;
import dev.avocet.bench.jms.plan.MessageSizes;
import dev.avocet.bench.jms.plan.ReceiveMode;
import dev.avocet.bench.jms.traffic.Arrivals;
import dev.avocet.bench.jms.traffic.Bodies;
import dev.avocet.bench.jms.traffic.Failures;
import dev.avocet.bench.jms.traffic.Pace;
import dev.avocet.bench.latency.LatencyRecorder;
import dev.avocet.bench.run.RateSchedule;
import dev.avocet.bench.run.RunClock;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the harness does for each message leaves no garbage, so a real-time collector has nothing to do. */
final class SteadyStateTest {
    private static final int FEW = 2_000;
    private static final int MANY = 102_000;

    /** Of a hundred thousand messages; what the JVM itself puts on a thread now and then. */
    private static final long SLACK_BYTES = 16_384;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final RunClock clock = RunClock.system();
    private final Failures failures = new Failures();
    private long received;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldAllocateNothingPerMessage(boolean isPaced) throws JMSException {
        // given a run that has warmed up; the listener is called on the sending thread
        allocatedBytes(FEW, isPaced);

        // when
        long fewBytes = allocatedBytes(FEW, isPaced);
        long manyBytes = allocatedBytes(MANY, isPaced);

        // then
        assertThat(failures.texts()).isEmpty();
        assertThat(received).isEqualTo(MANY);
        assertThat(manyBytes - fewBytes).isLessThan(SLACK_BYTES);
    }

    private long allocatedBytes(int messages, boolean isPaced) throws JMSException {
        Session session = new FakeBroker().session();
        Queue queue = session.createQueue("queue");
        MessageConsumer consumer = session.createConsumer(queue);
        Arrivals arrivals = new Arrivals(clock, new LatencyRecorder(), 512, null);
        arrivals.begin(clock.nanoTime());
        ConsumerPlan plan = new ConsumerPlan(
                Layout.ofThreads("queue", 1), ReceiveMode.LISTENER, 0, AcknowledgeMode.CLIENT, 100, false, 0);
        consumer.setMessageListener(
                new Inlet(consumer, new ReceivingSession(session, plan, failures), arrivals, 0, failures, null));
        SendingSession sending = new SendingSession(session, 100, new Bodies(MessageSizes.of("128-512")), null);
        Outlet outlet = new Outlet(session.createProducer(queue), null, sending, 0, 1);
        Pace pace = new Pace(clock, messages, () -> true);
        pace.begin(isPaced ? RateSchedule.fixed(1e9) : RateSchedule.unpaced(), 0, 1, clock.nanoTime());
        ProducerThread producer =
                new ProducerThread("producer", List.of(outlet), pace, new ProducerThread.Calls(clock, true), failures);

        long beforeBytes = threads.getCurrentThreadAllocatedBytes();
        producer.sendAll();
        long allocatedBytes = threads.getCurrentThreadAllocatedBytes() - beforeBytes;

        received = arrivals.figures().received();
        return allocatedBytes;
    }
}
