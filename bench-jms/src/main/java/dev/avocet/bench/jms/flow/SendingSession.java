package dev.avocet.bench.jms.flow;

import dev.avocet.bench.jms.traffic.Bodies;
import jakarta.jms.BytesMessage;
import jakarta.jms.CompletionListener;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import org.jspecify.annotations.Nullable;

/**
 * A session of a producing thread: its messages, which are used again and again, and its transactions. With completion
 * listeners there are as many messages as sends may be under way.
 */
final class SendingSession {
    private final Session session;
    private final int messagesPerCommit;
    private final Bodies bodies;
    private final @Nullable BytesMessage message;
    private final @Nullable SendsUnderWay underWay;
    private int uncommitted;

    SendingSession(Session session, int messagesPerCommit, Bodies bodies, @Nullable SendsUnderWay underWay)
            throws JMSException {
        this.session = session;
        this.messagesPerCommit = messagesPerCommit;
        this.bodies = bodies;
        this.underWay = underWay;
        message = underWay == null ? session.createBytesMessage() : null;
    }

    Bodies bodies() {
        return bodies;
    }

    @Nullable CompletionListener completionListener() {
        return underWay;
    }

    /** Waits, with completion listeners, until a message is back. */
    BytesMessage takeMessage() throws JMSException {
        return message != null ? message : underWay.take();
    }

    boolean isCommitDue() {
        return messagesPerCommit > 0 && ++uncommitted == messagesPerCommit;
    }

    void commit() throws JMSException {
        session.commit();
        uncommitted = 0;
    }

    /** Commits what is left, and waits for the sends under way. */
    void finish() throws JMSException {
        if (uncommitted > 0) {
            commit();
        }
        if (underWay != null) {
            underWay.awaitAll();
        }
    }
}
