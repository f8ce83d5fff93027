package dev.avocet.jms.client.message;

import dev.avocet.jms.client.codec.AmqpReader;
import dev.avocet.jms.client.codec.MalformedAmqpException;
import dev.avocet.jms.client.codec.SectionScan;
import dev.avocet.jms.client.message.section.Bodies;
import dev.avocet.jms.client.message.section.BodyType;
import dev.avocet.jms.client.message.section.MessageHead;
import dev.avocet.jms.client.message.section.Section;
import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes the message of JMS that the bytes stand for: as x-opt-jms-msg-type says, or as the form of the body does. */
public final class MessageReader {
    private static final BodyType[] TYPES = BodyType.values();
    private static final byte[] TYPE_KEY = MessageHead.TYPE.getBytes(StandardCharsets.US_ASCII);

    private final ConvertMessageType convert;
    private final TrustedClasses trusted;

    public MessageReader(final ConvertMessageType convert, final TrustedClasses trusted) {
        this.convert = convert;
        this.trusted = trusted;
    }

    public TrustedClasses trusted() {
        return trusted;
    }

    /**
     * @param raw all sections; kept by the message
     * @throws MalformedAmqpException when they are not AMQP
     */
    public JmsMessage read(final byte[] raw) throws JMSException {
        // Only who wants another rule than the broker's has to know whether the broker guessed.
        final JmsMessage usual = convert == ConvertMessageType.AUTOMATIC ? readUsual(raw) : null;
        return usual == null ? readAny(raw) : usual;
    }

    /**
     * The message that was sealed.
     *
     * @param sealed as it arrived
     * @param kind what the envelope says that its content is
     * @throws MessageFormatException when the content is none of what messages are made of
     */
    public JmsMessage opened(final JmsMessage sealed, final String kind, final byte[] content)
            throws MessageFormatException {
        if (!SealedBody.isBody(kind, content)) {
            throw new MessageFormatException("the content of the envelope is not a body of a message");
        }
        return make(SealedBody.type(kind), SealedBody.opened(sealed, kind, content), sealed.bodyAt);
    }

    /**
     * Those of this client and its like, whose annotations begin with the type: nothing is made but the message. Null:
     * it is not so.
     */
    private @Nullable JmsMessage readUsual(final byte[] raw) {
        int at = 0;
        int type = -1;
        for (int code = SectionScan.code(raw, 0); code >= 0; code = SectionScan.code(raw, at)) {
            if (code >= Section.DATA) {
                return type >= 0 && type < TYPES.length ? make(TYPES[type], raw, at) : null;
            }
            final int value = at + SectionScan.HEAD_BYTES;
            if (code == Section.MESSAGE_ANNOTATIONS) {
                type = SectionScan.firstByte(raw, value, TYPE_KEY);
            }
            at = SectionScan.compoundEnd(raw, value);
            if (at < 0) {
                return null;
            }
        }
        return null;
    }

    private JmsMessage readAny(final byte[] raw) throws JMSException {
        final AmqpReader reader = new AmqpReader(raw, 0);
        Object type = null;
        int bodyAt = 0;
        int section = -1;
        while (!reader.isAtEnd()) {
            bodyAt = reader.position();
            section = reader.readSectionCode();
            if (section == Section.MESSAGE_ANNOTATIONS) {
                type = readType(reader);
            } else if (section >= Section.DATA) {
                break;
            } else {
                reader.skip();
            }
        }
        if (section < Section.DATA) {
            bodyAt = raw.length;
        }
        if (type instanceof final Byte code && code >= 0 && code < TYPES.length) {
            return make(wanted(TYPES[code], raw), raw, bodyAt);
        }
        return make(guess(section, raw, bodyAt), raw, bodyAt);
    }

    /** The type that is announced, unless our broker has only guessed it and the application wants another one. */
    private BodyType wanted(final BodyType announced, final byte[] raw) {
        if (convert == ConvertMessageType.AUTOMATIC || !MessageHead.decode(raw).typeGuessed) {
            return announced;
        }
        return convert == ConvertMessageType.BYTES ? BodyType.BYTES : BodyType.TEXT;
    }

    private static @Nullable Object readType(final AmqpReader reader) {
        Object type = null;
        final int count = reader.readMapCount();
        for (int i = 0; i < count; i += 2) {
            if (reader.skipSymbol(TYPE_KEY)) {
                type = reader.readObject();
            } else {
                reader.skip();
            }
        }
        return type;
    }

    private JmsMessage make(final BodyType type, final byte[] raw, final int bodyAt) {
        return switch (type) {
            case MESSAGE -> new JmsMessage(raw, bodyAt);
            case OBJECT -> new JmsObjectMessage(raw, bodyAt, trusted);
            case MAP -> new JmsMapMessage(raw, bodyAt);
            case BYTES -> new JmsBytesMessage(raw, bodyAt);
            case STREAM -> new JmsStreamMessage(raw, bodyAt);
            case TEXT -> new JmsTextMessage(raw, bodyAt);
        };
    }

    private BodyType guess(final int section, final byte[] raw, final int bodyAt) throws JMSException {
        return switch (section) {
            case Section.SEQUENCE -> BodyType.STREAM;
            case Section.VALUE -> guessValue(Bodies.value(raw, bodyAt));
            case Section.DATA -> guessData(raw, bodyAt);
            default -> BodyType.MESSAGE;
        };
    }

    private static BodyType guessValue(final @Nullable Object value) {
        if (value instanceof Map<?, ?>) {
            return BodyType.MAP;
        }
        if (value instanceof List<?>) {
            return BodyType.STREAM;
        }
        return value instanceof byte[] ? BodyType.BYTES : BodyType.TEXT;
    }

    private BodyType guessData(final byte[] raw, final int bodyAt) throws JMSException {
        final String contentType = MessageHead.decode(raw).contentType;
        if (contentType != null) {
            return ofContentType(contentType.toLowerCase(Locale.ROOT));
        }
        return switch (convert) {
            case BYTES -> BodyType.BYTES;
            case TEXT -> BodyType.TEXT;
            case AUTOMATIC -> isText(Bodies.bytes(raw, bodyAt)) ? BodyType.TEXT : BodyType.BYTES;
        };
    }

    private static BodyType ofContentType(final String contentType) {
        if (contentType.equals(JmsObjectMessage.CONTENT_TYPE)) {
            return BodyType.OBJECT;
        }
        final boolean text = contentType.startsWith("text/")
                || contentType.startsWith("application/json")
                || contentType.startsWith("application/xml")
                || contentType.contains("+json")
                || contentType.contains("+xml");
        return text ? BodyType.TEXT : BodyType.BYTES;
    }

    private static boolean isText(final byte[] bytes) {
        final CharBuffer characters;
        try {
            characters = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
        } catch (final CharacterCodingException e) {
            return false;
        }
        for (int i = 0; i < characters.length(); i++) {
            final char c = characters.charAt(i);
            if (Character.isISOControl(c) && c != '\n' && c != '\r' && c != '\t') {
                return false;
            }
        }
        return true;
    }
}
