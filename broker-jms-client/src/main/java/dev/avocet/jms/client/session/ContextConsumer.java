package dev.avocet.jms.client.session;

import dev.avocet.jms.client.message.JmsMessage;
import jakarta.jms.JMSConsumer;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageFormatRuntimeException;
import jakarta.jms.MessageListener;
import org.jspecify.annotations.Nullable;

/** A consumer with unchecked exceptions. */
record ContextConsumer(MessageConsumer consumer) implements JMSConsumer {
    @Override
    public @Nullable String getMessageSelector() {
        return Checked.get(consumer::getMessageSelector);
    }

    @Override
    public @Nullable MessageListener getMessageListener() {
        return Checked.get(consumer::getMessageListener);
    }

    @Override
    public void setMessageListener(final @Nullable MessageListener listener) {
        Checked.run(() -> consumer.setMessageListener(listener));
    }

    @Override
    public @Nullable Message receive() {
        return Checked.get(() -> consumer.receive());
    }

    @Override
    public @Nullable Message receive(final long timeout) {
        return Checked.get(() -> consumer.receive(timeout));
    }

    @Override
    public @Nullable Message receiveNoWait() {
        return Checked.get(consumer::receiveNoWait);
    }

    @Override
    public void close() {
        Checked.run(consumer::close);
    }

    @Override
    public <T> @Nullable T receiveBody(final Class<T> type) {
        return body(receive(), type);
    }

    @Override
    public <T> @Nullable T receiveBody(final Class<T> type, final long timeout) {
        return body(receive(timeout), type);
    }

    @Override
    public <T> @Nullable T receiveBodyNoWait(final Class<T> type) {
        return body(receiveNoWait(), type);
    }

    private static <T> @Nullable T body(final @Nullable Message message, final Class<T> type) {
        if (message == null) {
            return null;
        }
        if (message.getClass() == JmsMessage.class) {
            throw new MessageFormatRuntimeException("a message without a body has none of type " + type.getName());
        }
        return Checked.get(() -> message.getBody(type));
    }
}
