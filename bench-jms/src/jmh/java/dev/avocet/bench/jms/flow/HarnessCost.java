package dev.avocet.bench.jms.flow;

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
import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What pace, head, checks and histograms cost for a message of 256 bytes, there and back, over a client that does next to nothing: the
 * difference of the two is to be held against what a real client takes for a message.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class HarnessCost {
    private final RunClock clock = RunClock.system();
    private final Failures failures = new Failures();
    private Outlet outlet;
    private Pace pace;
    private MessageProducer bareProducer;
    private BytesMessage bareMessage;
    private final byte[] sent = new byte[256];
    private final byte[] received = new byte[256];

    @Setup
    public void setUp() throws JMSException {
        Session session = new FakeBroker().session();
        Queue queue = session.createQueue("queue");
        MessageConsumer consumer = session.createConsumer(queue);
        Arrivals arrivals = new Arrivals(clock, new LatencyRecorder(), 256, null);
        arrivals.begin(clock.nanoTime());
        ConsumerPlan plan = new ConsumerPlan(
                Layout.ofThreads("queue", 1), ReceiveMode.LISTENER, 0, AcknowledgeMode.AUTO, 100, false, 0);
        consumer.setMessageListener(
                new Inlet(consumer, new ReceivingSession(session, plan, failures), arrivals, 0, failures, null));
        SendingSession sending = new SendingSession(session, 0, new Bodies(MessageSizes.of("256")), null);
        outlet = new Outlet(session.createProducer(queue), null, sending, 0, 1);
        pace = new Pace(clock, 0, () -> true);
        pace.begin(RateSchedule.unpaced(), 0, 1, clock.nanoTime());

        Queue bare = session.createQueue("bare");
        session.createConsumer(bare).setMessageListener(message -> read((BytesMessage) message));
        bareProducer = session.createProducer(bare);
        bareMessage = session.createBytesMessage();
    }

    private void read(BytesMessage message) {
        try {
            message.readBytes(received);
        } catch (JMSException failure) {
            failures.add("receive", failure);
        }
    }

    @Benchmark
    public void bareLoop() throws JMSException {
        bareMessage.clearBody();
        bareMessage.writeBytes(sent, 0, sent.length);
        bareProducer.send(bareMessage);
    }

    @Benchmark
    public void harness() throws JMSException {
        outlet.send(pace.await());
    }
}
