package dev.avocet.bench.jms.request;

import dev.avocet.bench.check.MessageHead;
import dev.avocet.bench.jms.plan.RequestPlan;
import dev.avocet.bench.jms.traffic.Failures;
import dev.avocet.bench.jms.traffic.Site;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;

/** Answers each request with its own bytes. Called on its session's thread in the client. */
final class Responder implements MessageListener {
    private final boolean isTransacted;
    private final Session session;
    private final MessageProducer producer;
    private final BytesMessage reply;
    private final byte[] buffer;
    private final Failures failures;

    /** Until the run begins every request is left over. */
    private volatile long startNs = Long.MAX_VALUE;

    Responder(int number, Site site, RequestPlan plan, Connection connection) throws JMSException {
        failures = site.failures();
        isTransacted = plan.transacted();
        session = connection.createSession(
                isTransacted, isTransacted ? Session.SESSION_TRANSACTED : Session.AUTO_ACKNOWLEDGE);
        producer = session.createProducer(null);
        producer.setDeliveryMode(plan.persistent() ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT);
        reply = session.createBytesMessage();
        buffer = new byte[site.plan().sizes().largest() + 1];
        session.createConsumer(session.createQueue(plan.requestQueue(number))).setMessageListener(this);
    }

    /** Requests of earlier runs, whose requesters are gone, get no answer. */
    void begin(long runStartNs) {
        startNs = runStartNs;
    }

    @Override
    public void onMessage(Message message) {
        try {
            answer(message);
        } catch (JMSException | RuntimeException failure) {
            failures.add("reply", failure);
        }
    }

    private void answer(Message request) throws JMSException {
        int lengthBytes = request instanceof BytesMessage bytes ? bytes.readBytes(buffer) : 0;
        if (request.getJMSReplyTo() != null && lengthBytes > 0 && !isLeftOver(lengthBytes)) {
            reply.clearBody();
            reply.writeBytes(buffer, 0, lengthBytes);
            reply.setJMSCorrelationID(request.getJMSCorrelationID());
            producer.send(request.getJMSReplyTo(), reply);
        }
        if (isTransacted) {
            session.commit();
        }
    }

    /** A damaged request is answered: its requester is to see the damage. */
    private boolean isLeftOver(int lengthBytes) {
        return lengthBytes >= MessageHead.SIZE_BYTES
                && MessageHead.intendedNs(buffer, 0) < startNs
                && MessageHead.isIntact(buffer, 0, lengthBytes);
    }
}
