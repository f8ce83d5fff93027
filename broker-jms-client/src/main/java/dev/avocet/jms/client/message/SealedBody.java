package dev.avocet.jms.client.message;

import dev.avocet.jms.client.codec.AmqpReader;
import dev.avocet.jms.client.codec.AmqpWriter;
import dev.avocet.jms.client.message.section.Bodies;
import dev.avocet.jms.client.message.section.BodyType;
import dev.avocet.jms.client.message.section.Section;
import jakarta.jms.JMSException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What is sealed of a message: its body, and what type of message it is. The text of a text message and the bytes of a
 * bytes message stand in the envelope as they are, so that a device finds there what it would find in a payload. Other
 * bodies are sections of AMQP.
 */
public final class SealedBody {
    /** The content type of a message whose body is an envelope. */
    public static final String CONTENT_TYPE = "application/vnd.avocet.sealed";

    private static final String TEXT = "text";
    private static final String BYTES = "bytes";
    /** Before the number of the type of the message. */
    private static final String SECTIONS = "amqp/";

    private SealedBody() {}

    /** The body of {@code message} as an envelope. */
    static byte[] seal(final JmsMessage message, final Seal seal) throws JMSException {
        final AmqpWriter sections = new AmqpWriter();
        message.writeBody(sections);
        final byte[] body = sections.toByteArray();
        final int type = message.typeCode();
        if (type == BodyType.BYTES.ordinal()) {
            return seal.seal(BYTES, Bodies.bytes(body, 0));
        }
        if (type == BodyType.TEXT.ordinal() && Bodies.value(body, 0) instanceof final String text) {
            return seal.seal(TEXT, text.getBytes(StandardCharsets.UTF_8));
        }
        return seal.seal(SECTIONS + type, body);
    }

    /** The bytes in the body of a message, which may be an envelope. */
    public static byte[] envelope(final JmsMessage message) throws JMSException {
        return message.raw == null ? new byte[0] : Bodies.bytes(message.raw, message.bodyAt);
    }

    /** All sections of a message as they were before its body was sealed. */
    static byte[] opened(final JmsMessage sealed, final String kind, final byte[] content) {
        final byte[] raw = sealed.raw == null ? new byte[0] : sealed.raw;
        final byte[] body = sections(kind, content);
        final byte[] opened = Arrays.copyOf(raw, sealed.bodyAt + body.length);
        System.arraycopy(body, 0, opened, sealed.bodyAt, body.length);
        return opened;
    }

    private static byte[] sections(final String kind, final byte[] content) {
        if (kind.startsWith(SECTIONS)) {
            return content;
        }
        final AmqpWriter writer = new AmqpWriter();
        if (kind.equals(TEXT)) {
            writer.writeSection(Section.VALUE);
            writer.writeObject(new String(content, StandardCharsets.UTF_8));
        } else {
            writer.writeSection(Section.DATA);
            writer.writeObject(content);
        }
        return writer.toByteArray();
    }

    /** The type of message that was sealed; bytes for kinds of another client's. */
    static BodyType type(final String kind) {
        if (kind.equals(TEXT)) {
            return BodyType.TEXT;
        }
        final BodyType[] all = BodyType.values();
        for (final BodyType type : all) {
            if (kind.equals(SECTIONS + type.ordinal())) {
                return type;
            }
        }
        return BodyType.BYTES;
    }

    /** Whether content begins as a body does, so that nothing else passes for a message. */
    static boolean isBody(final String kind, final byte[] content) {
        if (!kind.startsWith(SECTIONS)) {
            return true;
        }
        final AmqpReader reader = new AmqpReader(content, 0);
        return !reader.isAtEnd() && reader.readSectionCode() >= Section.DATA;
    }
}
