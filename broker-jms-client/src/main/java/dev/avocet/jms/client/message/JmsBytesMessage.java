package dev.avocet.jms.client.message;

import dev.avocet.jms.client.codec.AmqpWriter;
import dev.avocet.jms.client.message.section.Bodies;
import dev.avocet.jms.client.message.section.BodyType;
import dev.avocet.jms.client.message.section.Conversion;
import dev.avocet.jms.client.message.section.Section;
import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Bytes; in AMQP a data section. Those of a message that arrived are read where they lie. */
public final class JmsBytesMessage extends JmsMessage implements BytesMessage {
    private static final String CONTENT_TYPE = "application/octet-stream";
    private static final byte[] EMPTY = {};
    private static final int WRITTEN_FIRST_BYTES = 64;

    private static final VarHandle SHORT = view(short[].class);
    private static final VarHandle CHAR = view(char[].class);
    private static final VarHandle INT = view(int[].class);
    private static final VarHandle LONG = view(long[].class);

    /** Ends with the content, which begins at {@link #from}; null: not looked for yet. */
    private byte @Nullable [] bytes;

    private int from;
    /** What is read next. */
    private int at;

    private @Nullable Written written;

    public JmsBytesMessage() {
        bytes = EMPTY;
    }

    JmsBytesMessage(final byte[] raw, final int bodyAt) {
        super(raw, bodyAt);
    }

    private static VarHandle view(final Class<?> arrayType) {
        return MethodHandles.byteArrayViewVarHandle(arrayType, ByteOrder.BIG_ENDIAN);
    }

    /**
     * What has been written; an array that is just full can be taken without a copy, for nothing is written any more
     * then.
     */
    private static final class Written extends ByteArrayOutputStream {
        private final DataOutputStream data = new DataOutputStream(this);

        Written(final int firstBytes) {
            super(firstBytes);
        }

        byte[] array() {
            return count == buf.length ? buf : toByteArray();
        }
    }

    @FunctionalInterface
    private interface Writing {
        void write(DataOutputStream output) throws IOException;
    }

    /** The array that holds the content. */
    private byte[] bytes() throws JMSException {
        final byte[] known = bytes;
        if (known != null) {
            return known;
        }
        final byte[] arrived = raw == null ? EMPTY : raw;
        final int dataAt = Bodies.dataAt(arrived, bodyAt);
        // As all send it: one section of data.
        final byte[] found = dataAt < 0 ? Bodies.bytes(arrived, bodyAt) : arrived;
        hold(found, Math.max(0, dataAt));
        return found;
    }

    private void hold(final byte[] array, final int first) {
        bytes = array;
        from = first;
        at = first;
    }

    /** What was written is the content. */
    private int length() throws JMSException {
        final Written fresh = written;
        if (fresh != null) {
            return fresh.size();
        }
        final byte[] content = bytes();
        return content.length - from;
    }

    private static JMSException withCause(final JMSException exception, final Exception cause) {
        exception.initCause(cause);
        return exception;
    }

    /** Goes past so many bytes of the content; returns where they begin. */
    private int take(final byte[] content, final int count) throws JMSException {
        if (content.length - at < count) {
            throw new MessageEOFException("the end of the bytes message is reached");
        }
        at += count;
        return at - count;
    }

    private byte[] readable() throws JMSException {
        checkBodyReadable();
        return bytes();
    }

    private void write(final Writing writing) throws JMSException {
        write(writing, 0);
    }

    private void write(final Writing writing, final int length) throws JMSException {
        checkBodyWritable();
        try {
            writing.write(output(length));
        } catch (final IOException e) {
            throw withCause(new MessageFormatException("this cannot be written: " + e.getMessage()), e);
        }
    }

    private DataOutputStream output(final int length) throws JMSException {
        Written fresh = written;
        if (fresh == null) {
            final byte[] before = bytes();
            final int held = before.length - from;
            fresh = new Written(length == 0 ? held + WRITTEN_FIRST_BYTES : held + length);
            fresh.write(before, from, held);
            written = fresh;
        }
        return fresh.data;
    }

    @Override
    public long getBodyLength() throws JMSException {
        checkBodyReadable();
        return length();
    }

    @Override
    public boolean readBoolean() throws JMSException {
        return readByte() != 0;
    }

    @Override
    public byte readByte() throws JMSException {
        final byte[] content = readable();
        return content[take(content, 1)];
    }

    @Override
    public int readUnsignedByte() throws JMSException {
        return readByte() & 0xff;
    }

    @Override
    public short readShort() throws JMSException {
        final byte[] content = readable();
        return (short) SHORT.get(content, take(content, 2));
    }

    @Override
    public int readUnsignedShort() throws JMSException {
        return readShort() & 0xffff;
    }

    @Override
    public char readChar() throws JMSException {
        final byte[] content = readable();
        return (char) CHAR.get(content, take(content, 2));
    }

    @Override
    public int readInt() throws JMSException {
        final byte[] content = readable();
        return (int) INT.get(content, take(content, 4));
    }

    @Override
    public long readLong() throws JMSException {
        final byte[] content = readable();
        return (long) LONG.get(content, take(content, 8));
    }

    @Override
    public float readFloat() throws JMSException {
        return Float.intBitsToFloat(readInt());
    }

    @Override
    public double readDouble() throws JMSException {
        return Double.longBitsToDouble(readLong());
    }

    @Override
    public String readUTF() throws JMSException {
        final byte[] content = readable();
        final ByteArrayInputStream input = new ByteArrayInputStream(content, at, content.length - at);
        try {
            final String text = new DataInputStream(input).readUTF();
            at = content.length - input.available();
            return text;
        } catch (final EOFException e) {
            throw withCause(new MessageEOFException("the end of the bytes message is reached"), e);
        } catch (final IOException e) {
            throw withCause(new MessageFormatException("no modified UTF-8 stands here: " + e.getMessage()), e);
        }
    }

    @Override
    public int readBytes(final byte[] value) throws JMSException {
        return readBytes(value, value.length);
    }

    @Override
    public int readBytes(final byte[] value, final int length) throws JMSException {
        if (length < 0 || length > value.length) {
            throw new IndexOutOfBoundsException("length " + length + " of an array of " + value.length);
        }
        final byte[] content = readable();
        if (length == 0) {
            return 0;
        }
        final int count = Math.min(length, content.length - at);
        if (count == 0) {
            return -1;
        }
        System.arraycopy(content, take(content, count), value, 0, count);
        return count;
    }

    @Override
    public void writeBoolean(final boolean value) throws JMSException {
        write(output -> output.writeBoolean(value));
    }

    @Override
    public void writeByte(final byte value) throws JMSException {
        write(output -> output.writeByte(value));
    }

    @Override
    public void writeShort(final short value) throws JMSException {
        write(output -> output.writeShort(value));
    }

    @Override
    public void writeChar(final char value) throws JMSException {
        write(output -> output.writeChar(value));
    }

    @Override
    public void writeInt(final int value) throws JMSException {
        write(output -> output.writeInt(value));
    }

    @Override
    public void writeLong(final long value) throws JMSException {
        write(output -> output.writeLong(value));
    }

    @Override
    public void writeFloat(final float value) throws JMSException {
        write(output -> output.writeFloat(value));
    }

    @Override
    public void writeDouble(final double value) throws JMSException {
        write(output -> output.writeDouble(value));
    }

    @Override
    public void writeUTF(final String value) throws JMSException {
        write(output -> output.writeUTF(value));
    }

    @Override
    public void writeBytes(final byte[] value) throws JMSException {
        write(output -> output.write(value), value.length);
    }

    @Override
    public void writeBytes(final byte[] value, final int offset, final int length) throws JMSException {
        write(output -> output.write(value, offset, length), length);
    }

    @Override
    public void writeObject(final @Nullable Object value) throws JMSException {
        if (value == null) {
            throw new NullPointerException("a bytes message has no form for null");
        }
        Conversion.checkBodyType(value);
        if (value instanceof final byte[] bytes) {
            writeBytes(bytes);
        } else if (value instanceof final String string) {
            writeUTF(string);
        } else if (value instanceof final Character character) {
            writeChar(character);
        } else if (value instanceof final Boolean flag) {
            writeBoolean(flag);
        } else {
            writeNumber((Number) value);
        }
    }

    private void writeNumber(final Number value) throws JMSException {
        if (value instanceof Byte) {
            writeByte(value.byteValue());
        } else if (value instanceof Short) {
            writeShort(value.shortValue());
        } else if (value instanceof Integer) {
            writeInt(value.intValue());
        } else if (value instanceof Long) {
            writeLong(value.longValue());
        } else if (value instanceof Float) {
            writeFloat(value.floatValue());
        } else {
            writeDouble(value.doubleValue());
        }
    }

    @Override
    public void reset() throws JMSException {
        final Written fresh = written;
        if (fresh == null) {
            final byte[] content = bytes();
            hold(content, from);
        } else {
            hold(fresh.array(), 0);
            written = null;
        }
        bodyReadOnly(true);
    }

    @Override
    public void onSend() throws JMSException {
        reset();
    }

    @Override
    public void clearBody() throws JMSException {
        super.clearBody();
        hold(EMPTY, 0);
        written = null;
    }

    @Override
    int typeCode() {
        return BodyType.BYTES.ordinal();
    }

    @Override
    String contentType() {
        return CONTENT_TYPE;
    }

    @Override
    void writeBody(final AmqpWriter writer) throws JMSException {
        reset();
        final byte[] content = bytes();
        writer.writeSection(Section.DATA);
        writer.writeBinary(content, from, content.length - from);
    }

    @Override
    public boolean isBodyAssignableTo(@SuppressWarnings("rawtypes") final Class type) throws JMSException {
        return length() == 0 || type == byte[].class || type == Object.class;
    }

    @Override
    byte @Nullable [] body() throws JMSException {
        reset();
        final byte[] content = bytes();
        return content.length == from ? null : Arrays.copyOfRange(content, from, content.length);
    }
}
