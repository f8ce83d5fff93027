package dev.avocet.bench.jms.fake;

import jakarta.jms.CompletionListener;
import jakarta.jms.Destination;
import jakarta.jms.Message;
import org.jspecify.annotations.Nullable;

/** Sends to its destination, or to the one that goes with the message. */
final class FakeProducer extends UnsupportedProducer {
    private final @Nullable FakeDestination destination;

    FakeProducer(@Nullable FakeDestination destination) {
        this.destination = destination;
    }

    @Override
    public void setDeliveryMode(int deliveryMode) {
        // Nothing is kept anyway.
    }

    @Override
    public void close() {
        // Nothing is open.
    }

    @Override
    public void send(Message message) {
        destination.send((FakeBytesMessage) message);
    }

    @Override
    public void send(Destination other, Message message) {
        ((FakeDestination) other).send((FakeBytesMessage) message);
    }

    @Override
    public void send(Message message, CompletionListener listener) {
        send(message);
        listener.onCompletion(message);
    }

    @Override
    public void send(Destination other, Message message, CompletionListener listener) {
        send(other, message);
        listener.onCompletion(message);
    }

    @Override
    public void send(Message message, int deliveryMode, int priority, long timeToLiveMs) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void send(Destination other, Message message, int deliveryMode, int priority, long timeToLiveMs) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void send(Message message, int deliveryMode, int priority, long timeToLiveMs, CompletionListener listener) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void send(
            Destination other,
            Message message,
            int deliveryMode,
            int priority,
            long timeToLiveMs,
            CompletionListener listener) {
        throw new UnsupportedOperationException();
    }
}
