package dev.avocet.bench.jms.flow;

import dev.avocet.bench.jms.fake.FakeBroker;
import dev.avocet.bench.jms.traffic.Failures;
import dev.avocet.bench.jms.traffic.Pace;
import dev.avocet.bench.run.RateSchedule;
import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
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
 * What pace, head, checks and histograms cost for a message of 256 bytes, there and back, over a client that does next
 * to nothing: the difference of the two is to be held against what a real client takes for a message.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class HarnessCost {
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
        OneFlow flow = new OneFlow(session, session, "queue", OneFlow.Way.PLAIN);
        outlet = flow.outlet();
        pace = flow.pace(0, RateSchedule.unpaced(), () -> Long.MAX_VALUE);

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
