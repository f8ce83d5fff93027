package dev.avocet.jms.client.message;

import dev.avocet.jms.client.codec.AmqpWriter;
import dev.avocet.jms.client.message.section.Bodies;
import dev.avocet.jms.client.message.section.BodyType;
import dev.avocet.jms.client.message.section.Conversion;
import dev.avocet.jms.client.message.section.Section;
import dev.avocet.jms.client.message.section.StreamElement;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import java.util.Arrays;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Names and values; in AMQP a map as amqp-value. */
public final class JmsMapMessage extends JmsMessage implements MapMessage {
    private @Nullable Map<String, @Nullable Object> map;

    public JmsMapMessage() {
        map = new LinkedHashMap<>();
    }

    JmsMapMessage(final byte[] raw, final int bodyAt) {
        super(raw, bodyAt);
    }

    private Map<String, @Nullable Object> map() throws JMSException {
        Map<String, @Nullable Object> decoded = map;
        if (decoded == null) {
            decoded = new LinkedHashMap<>();
            if (raw != null && Bodies.value(raw, bodyAt) instanceof final Map<?, ?> entries) {
                for (final Map.Entry<?, ?> entry : entries.entrySet()) {
                    decoded.put(String.valueOf(entry.getKey()), StreamElement.asJms(entry.getValue()));
                }
            }
            map = decoded;
        }
        return decoded;
    }

    private @Nullable Object get(final String name) throws JMSException {
        return map().get(name);
    }

    private void put(final @Nullable String name, final @Nullable Object value) throws JMSException {
        if (name == null || name.isEmpty()) {
            throw new IllegalArgumentException("an entry of a map message needs a name");
        }
        checkBodyWritable();
        map().put(name, value);
    }

    @Override
    public boolean getBoolean(final String name) throws JMSException {
        return Conversion.toBoolean(get(name));
    }

    @Override
    public byte getByte(final String name) throws JMSException {
        return Conversion.toByte(get(name));
    }

    @Override
    public short getShort(final String name) throws JMSException {
        return Conversion.toShort(get(name));
    }

    @Override
    public char getChar(final String name) throws JMSException {
        return Conversion.toChar(get(name));
    }

    @Override
    public int getInt(final String name) throws JMSException {
        return Conversion.toInt(get(name));
    }

    @Override
    public long getLong(final String name) throws JMSException {
        return Conversion.toLong(get(name));
    }

    @Override
    public float getFloat(final String name) throws JMSException {
        return Conversion.toFloat(get(name));
    }

    @Override
    public double getDouble(final String name) throws JMSException {
        return Conversion.toDouble(get(name));
    }

    @Override
    public @Nullable String getString(final String name) throws JMSException {
        return Conversion.asString(get(name));
    }

    @Override
    public byte @Nullable [] getBytes(final String name) throws JMSException {
        final byte[] bytes = Conversion.toBytes(get(name));
        return bytes == null ? null : bytes.clone();
    }

    @Override
    public @Nullable Object getObject(final String name) throws JMSException {
        return copied(get(name));
    }

    private static @Nullable Object copied(final @Nullable Object value) {
        return value instanceof final byte[] bytes ? bytes.clone() : value;
    }

    @Override
    public Enumeration<String> getMapNames() throws JMSException {
        return Collections.enumeration(map().keySet());
    }

    @Override
    public void setBoolean(final String name, final boolean value) throws JMSException {
        put(name, value);
    }

    @Override
    public void setByte(final String name, final byte value) throws JMSException {
        put(name, value);
    }

    @Override
    public void setShort(final String name, final short value) throws JMSException {
        put(name, value);
    }

    @Override
    public void setChar(final String name, final char value) throws JMSException {
        put(name, value);
    }

    @Override
    public void setInt(final String name, final int value) throws JMSException {
        put(name, value);
    }

    @Override
    public void setLong(final String name, final long value) throws JMSException {
        put(name, value);
    }

    @Override
    public void setFloat(final String name, final float value) throws JMSException {
        put(name, value);
    }

    @Override
    public void setDouble(final String name, final double value) throws JMSException {
        put(name, value);
    }

    @Override
    public void setString(final String name, final @Nullable String value) throws JMSException {
        put(name, value);
    }

    @Override
    public void setBytes(final String name, final byte @Nullable [] value) throws JMSException {
        put(name, value == null ? null : value.clone());
    }

    @Override
    public void setBytes(final String name, final byte[] value, final int offset, final int length)
            throws JMSException {
        put(name, Arrays.copyOfRange(value, offset, offset + length));
    }

    @Override
    public void setObject(final String name, final @Nullable Object value) throws JMSException {
        put(name, value == null ? null : Conversion.checkBodyType(value));
    }

    @Override
    public boolean itemExists(final String name) throws JMSException {
        return map().containsKey(name);
    }

    @Override
    public void clearBody() throws JMSException {
        super.clearBody();
        map = new LinkedHashMap<>();
    }

    @Override
    int typeCode() {
        return BodyType.MAP.ordinal();
    }

    @Override
    void writeBody(final AmqpWriter writer) throws JMSException {
        writer.writeSection(Section.VALUE);
        writer.writeObject(map());
    }

    @Override
    public boolean isBodyAssignableTo(@SuppressWarnings("rawtypes") final Class type) throws JMSException {
        return map().isEmpty() || type == Map.class || type == Object.class;
    }

    @Override
    @Nullable Map<String, @Nullable Object> body() throws JMSException {
        if (map().isEmpty()) {
            return null;
        }
        final Map<String, @Nullable Object> copy = new LinkedHashMap<>();
        map().forEach((name, value) -> copy.put(name, copied(value)));
        return copy;
    }
}
