package dev.avocet.bench.jms.flow;

import dev.avocet.bench.jms.plan.ConsumerPlan;
import dev.avocet.bench.jms.traffic.Failures;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Session;
import org.jspecify.annotations.Nullable;

/** Acknowledges what a session's consumers have received. Used by one thread at a time, as its session is. */
final class ReceivingSession {
    private final Session session;
    private final ConsumerPlan plan;
    private final Failures failures;
    private int pending;
    private @Nullable Message last;

    ReceivingSession(Session session, ConsumerPlan plan, Failures failures) {
        this.session = session;
        this.plan = plan;
        this.failures = failures;
    }

    void onReceived(Message message) throws JMSException {
        if (plan.messagesPerCommit() > 0) {
            if (++pending == plan.messagesPerCommit()) {
                commit();
            }
        } else if (plan.acknowledgeMode().isExplicit()) {
            last = message;
            if (++pending == plan.acknowledgeEvery()) {
                acknowledge(message);
            }
        }
    }

    /** Acknowledges the rest, when nothing is received any more. */
    void finish() {
        try {
            if (pending > 0 && plan.messagesPerCommit() > 0) {
                commit();
            } else if (pending > 0 && last != null) {
                acknowledge(last);
            }
        } catch (JMSException failure) {
            failures.add("acknowledge the rest", failure);
        }
    }

    Session session() {
        return session;
    }

    private void commit() throws JMSException {
        session.commit();
        pending = 0;
    }

    private void acknowledge(Message message) throws JMSException {
        message.acknowledge();
        pending = 0;
        last = null;
    }
}
