package dev.avocet.jms.client.message;

import dev.avocet.jms.client.codec.AmqpWriter;
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
import org.jspecify.annotations.Nullable;

/** Bytes; in AMQP a data section. */
public final class JmsBytesMessage extends JmsMessage implements BytesMessage {
    private static final String CONTENT_TYPE = "application/octet-stream";
    private static final byte[] EMPTY = {};

    private byte @Nullable [] content;
    private @Nullable ByteArrayOutputStream written;
    private @Nullable DataOutputStream output;
    private @Nullable DataInputStream input;

    public JmsBytesMessage() {
        // Nothing is written yet.
    }

    JmsBytesMessage(final byte[] raw, final int bodyAt) {
        super(raw, bodyAt);
    }

    private byte[] content() throws JMSException {
        final ByteArrayOutputStream fresh = written;
        if (fresh != null) {
            return fresh.toByteArray();
        }
        byte[] decoded = content;
        if (decoded == null) {
            decoded = raw == null ? EMPTY : Bodies.bytes(raw, bodyAt);
            content = decoded;
        }
        return decoded;
    }

    @FunctionalInterface
    private interface Reading<T> {
        T read(DataInputStream input) throws IOException;
    }

    @FunctionalInterface
    private interface Writing {
        void write(DataOutputStream output) throws IOException;
    }

    private <T> T read(final Reading<T> reading) throws JMSException {
        final DataInputStream from = input();
        from.mark(Integer.MAX_VALUE);
        try {
            return reading.read(from);
        } catch (final EOFException e) {
            rewind(from);
            throw withCause(new MessageEOFException("the end of the bytes message is reached"), e);
        } catch (final IOException e) {
            rewind(from);
            throw withCause(new MessageFormatException("no modified UTF-8 stands here: " + e.getMessage()), e);
        }
    }

    private static void rewind(final DataInputStream from) throws JMSException {
        try {
            from.reset();
        } catch (final IOException e) {
            throw withCause(new JMSException("the bytes cannot be read again"), e);
        }
    }

    private static JMSException withCause(final JMSException exception, final Exception cause) {
        exception.initCause(cause);
        return exception;
    }

    private DataInputStream input() throws JMSException {
        checkBodyReadable();
        DataInputStream from = input;
        if (from == null) {
            from = new DataInputStream(new ByteArrayInputStream(content()));
            input = from;
        }
        return from;
    }

    private void write(final Writing writing) throws JMSException {
        checkBodyWritable();
        try {
            writing.write(output());
        } catch (final IOException e) {
            throw withCause(new MessageFormatException("this cannot be written: " + e.getMessage()), e);
        }
    }

    private DataOutputStream output() throws JMSException {
        DataOutputStream to = output;
        if (to == null) {
            final ByteArrayOutputStream fresh = new ByteArrayOutputStream();
            fresh.writeBytes(content());
            to = new DataOutputStream(fresh);
            written = fresh;
            output = to;
        }
        return to;
    }

    @Override
    public long getBodyLength() throws JMSException {
        checkBodyReadable();
        return content().length;
    }

    @Override
    public boolean readBoolean() throws JMSException {
        return read(DataInputStream::readBoolean);
    }

    @Override
    public byte readByte() throws JMSException {
        return read(DataInputStream::readByte);
    }

    @Override
    public int readUnsignedByte() throws JMSException {
        return read(DataInputStream::readUnsignedByte);
    }

    @Override
    public short readShort() throws JMSException {
        return read(DataInputStream::readShort);
    }

    @Override
    public int readUnsignedShort() throws JMSException {
        return read(DataInputStream::readUnsignedShort);
    }

    @Override
    public char readChar() throws JMSException {
        return read(DataInputStream::readChar);
    }

    @Override
    public int readInt() throws JMSException {
        return read(DataInputStream::readInt);
    }

    @Override
    public long readLong() throws JMSException {
        return read(DataInputStream::readLong);
    }

    @Override
    public float readFloat() throws JMSException {
        return read(DataInputStream::readFloat);
    }

    @Override
    public double readDouble() throws JMSException {
        return read(DataInputStream::readDouble);
    }

    @Override
    public String readUTF() throws JMSException {
        return read(from -> from.readUTF());
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
        return length == 0 ? 0 : read(from -> from.read(value, 0, length));
    }

    @Override
    public void writeBoolean(final boolean value) throws JMSException {
        write(to -> to.writeBoolean(value));
    }

    @Override
    public void writeByte(final byte value) throws JMSException {
        write(to -> to.writeByte(value));
    }

    @Override
    public void writeShort(final short value) throws JMSException {
        write(to -> to.writeShort(value));
    }

    @Override
    public void writeChar(final char value) throws JMSException {
        write(to -> to.writeChar(value));
    }

    @Override
    public void writeInt(final int value) throws JMSException {
        write(to -> to.writeInt(value));
    }

    @Override
    public void writeLong(final long value) throws JMSException {
        write(to -> to.writeLong(value));
    }

    @Override
    public void writeFloat(final float value) throws JMSException {
        write(to -> to.writeFloat(value));
    }

    @Override
    public void writeDouble(final double value) throws JMSException {
        write(to -> to.writeDouble(value));
    }

    @Override
    public void writeUTF(final String value) throws JMSException {
        write(to -> to.writeUTF(value));
    }

    @Override
    public void writeBytes(final byte[] value) throws JMSException {
        write(to -> to.write(value));
    }

    @Override
    public void writeBytes(final byte[] value, final int offset, final int length) throws JMSException {
        write(to -> to.write(value, offset, length));
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
        content = content();
        written = null;
        output = null;
        input = null;
        bodyReadOnly(true);
    }

    @Override
    public void onSend() throws JMSException {
        reset();
    }

    @Override
    public void clearBody() throws JMSException {
        super.clearBody();
        content = EMPTY;
        written = null;
        output = null;
        input = null;
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
        writer.writeSection(Section.DATA);
        writer.writeBinary(content());
    }

    @Override
    public boolean isBodyAssignableTo(@SuppressWarnings("rawtypes") final Class type) throws JMSException {
        return content().length == 0 || type == byte[].class || type == Object.class;
    }

    @Override
    byte @Nullable [] body() throws JMSException {
        reset();
        return content().length == 0 ? null : content().clone();
    }
}
