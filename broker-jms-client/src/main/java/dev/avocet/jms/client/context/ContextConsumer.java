package dev.avocet.jms.client.context;

import dev.avocet.jms.client.call.Checked;
import dev.avocet.jms.client.message.JmsMessage;
import dev.avocet.jms.client.session.JmsConsumer;
import jakarta.jms.JMSConsumer;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageListener;
import org.jspecify.annotations.Nullable;

/** A consumer with unchecked exceptions. */
record ContextConsumer(JmsConsumer consumer) implements JMSConsumer {
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
        return body(type, () -> consumer.receive());
    }

    @Override
    public <T> @Nullable T receiveBody(final Class<T> type, final long timeout) {
        return body(type, () -> consumer.receive(timeout));
    }

    @Override
    public <T> @Nullable T receiveBodyNoWait(final Class<T> type) {
        return body(type, consumer::receiveNoWait);
    }

    private <T> @Nullable T body(final Class<T> type, final Checked.Call<@Nullable Message> receive) {
        return Checked.get(() -> {
            final Message message = consumer.receiveBody(type, receive);
            if (message == null) {
                return null;
            }
            if (message instanceof final JmsMessage ours && !ours.hasBodyOf(type)) {
                throw new MessageFormatException("the body of the message is not a " + type.getName());
            }
            return message.getBody(type);
        });
    }
}
