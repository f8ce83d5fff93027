package dev.avocet.jms.client.message;

import dev.avocet.jms.client.codec.Unsigned;
import jakarta.jms.JMSException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Message and correlation identifiers: strings in JMS, four types in AMQP. Those that are no strings travel through JMS
 * as {@code ID:AMQP_UUID:…}, {@code ID:AMQP_ULONG:…}, {@code ID:AMQP_BINARY:…} and become what they were when they are
 * sent back; the same forms as those of other clients of the mapping.
 */
final class MessageId {
    private static final String ID = "ID:";
    private static final String UUID_PREFIX = "ID:AMQP_UUID:";
    private static final String ULONG_PREFIX = "ID:AMQP_ULONG:";
    private static final String BINARY_PREFIX = "ID:AMQP_BINARY:";
    private static final String STRING_PREFIX = "ID:AMQP_STRING:";
    private static final String NO_PREFIX = "ID:AMQP_NO_PREFIX:";

    private MessageId() {}

    /** What getJMSMessageID returns for a message-id on the wire. */
    static @Nullable String messageIdToJms(final @Nullable Object wire) {
        if (wire instanceof final String string) {
            if (!string.startsWith(ID)) {
                return NO_PREFIX + string;
            }
            return isEncoded(string) ? STRING_PREFIX + string.substring(ID.length()) : string;
        }
        return otherToJms(wire);
    }

    /** What getJMSCorrelationID returns for a correlation-id on the wire: an application's own string as it is. */
    static @Nullable String correlationIdToJms(final @Nullable Object wire) {
        if (wire instanceof final String string) {
            return isEncoded(string) ? STRING_PREFIX + string.substring(ID.length()) : string;
        }
        return otherToJms(wire);
    }

    private static @Nullable String otherToJms(final @Nullable Object wire) {
        if (wire == null) {
            return null;
        }
        if (wire instanceof final byte[] binary) {
            return BINARY_PREFIX + HexFormat.of().withUpperCase().formatHex(binary);
        }
        if (wire instanceof UUID) {
            return UUID_PREFIX + wire;
        }
        if (wire instanceof Unsigned) {
            return ULONG_PREFIX + wire;
        }
        return NO_PREFIX + wire;
    }

    /** The value on the wire for an identifier of JMS. */
    static @Nullable Object toWire(final @Nullable String id) throws JMSException {
        if (id == null || !isEncoded(id)) {
            return id;
        }
        try {
            return decoded(id);
        } catch (final IllegalArgumentException e) {
            final JMSException refused = new JMSException(
                    "the identifier " + id + " has the prefix of an AMQP type, but not its form: " + e.getMessage());
            refused.initCause(e);
            throw refused;
        }
    }

    private static Object decoded(final String id) {
        if (id.startsWith(UUID_PREFIX)) {
            return UUID.fromString(id.substring(UUID_PREFIX.length()));
        }
        if (id.startsWith(ULONG_PREFIX)) {
            return new Unsigned(Unsigned.Width.ULONG, Long.parseUnsignedLong(id.substring(ULONG_PREFIX.length())));
        }
        if (id.startsWith(BINARY_PREFIX)) {
            return HexFormat.of().parseHex(id.substring(BINARY_PREFIX.length()).toUpperCase(Locale.ROOT));
        }
        if (id.startsWith(STRING_PREFIX)) {
            return ID + id.substring(STRING_PREFIX.length());
        }
        return id.substring(NO_PREFIX.length());
    }

    private static boolean isEncoded(final String id) {
        return id.startsWith("ID:AMQP_")
                && (id.startsWith(UUID_PREFIX)
                        || id.startsWith(ULONG_PREFIX)
                        || id.startsWith(BINARY_PREFIX)
                        || id.startsWith(STRING_PREFIX)
                        || id.startsWith(NO_PREFIX));
    }
}
