package dev.avocet.bench.jms.flow;

import static java.util.Locale.ROOT;

import com.sun.management.ThreadMXBean;
import dev.avocet.bench.jms.client.JmsLibrary;
import dev.avocet.bench.jms.traffic.Pace;
import dev.avocet.bench.run.RateSchedule;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What the harness adds to the processor time that a real client takes for a message of 256 bytes, there and back,
 * without persistence: a bare loop over the client and the harness take turns in this process, and the processor time
 * of all its threads is taken, which other people's work on the machine hardly enters. The broker is another process;
 * its address is the argument.
 *
 * <p>The bare loop does what no application can leave out, in the cheapest way that the API has: one message that is
 * used again and again, its body written from an array and sent; a listener that reads the body into an array and
 * counts. It looks at no head, clock, content or result. Both sides wait in the same way while too many messages are
 * under way.
 */
public final class HarnessOverhead {
    private static final int WARM_UP_ROUNDS = 50;
    private static final int ROUNDS = 100;
    private static final int MESSAGES = 20_000;
    private static final int UNDER_WAY = 2_000;
    private static final int MESSAGES_PER_LOOK = UNDER_WAY / 16;
    private static final long WAIT_NS = 50_000;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** Sends so many messages and waits until all are back. */
    private interface Side {
        void round() throws JMSException;
    }

    private HarnessOverhead() {}

    /** @param arguments the address of a broker, such as {@code 127.0.0.1:1883} */
    public static void main(String... arguments) throws JMSException {
        JmsLibrary library = new JmsLibrary(JmsLibrary.OWN_FACTORY, List.of(), Map.of());
        Connection connection = library.factory(arguments[0]).createConnection();
        try {
            Side bare = bare(session(connection), session(connection));
            Side harness = harness(session(connection), session(connection));
            connection.start();
            compare(bare, harness);
        } finally {
            connection.close();
        }
    }

    private static Session session(Connection connection) throws JMSException {
        return connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
    }

    private static void compare(Side bare, Side harness) throws JMSException {
        double[] bareNs = new double[ROUNDS];
        double[] harnessNs = new double[ROUNDS];
        for (int i = -WARM_UP_ROUNDS; i < ROUNDS; i++) {
            double first = nsPerMessage(i % 2 == 0 ? bare : harness);
            double second = nsPerMessage(i % 2 == 0 ? harness : bare);
            if (i >= 0) {
                bareNs[i] = i % 2 == 0 ? first : second;
                harnessNs[i] = i % 2 == 0 ? second : first;
            }
        }
        double[] added = new double[ROUNDS];
        Arrays.setAll(added, i -> 100 * (harnessNs[i] / bareNs[i] - 1));
        print("bare loop, ns of processor time per message", bareNs);
        print("harness, ns of processor time per message", harnessNs);
        print("the harness adds, % (of neighbouring rounds)", added);
    }

    private static double nsPerMessage(Side side) throws JMSException {
        long beforeNs = cpuNs();
        side.round();
        return (double) (cpuNs() - beforeNs) / MESSAGES;
    }

    /** Of the program and of the client, whose threads stay; the compiler's and the collector's do not count. */
    private static long cpuNs() {
        return Arrays.stream(THREADS.getThreadCpuTime(THREADS.getAllThreadIds()))
                .filter(ns -> ns > 0)
                .sum();
    }

    private static void print(String what, double[] values) {
        Arrays.sort(values);
        System.out.printf(
                ROOT,
                "%-50s median %.1f, quarters %.1f to %.1f%n",
                what,
                values[values.length / 2],
                values[values.length / 4],
                values[values.length * 3 / 4]);
    }

    private static int room(long sent, long received) {
        return UNDER_WAY - (sent - received) > MESSAGES_PER_LOOK ? MESSAGES_PER_LOOK : 0;
    }

    private static Side harness(Session sending, Session receiving) throws JMSException {
        OneFlow flow = new OneFlow(sending, receiving, "jmsbench.overhead.harness", OneFlow.Way.PLAIN);
        return () -> {
            long before = flow.received();
            AtomicReference<@Nullable ProducerThread> sender = new AtomicReference<>();
            Pace pace = flow.pace(
                    MESSAGES,
                    RateSchedule.unpaced(),
                    () -> room(sender.getPlain().sent(), flow.received() - before));
            ProducerThread producer = flow.producer(pace, false);
            sender.setPlain(producer);
            producer.sendAll();
            while (flow.received() - before < MESSAGES) {
                LockSupport.parkNanos(WAIT_NS);
            }
        };
    }

    private static Side bare(Session sending, Session receiving) throws JMSException {
        Queue queue = sending.createQueue("jmsbench.overhead.bare");
        byte[] content = new byte[256];
        byte[] read = new byte[256];
        AtomicLong received = new AtomicLong();
        receiving.createConsumer(queue).setMessageListener(message -> {
            try {
                ((BytesMessage) message).readBytes(read);
            } catch (JMSException failure) {
                throw new IllegalStateException(failure);
            }
            received.setRelease(received.getPlain() + 1);
        });
        MessageProducer producer = sending.createProducer(queue);
        producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
        BytesMessage message = sending.createBytesMessage();
        return () -> {
            long before = received.get();
            for (int i = 0; i < MESSAGES; i++) {
                while (i % MESSAGES_PER_LOOK == 0 && room(i, received.get() - before) == 0) {
                    LockSupport.parkNanos(WAIT_NS);
                }
                message.clearBody();
                message.writeBytes(content, 0, content.length);
                producer.send(message);
            }
            while (received.get() - before < MESSAGES) {
                LockSupport.parkNanos(WAIT_NS);
            }
        };
    }
}
