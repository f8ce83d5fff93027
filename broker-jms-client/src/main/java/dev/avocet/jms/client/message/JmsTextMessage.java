package dev.avocet.jms.client.message;

import dev.avocet.jms.client.codec.AmqpWriter;
import dev.avocet.jms.client.message.section.Bodies;
import dev.avocet.jms.client.message.section.BodyType;
import dev.avocet.jms.client.message.section.Section;
import jakarta.jms.JMSException;
import jakarta.jms.TextMessage;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A text; in AMQP a string as amqp-value. */
public final class JmsTextMessage extends JmsMessage implements TextMessage {
    private @Nullable String text;
    private boolean decoded;

    public JmsTextMessage(final @Nullable String text) {
        this.text = text;
        decoded = true;
    }

    JmsTextMessage(final byte[] raw, final int bodyAt) {
        super(raw, bodyAt);
    }

    @Override
    public void setText(final @Nullable String string) throws JMSException {
        checkBodyWritable();
        text = string;
        decoded = true;
    }

    @Override
    public @Nullable String getText() throws JMSException {
        if (!decoded && raw != null) {
            final Object value = Bodies.value(raw, bodyAt);
            text = value instanceof final byte[] utf8
                    ? new String(utf8, StandardCharsets.UTF_8)
                    : value == null ? null : value.toString();
            decoded = true;
        }
        return text;
    }

    @Override
    public void clearBody() throws JMSException {
        super.clearBody();
        text = null;
        decoded = true;
    }

    @Override
    int typeCode() {
        return BodyType.TEXT.ordinal();
    }

    @Override
    void writeBody(final AmqpWriter writer) throws JMSException {
        writer.writeSection(Section.VALUE);
        writer.writeObject(getText());
    }

    @Override
    public boolean isBodyAssignableTo(@SuppressWarnings("rawtypes") final Class type) throws JMSException {
        return getText() == null
                || type == String.class
                || type == CharSequence.class
                || type == Object.class
                || type == Comparable.class
                || type == java.io.Serializable.class;
    }

    @Override
    @Nullable String body() throws JMSException {
        return getText();
    }
}
