package dev.avocet.jms.client.message;

import dev.avocet.jms.client.codec.AmqpWriter;
import dev.avocet.jms.client.message.section.Bodies;
import dev.avocet.jms.client.message.section.BodyType;
import dev.avocet.jms.client.message.section.Conversion;
import dev.avocet.jms.client.message.section.Section;
import dev.avocet.jms.client.message.section.StreamElement;
import jakarta.jms.JMSException;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.StreamMessage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Values one after the other; in AMQP an amqp-sequence. */
public final class JmsStreamMessage extends JmsMessage implements StreamMessage {
    /** No array is being read in parts. */
    private static final int WHOLE = -1;

    private @Nullable List<@Nullable Object> elements;
    private int next;
    private int nextInArray = WHOLE;

    public JmsStreamMessage() {
        elements = new ArrayList<>();
    }

    JmsStreamMessage(final byte[] raw, final int bodyAt) {
        super(raw, bodyAt);
    }

    private List<@Nullable Object> elements() throws JMSException {
        List<@Nullable Object> decoded = elements;
        if (decoded == null) {
            decoded = new ArrayList<>();
            if (raw != null && Bodies.value(raw, bodyAt) instanceof final List<?> values) {
                for (final Object value : values) {
                    decoded.add(StreamElement.asJms(value));
                }
            }
            elements = decoded;
        }
        return decoded;
    }

    @FunctionalInterface
    private interface Reading<T extends @Nullable Object> {
        T read(@Nullable Object element) throws JMSException;
    }

    /** Goes on only when the element could be read: a failed reading leaves the stream where it is, section 3.11.3. */
    private <T extends @Nullable Object> T read(final Reading<T> reading) throws JMSException {
        checkBodyReadable();
        if (nextInArray != WHOLE) {
            throw new MessageFormatException("an array is being read with readBytes; read it to its end first");
        }
        final T value = reading.read(peek());
        next++;
        return value;
    }

    private @Nullable Object peek() throws JMSException {
        if (next >= elements().size()) {
            throw new MessageEOFException("the end of the stream message is reached");
        }
        return elements().get(next);
    }

    private void write(final @Nullable Object value) throws JMSException {
        checkBodyWritable();
        elements().add(value);
    }

    @Override
    public boolean readBoolean() throws JMSException {
        return read(Conversion::toBoolean);
    }

    @Override
    public byte readByte() throws JMSException {
        return read(Conversion::toByte);
    }

    @Override
    public short readShort() throws JMSException {
        return read(Conversion::toShort);
    }

    @Override
    public char readChar() throws JMSException {
        return read(Conversion::toChar);
    }

    @Override
    public int readInt() throws JMSException {
        return read(Conversion::toInt);
    }

    @Override
    public long readLong() throws JMSException {
        return read(Conversion::toLong);
    }

    @Override
    public float readFloat() throws JMSException {
        return read(Conversion::toFloat);
    }

    @Override
    public double readDouble() throws JMSException {
        return read(Conversion::toDouble);
    }

    @Override
    public @Nullable String readString() throws JMSException {
        return read(Conversion::asString);
    }

    @Override
    public int readBytes(final byte[] value) throws JMSException {
        checkBodyReadable();
        final byte[] array = Conversion.toBytes(peek());
        if (array == null) {
            next++;
            return -1;
        }
        if (nextInArray == array.length && nextInArray > 0) {
            nextInArray = WHOLE;
            next++;
            return -1;
        }
        final int from = Math.max(0, nextInArray);
        final int count = Math.min(value.length, array.length - from);
        System.arraycopy(array, from, value, 0, count);
        // An array that fills what was asked for may go on: the caller must ask once more, and is told by -1.
        if (count < value.length) {
            nextInArray = WHOLE;
            next++;
        } else {
            nextInArray = from + count;
        }
        return count;
    }

    @Override
    public @Nullable Object readObject() throws JMSException {
        return read(element -> element instanceof final byte[] bytes ? bytes.clone() : element);
    }

    @Override
    public void writeBoolean(final boolean value) throws JMSException {
        write(value);
    }

    @Override
    public void writeByte(final byte value) throws JMSException {
        write(value);
    }

    @Override
    public void writeShort(final short value) throws JMSException {
        write(value);
    }

    @Override
    public void writeChar(final char value) throws JMSException {
        write(value);
    }

    @Override
    public void writeInt(final int value) throws JMSException {
        write(value);
    }

    @Override
    public void writeLong(final long value) throws JMSException {
        write(value);
    }

    @Override
    public void writeFloat(final float value) throws JMSException {
        write(value);
    }

    @Override
    public void writeDouble(final double value) throws JMSException {
        write(value);
    }

    @Override
    public void writeString(final @Nullable String value) throws JMSException {
        write(value);
    }

    @Override
    public void writeBytes(final byte[] value) throws JMSException {
        write(value.clone());
    }

    @Override
    public void writeBytes(final byte[] value, final int offset, final int length) throws JMSException {
        write(Arrays.copyOfRange(value, offset, offset + length));
    }

    @Override
    public void writeObject(final @Nullable Object value) throws JMSException {
        write(value == null ? null : Conversion.checkBodyType(value));
    }

    @Override
    public void reset() {
        bodyReadOnly(true);
        next = 0;
        nextInArray = WHOLE;
    }

    @Override
    public void onSend() {
        reset();
    }

    @Override
    public void clearBody() throws JMSException {
        super.clearBody();
        elements = new ArrayList<>();
        next = 0;
        nextInArray = WHOLE;
    }

    @Override
    int typeCode() {
        return BodyType.STREAM.ordinal();
    }

    @Override
    void writeBody(final AmqpWriter writer) throws JMSException {
        writer.writeSection(Section.SEQUENCE);
        writer.writeObject(elements());
    }

    /** A stream has no body of one type, section 4.7 of the interface's documentation. */
    @Override
    public boolean isBodyAssignableTo(@SuppressWarnings("rawtypes") final Class type) {
        return false;
    }
}
