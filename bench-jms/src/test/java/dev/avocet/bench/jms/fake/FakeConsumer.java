package dev.avocet.bench.jms.fake;

import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageListener;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Calls its listener on the sender's thread; without one it keeps copies until they are received. */
final class FakeConsumer implements MessageConsumer {
    private final LinkedBlockingQueue<FakeBytesMessage> received = new LinkedBlockingQueue<>();
    private final FakeBytesMessage closed = new FakeBytesMessage();
    private final @Nullable String selector;
    private volatile @Nullable MessageListener listener;

    FakeConsumer(@Nullable String selector) {
        this.selector = selector;
    }

    boolean wants(FakeBytesMessage message) {
        return selector == null || selector.equals("JMSCorrelationID = '" + message.getJMSCorrelationID() + "'");
    }

    void deliver(FakeBytesMessage message) {
        MessageListener called = listener;
        if (called != null) {
            called.onMessage(message);
        } else {
            FakeBytesMessage copy = new FakeBytesMessage();
            copy.copy(message);
            received.add(copy);
        }
    }

    @Override
    public void setMessageListener(MessageListener messageListener) {
        listener = messageListener;
    }

    @Override
    public @Nullable Message receive() {
        return receive(Long.MAX_VALUE);
    }

    @Override
    public @Nullable Message receive(long timeoutMs) {
        try {
            FakeBytesMessage message = received.poll(timeoutMs, TimeUnit.MILLISECONDS);
            return message == closed ? null : message;
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    @Override
    public @Nullable Message receiveNoWait() {
        return received.poll();
    }

    @Override
    public @Nullable String getMessageSelector() {
        return selector;
    }

    @Override
    public @Nullable MessageListener getMessageListener() {
        return listener;
    }

    @Override
    public void close() {
        received.add(closed);
    }
}
