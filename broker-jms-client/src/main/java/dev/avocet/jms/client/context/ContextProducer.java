package dev.avocet.jms.client.context;

import dev.avocet.jms.client.call.Checked;
import dev.avocet.jms.client.message.JmsDestination;
import dev.avocet.jms.client.message.JmsMessage;
import dev.avocet.jms.client.session.JmsProducer;
import dev.avocet.jms.client.session.JmsSession;
import jakarta.jms.BytesMessage;
import jakarta.jms.CompletionListener;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatRuntimeException;
import jakarta.jms.ObjectMessage;
import jakarta.jms.TextMessage;
import java.io.Serializable;
import java.util.Enumeration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What each send of it sets in the message. The link is the context's one, to all destinations. */
final class ContextProducer implements JMSProducer {
    private final JmsSession session;
    private final JmsProducer producer;
    /** Properties, and the headers that may be set; a message without a body keeps them well. */
    private final JmsMessage template = new JmsMessage();

    private @Nullable CompletionListener async;
    private int deliveryMode;
    private int priority;
    private long timeToLive;
    private long deliveryDelay;
    private boolean disableMessageId;
    private boolean disableTimestamp;
    private boolean correlated;
    private @Nullable Destination replyTo;
    private @Nullable String type;

    ContextProducer(final JmsSession session, final JmsProducer producer) {
        this.session = session;
        this.producer = producer;
        deliveryMode = Checked.get(producer::getDeliveryMode);
        priority = Checked.get(producer::getPriority);
        timeToLive = Checked.get(producer::getTimeToLive);
        disableMessageId = Checked.get(producer::getDisableMessageID);
        disableTimestamp = Checked.get(producer::getDisableMessageTimestamp);
    }

    @Override
    public JMSProducer send(final Destination destination, final Message message) {
        Checked.run(() -> doSend(destination, message));
        return this;
    }

    private void doSend(final Destination destination, final @Nullable Message message) throws JMSException {
        if (message == null) {
            throw new MessageFormatRuntimeException("there is no message to send");
        }
        decorate(message);
        synchronized (producer) { // All producers of a context share one link; each brings its own settings.
            producer.setDeliveryDelay(deliveryDelay);
            producer.setDisableMessageID(disableMessageId);
            producer.setDisableMessageTimestamp(disableTimestamp);
            final CompletionListener listener = async;
            if (listener == null) {
                producer.send(destination, message, deliveryMode, priority, timeToLive);
            } else {
                producer.send(destination, message, deliveryMode, priority, timeToLive, listener);
            }
        }
    }

    private void decorate(final Message message) throws JMSException {
        final Enumeration<String> names = template.getPropertyNames();
        while (names.hasMoreElements()) {
            final String name = names.nextElement();
            message.setObjectProperty(name, template.getObjectProperty(name));
        }
        if (correlated) {
            message.setJMSCorrelationID(template.getJMSCorrelationID());
        }
        if (replyTo != null) {
            message.setJMSReplyTo(replyTo);
        }
        if (type != null) {
            message.setJMSType(type);
        }
    }

    @Override
    public JMSProducer send(final Destination destination, final @Nullable String body) {
        final TextMessage message = Checked.get(() -> session.createTextMessage(body));
        return send(destination, message);
    }

    @Override
    public JMSProducer send(final Destination destination, final @Nullable Map<String, Object> body) {
        final MapMessage message = Checked.get(session::createMapMessage);
        if (body != null) {
            body.forEach((name, value) -> Checked.run(() -> message.setObject(name, value)));
        }
        return send(destination, message);
    }

    @Override
    public JMSProducer send(final Destination destination, final byte @Nullable [] body) {
        final BytesMessage message = Checked.get(session::createBytesMessage);
        if (body != null) {
            Checked.run(() -> message.writeBytes(body));
        }
        return send(destination, message);
    }

    @Override
    public JMSProducer send(final Destination destination, final @Nullable Serializable body) {
        final ObjectMessage message = Checked.get(() -> session.createObjectMessage(body));
        return send(destination, message);
    }

    @Override
    public JMSProducer setDisableMessageID(final boolean value) {
        disableMessageId = value;
        return this;
    }

    @Override
    public boolean getDisableMessageID() {
        return disableMessageId;
    }

    @Override
    public JMSProducer setDisableMessageTimestamp(final boolean value) {
        disableTimestamp = value;
        return this;
    }

    @Override
    public boolean getDisableMessageTimestamp() {
        return disableTimestamp;
    }

    @Override
    public JMSProducer setDeliveryMode(final int mode) {
        Checked.run(() -> template.setJMSDeliveryMode(mode));
        deliveryMode = mode;
        return this;
    }

    @Override
    public int getDeliveryMode() {
        return deliveryMode;
    }

    @Override
    public JMSProducer setPriority(final int to) {
        Checked.run(() -> template.setJMSPriority(to));
        priority = to;
        return this;
    }

    @Override
    public int getPriority() {
        return priority;
    }

    @Override
    public JMSProducer setTimeToLive(final long ms) {
        timeToLive = ms;
        return this;
    }

    @Override
    public long getTimeToLive() {
        return timeToLive;
    }

    @Override
    public JMSProducer setDeliveryDelay(final long ms) {
        deliveryDelay = ms;
        return this;
    }

    @Override
    public long getDeliveryDelay() {
        return deliveryDelay;
    }

    @Override
    public JMSProducer setAsync(final @Nullable CompletionListener listener) {
        async = listener;
        return this;
    }

    @Override
    public @Nullable CompletionListener getAsync() {
        return async;
    }

    @Override
    public JMSProducer setProperty(final String name, final boolean value) {
        return set(name, value);
    }

    @Override
    public JMSProducer setProperty(final String name, final byte value) {
        return set(name, value);
    }

    @Override
    public JMSProducer setProperty(final String name, final short value) {
        return set(name, value);
    }

    @Override
    public JMSProducer setProperty(final String name, final int value) {
        return set(name, value);
    }

    @Override
    public JMSProducer setProperty(final String name, final long value) {
        return set(name, value);
    }

    @Override
    public JMSProducer setProperty(final String name, final float value) {
        return set(name, value);
    }

    @Override
    public JMSProducer setProperty(final String name, final double value) {
        return set(name, value);
    }

    @Override
    public JMSProducer setProperty(final String name, final @Nullable String value) {
        return set(name, value);
    }

    @Override
    public JMSProducer setProperty(final String name, final @Nullable Object value) {
        return set(name, value);
    }

    private JMSProducer set(final String name, final @Nullable Object value) {
        Checked.run(() -> template.setObjectProperty(name, value));
        return this;
    }

    @Override
    public JMSProducer clearProperties() {
        Checked.run(template::clearProperties);
        return this;
    }

    @Override
    public boolean propertyExists(final String name) {
        return Checked.get(() -> template.propertyExists(name));
    }

    @Override
    public boolean getBooleanProperty(final String name) {
        return Checked.get(() -> template.getBooleanProperty(name));
    }

    @Override
    public byte getByteProperty(final String name) {
        return Checked.get(() -> template.getByteProperty(name));
    }

    @Override
    public short getShortProperty(final String name) {
        return Checked.get(() -> template.getShortProperty(name));
    }

    @Override
    public int getIntProperty(final String name) {
        return Checked.get(() -> template.getIntProperty(name));
    }

    @Override
    public long getLongProperty(final String name) {
        return Checked.get(() -> template.getLongProperty(name));
    }

    @Override
    public float getFloatProperty(final String name) {
        return Checked.get(() -> template.getFloatProperty(name));
    }

    @Override
    public double getDoubleProperty(final String name) {
        return Checked.get(() -> template.getDoubleProperty(name));
    }

    @Override
    public @Nullable String getStringProperty(final String name) {
        return Checked.get(() -> template.getStringProperty(name));
    }

    @Override
    public @Nullable Object getObjectProperty(final String name) {
        return Checked.get(() -> template.getObjectProperty(name));
    }

    @Override
    public Set<String> getPropertyNames() {
        final Set<String> names = new TreeSet<>();
        Checked.get(template::getPropertyNames).asIterator().forEachRemaining(names::add);
        return names;
    }

    @Override
    public JMSProducer setJMSCorrelationIDAsBytes(final byte @Nullable [] id) {
        Checked.run(() -> template.setJMSCorrelationIDAsBytes(id));
        correlated = id != null;
        return this;
    }

    @Override
    public byte @Nullable [] getJMSCorrelationIDAsBytes() {
        return Checked.get(template::getJMSCorrelationIDAsBytes);
    }

    @Override
    public JMSProducer setJMSCorrelationID(final @Nullable String id) {
        Checked.run(() -> template.setJMSCorrelationID(id));
        correlated = id != null;
        return this;
    }

    @Override
    public @Nullable String getJMSCorrelationID() {
        return Checked.get(template::getJMSCorrelationID);
    }

    @Override
    public JMSProducer setJMSType(final @Nullable String to) {
        type = to;
        return this;
    }

    @Override
    public @Nullable String getJMSType() {
        return type;
    }

    @Override
    public JMSProducer setJMSReplyTo(final @Nullable Destination destination) {
        Checked.get(() -> JmsDestination.from(destination));
        replyTo = destination;
        return this;
    }

    @Override
    public @Nullable Destination getJMSReplyTo() {
        return replyTo;
    }
}
