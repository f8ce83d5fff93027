package dev.avocet.bench.jms.request;

import dev.avocet.bench.check.Counter;
import dev.avocet.bench.jms.plan.ReplyTo;
import dev.avocet.bench.jms.plan.RequestPlan;
import dev.avocet.bench.jms.traffic.Arrivals;
import dev.avocet.bench.jms.traffic.Bodies;
import dev.avocet.bench.jms.traffic.Failures;
import dev.avocet.bench.jms.traffic.Pace;
import dev.avocet.bench.jms.traffic.Site;
import dev.avocet.bench.latency.LatencyRecorder;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.UUID;

/** A thread that sends a request and waits for its reply, again and again. */
final class Requester extends Thread {
    private static final long LATE_MS = 1;

    private final int number;
    private final RequestPlan plan;
    private final Session session;
    private final MessageProducer producer;
    private final MessageConsumer replies;
    private final BytesMessage request;
    private final Bodies bodies;
    private final Pace pace;
    private final Arrivals arrivals;
    private final LatencyRecorder latency = new LatencyRecorder();
    private final Failures failures;
    private final Counter sent = new Counter();
    private long sequence;

    Requester(int number, Site site, RequestPlan plan, Connection connection) throws JMSException {
        super("requester-" + site.number() + "-" + number);
        this.number = number;
        this.plan = plan;
        failures = site.failures();
        pace = new Pace(site.clock(), site.plan().messages(), () -> Long.MAX_VALUE);
        arrivals = new Arrivals(site.clock(), latency, site.plan().sizes().largest(), null);
        if (site.plan().keepsExtremes()) {
            arrivals.keepExtremes();
        }
        bodies = new Bodies(site.plan().sizes());
        session = connection.createSession(
                plan.transacted(), plan.transacted() ? Session.SESSION_TRANSACTED : Session.AUTO_ACKNOWLEDGE);
        producer = session.createProducer(session.createQueue(plan.requestQueue(number)));
        producer.setDeliveryMode(plan.persistent() ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT);
        String correlationId = UUID.randomUUID().toString();
        boolean isSelected = plan.replyTo() == ReplyTo.SELECTOR;
        Destination replyTo =
                isSelected ? session.createQueue(plan.replyQueue(number)) : session.createTemporaryQueue();
        replies = isSelected
                ? session.createConsumer(replyTo, "JMSCorrelationID = '" + correlationId + "'")
                : session.createConsumer(replyTo);
        request = session.createBytesMessage();
        request.setJMSReplyTo(replyTo);
        request.setJMSCorrelationID(correlationId);
        setDaemon(true);
    }

    void begin(Site site, int requesters, long startNs) {
        prepare(site, requesters, startNs);
        start();
    }

    void prepare(Site site, int requesters, long startNs) {
        pace.begin(
                site.schedule(),
                number,
                requesters,
                startNs + number * site.plan().startDelayNs());
        arrivals.begin(startNs);
    }

    String queue() {
        return plan.requestQueue(number);
    }

    @Override
    public void run() {
        try {
            for (long intendedNs = pace.await(); intendedNs != Pace.OVER; intendedNs = pace.await()) {
                send(intendedNs);
                receive();
            }
            receiveLate();
        } catch (JMSException | RuntimeException failure) {
            failures.add("request", failure);
        }
    }

    private void send(long intendedNs) throws JMSException {
        byte[] body = bodies.next(number, sequence + 1, intendedNs);
        request.clearBody();
        request.writeBytes(body, 0, body.length);
        producer.send(request);
        commit();
        sequence++;
        sent.increment();
    }

    /** Waits for the reply to the last request; those of earlier ones that come first are counted as they are. */
    private void receive() throws JMSException {
        boolean isAnswered = false;
        while (!isAnswered) {
            Message reply = replies.receive(plan.replyTimeoutMs());
            if (reply == null) {
                return;
            }
            isAnswered = isAnswer(arrivals.receive(reply));
            commit();
        }
    }

    private boolean isAnswer(Arrivals.Kind kind) {
        return switch (kind) {
            case WHOLE -> arrivals.lastSequence() == sequence;
            case DAMAGED -> true;
            case LEFT_OVER -> false;
        };
    }

    /** A reply that came twice. */
    private void receiveLate() throws JMSException {
        for (Message reply = replies.receive(LATE_MS); reply != null; reply = replies.receive(LATE_MS)) {
            arrivals.receive(reply);
            commit();
        }
    }

    private void commit() throws JMSException {
        if (plan.transacted()) {
            session.commit();
        }
    }

    Pace pace() {
        return pace;
    }

    Arrivals arrivals() {
        return arrivals;
    }

    LatencyRecorder latency() {
        return latency;
    }

    long sent() {
        return sent.value();
    }
}
