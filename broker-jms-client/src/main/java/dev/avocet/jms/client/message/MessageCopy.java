package dev.avocet.jms.client.message;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageEOFException;
import jakarta.jms.ObjectMessage;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.util.Enumeration;
import java.util.List;

/** Makes one of our messages from another provider's, Jakarta Messaging 3.1, section 3.12. */
public final class MessageCopy {
    private MessageCopy() {}

    /** {@code message} itself where it is ours. */
    public static JmsMessage of(final Message message) throws JMSException {
        if (message instanceof final JmsMessage ours) {
            return ours;
        }
        final JmsMessage copy = copyBody(message);
        copy.setJMSCorrelationID(message.getJMSCorrelationID());
        copy.setJMSReplyTo(JmsDestination.from(message.getJMSReplyTo()));
        copy.setJMSType(message.getJMSType());
        final Enumeration<?> names = message.getPropertyNames();
        while (names.hasMoreElements()) {
            final String name = String.valueOf(names.nextElement());
            if (!name.startsWith("JMSX") || name.startsWith("JMSXGroup")) {
                copy.setObjectProperty(name, message.getObjectProperty(name));
            }
        }
        return copy;
    }

    private static JmsMessage copyBody(final Message message) throws JMSException {
        if (message instanceof final TextMessage text) {
            return new JmsTextMessage(text.getText());
        }
        if (message instanceof final BytesMessage bytes) {
            return copyBytes(bytes);
        }
        if (message instanceof final MapMessage map) {
            return copyMap(map);
        }
        if (message instanceof final StreamMessage stream) {
            return copyStream(stream);
        }
        if (message instanceof final ObjectMessage object) {
            final JmsObjectMessage copy = new JmsObjectMessage(new TrustedClasses(List.of()));
            copy.setObject(object.getObject());
            return copy;
        }
        return new JmsMessage();
    }

    private static JmsMessage copyBytes(final BytesMessage message) throws JMSException {
        final JmsBytesMessage copy = new JmsBytesMessage();
        message.reset();
        final byte[] bytes = new byte[Math.toIntExact(message.getBodyLength())];
        message.readBytes(bytes);
        copy.writeBytes(bytes);
        return copy;
    }

    private static JmsMessage copyMap(final MapMessage message) throws JMSException {
        final JmsMapMessage copy = new JmsMapMessage();
        final Enumeration<?> names = message.getMapNames();
        while (names.hasMoreElements()) {
            final String name = String.valueOf(names.nextElement());
            copy.setObject(name, message.getObject(name));
        }
        return copy;
    }

    private static JmsMessage copyStream(final StreamMessage message) throws JMSException {
        final JmsStreamMessage copy = new JmsStreamMessage();
        message.reset();
        try {
            while (true) {
                copy.writeObject(message.readObject());
            }
        } catch (final MessageEOFException e) {
            return copy;
        }
    }
}
