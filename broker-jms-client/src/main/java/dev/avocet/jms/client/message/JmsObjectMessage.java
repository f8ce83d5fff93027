package dev.avocet.jms.client.message;

import dev.avocet.jms.client.codec.AmqpWriter;
import dev.avocet.jms.client.message.section.Bodies;
import dev.avocet.jms.client.message.section.BodyType;
import dev.avocet.jms.client.message.section.Section;
import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.ObjectMessage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/** A serialised object as data; only classes that are trusted are ever made from what arrived. */
public final class JmsObjectMessage extends JmsMessage implements ObjectMessage {
    static final String CONTENT_TYPE = "application/x-java-serialized-object";
    private static final byte[] NULL = serialisedNull();

    private final TrustedClasses trusted;
    private byte @Nullable [] serialised;

    public JmsObjectMessage(final TrustedClasses trusted) {
        this.trusted = trusted;
        serialised = NULL;
    }

    JmsObjectMessage(final byte[] raw, final int bodyAt, final TrustedClasses trusted) {
        super(raw, bodyAt);
        this.trusted = trusted;
    }

    private static byte[] serialisedNull() {
        // STREAM_MAGIC, STREAM_VERSION, TC_NULL of the Java Object Serialization Stream Protocol.
        return new byte[] {(byte) 0xac, (byte) 0xed, 0, 5, 0x70};
    }

    private byte[] serialised() throws JMSException {
        byte[] bytes = serialised;
        if (bytes == null) {
            bytes = raw == null ? NULL : Bodies.bytes(raw, bodyAt);
            serialised = bytes;
        }
        return bytes;
    }

    @Override
    public void setObject(final @Nullable Serializable object) throws JMSException {
        checkBodyWritable();
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream output = new ObjectOutputStream(bytes)) {
            output.writeObject(object);
        } catch (final IOException e) {
            final MessageFormatException refused = new MessageFormatException("the object cannot be serialised: " + e);
            refused.initCause(e);
            throw refused;
        }
        serialised = bytes.toByteArray();
    }

    /**
     * @throws MessageFormatException when the object's class is not trusted, or its bytes are none
     */
    @Override
    public @Nullable Serializable getObject() throws JMSException {
        final byte[] bytes = serialised();
        if (isNull(bytes)) {
            return null;
        }
        if (raw != null && isBodyReadOnly() && trusted.isEmpty()) {
            throw new MessageFormatException(
                    "object messages are off: no class is trusted; name those that are in the option"
                            + " trustedClasses of the connection factory");
        }
        return deserialise(bytes);
    }

    private static boolean isNull(final byte[] bytes) {
        return bytes.length == 0 || java.util.Arrays.equals(bytes, NULL);
    }

    private @Nullable Serializable deserialise(final byte[] bytes) throws JMSException {
        final TrustedClasses.Check check = trusted.check();
        try (ObjectInputStream input = new LoadingStream(bytes)) {
            if (raw != null && isBodyReadOnly()) {
                input.setObjectInputFilter(check);
            }
            return (Serializable) input.readObject();
        } catch (final IOException | ClassNotFoundException | RuntimeException e) {
            final String refusal = check.refusal();
            throw refused(
                    refusal == null
                            ? "the object cannot be made from its bytes: " + e
                            : "the object is refused: " + refusal,
                    e);
        }
    }

    private static JMSException refused(final String what, final Exception cause) {
        final MessageFormatException refused = new MessageFormatException(what);
        refused.initCause(cause);
        return refused;
    }

    @Override
    public void clearBody() throws JMSException {
        super.clearBody();
        serialised = NULL;
    }

    @Override
    int typeCode() {
        return BodyType.OBJECT.ordinal();
    }

    @Override
    String contentType() {
        return CONTENT_TYPE;
    }

    @Override
    void writeBody(final AmqpWriter writer) throws JMSException {
        writer.writeSection(Section.DATA);
        writer.writeBinary(serialised());
    }

    @Override
    public boolean isBodyAssignableTo(@SuppressWarnings("rawtypes") final Class type) throws JMSException {
        if (isNull(serialised()) || type == Serializable.class || type == Object.class) {
            return true;
        }
        final Serializable object = getObject();
        return object == null || type.isInstance(object);
    }

    @Override
    @Nullable Serializable body() throws JMSException {
        return getObject();
    }

    /** Looks classes up where the application's are. */
    private static final class LoadingStream extends ObjectInputStream {
        LoadingStream(final byte[] bytes) throws IOException {
            super(new ByteArrayInputStream(bytes));
        }

        @Override
        protected Class<?> resolveClass(final ObjectStreamClass description)
                throws IOException, ClassNotFoundException {
            final ClassLoader loader = Thread.currentThread().getContextClassLoader();
            if (loader != null) {
                try {
                    return Class.forName(description.getName(), false, loader);
                } catch (final ClassNotFoundException e) {
                    return super.resolveClass(description);
                }
            }
            return super.resolveClass(description);
        }
    }
}
