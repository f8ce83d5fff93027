package dev.avocet.bench.jms.flow;

import jakarta.jms.BytesMessage;
import jakarta.jms.CompletionListener;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import org.jspecify.annotations.Nullable;

/** What one producer sends to one destination: a stream of messages. Owned by its thread. */
final class Outlet {
    private final MessageProducer producer;
    private final @Nullable Destination destination;
    private final SendingSession session;
    private final int stream;
    private final int copies;
    private long sequence;

    /**
     * @param destination when the producer is not bound to it
     * @param copies how many consumers and subscriptions get each message
     */
    Outlet(
            MessageProducer producer,
            @Nullable Destination destination,
            SendingSession session,
            int stream,
            int copies) {
        this.producer = producer;
        this.destination = destination;
        this.session = session;
        this.stream = stream;
        this.copies = copies;
    }

    int copies() {
        return copies;
    }

    void send(long intendedNs) throws JMSException {
        BytesMessage message = session.takeMessage();
        byte[] body = session.bodies().next(stream, sequence + 1, intendedNs);
        message.clearBody();
        message.writeBytes(body, 0, body.length);
        send(message);
        sequence++;
    }

    private void send(BytesMessage message) throws JMSException {
        CompletionListener listener = session.completionListener();
        if (listener == null && destination == null) {
            producer.send(message);
        } else if (listener == null) {
            producer.send(destination, message);
        } else if (destination == null) {
            producer.send(message, listener);
        } else {
            producer.send(destination, message, listener);
        }
    }

    SendingSession session() {
        return session;
    }
}
