package dev.avocet.bench.jms.flow;

import dev.avocet.bench.jms.traffic.Arrivals;
import dev.avocet.bench.jms.traffic.Failures;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageListener;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** One consumer: takes each message, checks it, pretends to work, acknowledges. */
final class Inlet implements MessageListener {
    private final MessageConsumer consumer;
    private final ReceivingSession session;
    private final Arrivals arrivals;
    private final long workNs;
    private final Failures failures;
    private final @Nullable String durableName;
    private final boolean isSharedElsewhere;
    private final String destination;

    /**
     * @param destination its name, or the topic filter
     * @param durableName of the durable subscription, which ends with the run
     * @param isSharedElsewhere whether parties of the run share it of which nothing is known here
     */
    Inlet(
            String destination,
            MessageConsumer consumer,
            ReceivingSession session,
            Arrivals arrivals,
            int workUs,
            Failures failures,
            @Nullable String durableName,
            boolean isSharedElsewhere) {
        this.destination = destination;
        this.consumer = consumer;
        this.session = session;
        this.arrivals = arrivals;
        this.failures = failures;
        this.durableName = durableName;
        this.isSharedElsewhere = isSharedElsewhere;
        workNs = TimeUnit.MICROSECONDS.toNanos(workUs);
    }

    @Override
    public void onMessage(Message message) {
        try {
            take(message);
        } catch (JMSException | RuntimeException failure) {
            failures.add("receive", failure);
        }
    }

    void take(Message message) throws JMSException {
        arrivals.receive(message);
        if (workNs > 0) {
            LockSupport.parkNanos(this, workNs);
        }
        session.onReceived(message);
    }

    String destination() {
        return destination;
    }

    MessageConsumer consumer() {
        return consumer;
    }

    Arrivals arrivals() {
        return arrivals;
    }

    void close() {
        try {
            consumer.close();
        } catch (JMSException alreadyGone) {
            return;
        }
    }

    /**
     * Ends its durable subscription, when those who share it are closed, and it was not ended yet. Of several
     * parties each tries it when its own are closed: it is refused to all but the last, which finds no consumer any
     * more.
     */
    void unsubscribe(Set<String> ended) {
        try {
            if (durableName != null && ended.add(durableName)) {
                session.session().unsubscribe(durableName);
            }
        } catch (JMSException failure) {
            if (!isSharedElsewhere) {
                failures.add("unsubscribe", failure);
            }
        }
    }
}
