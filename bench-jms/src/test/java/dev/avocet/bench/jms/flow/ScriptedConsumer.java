package dev.avocet.bench.jms.flow;

import dev.avocet.bench.jms.traffic.Bodies;
import dev.avocet.bench.run.RunClock;
import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageListener;
import jakarta.jms.Session;
import org.jspecify.annotations.Nullable;

/**
 * A consumer for which so many messages are there, without anybody who sends them: one message with new bytes each
 * time.
 */
final class ScriptedConsumer implements MessageConsumer {
    private final BytesMessage message;
    private final Bodies bodies;
    private final RunClock clock;
    private final int messages;
    private int received;
    private @Nullable Runnable atEnd;

    ScriptedConsumer(Session session, Bodies bodies, RunClock clock, int messages) throws JMSException {
        message = session.createBytesMessage();
        this.bodies = bodies;
        this.clock = clock;
        this.messages = messages;
    }

    /** What to do when nothing comes any more. */
    void atEnd(Runnable action) {
        atEnd = action;
    }

    @Override
    public @Nullable Message receiveNoWait() throws JMSException {
        if (received == messages) {
            atEnd.run();
            return null;
        }
        received++;
        byte[] body = bodies.next(0, received, clock.nanoTime());
        message.clearBody();
        message.writeBytes(body, 0, body.length);
        return message;
    }

    @Override
    public @Nullable Message receive() throws JMSException {
        return receiveNoWait();
    }

    @Override
    public @Nullable Message receive(long timeoutMs) throws JMSException {
        return receiveNoWait();
    }

    @Override
    public @Nullable String getMessageSelector() {
        return null;
    }

    @Override
    public @Nullable MessageListener getMessageListener() {
        return null;
    }

    @Override
    public void setMessageListener(MessageListener listener) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
        // Nothing is open.
    }
}
