package dev.avocet.bench.jms.flow;

import dev.avocet.bench.jms.destination.Layout;
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
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.util.List;
import java.util.function.LongSupplier;

/** One producer and one consumer with a listener, as a run makes them, on a queue. */
final class OneFlow {
    private static final int EVERY = 100;

    private final RunClock clock = RunClock.system();
    private final Failures failures = new Failures();
    private final Arrivals arrivals;
    private final Outlet outlet;

    /** How messages are sent and acknowledged. */
    record Way(String sizes, int messagesPerCommit, int asyncWindow, AcknowledgeMode acknowledge) {
        /** Messages of 256 bytes; a send returns when the client has it so. */
        static final Way PLAIN = new Way("256", 0, 0, AcknowledgeMode.AUTO);
    }

    OneFlow(Session sending, Session receiving, String name, Way way) throws JMSException {
        Queue queue = sending.createQueue(name);
        MessageSizes sizes = MessageSizes.of(way.sizes);
        MessageConsumer consumer = receiving.createConsumer(queue);
        arrivals = new Arrivals(clock, new LatencyRecorder(), sizes.largest(), null);
        arrivals.begin(clock.nanoTime());
        ConsumerPlan plan =
                new ConsumerPlan(Layout.ofThreads(name, 1), ReceiveMode.LISTENER, 0, way.acknowledge, EVERY, false, 0);
        consumer.setMessageListener(new Inlet(
                "q", consumer, new ReceivingSession(receiving, plan, failures), arrivals, 0, failures, null, false));
        SendsUnderWay underWay = way.asyncWindow == 0 ? null : new SendsUnderWay(sending, way.asyncWindow, failures);
        SendingSession session = new SendingSession(sending, way.messagesPerCommit, new Bodies(sizes), underWay);
        MessageProducer producer = sending.createProducer(queue);
        producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
        outlet = new Outlet(producer, null, session, 0, 1);
    }

    Outlet outlet() {
        return outlet;
    }

    Failures failures() {
        return failures;
    }

    long received() {
        return arrivals.figures().received();
    }

    Pace pace(long messages, RateSchedule schedule, LongSupplier findRoom) {
        Pace pace = new Pace(clock, messages, findRoom);
        pace.begin(schedule, 0, 1, clock.nanoTime());
        return pace;
    }

    /** One that sends so many and ends. */
    ProducerThread producer(Pace pace, boolean isTimed) {
        return new ProducerThread(
                "producer",
                List.of(outlet),
                pace,
                new TimedCall(clock, isTimed),
                new TimedCall(clock, isTimed),
                failures);
    }
}
