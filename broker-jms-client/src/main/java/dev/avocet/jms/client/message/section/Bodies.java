package dev.avocet.jms.client.message.section;

import dev.avocet.jms.client.codec.AmqpReader;
import dev.avocet.jms.client.codec.MalformedAmqpException;
import dev.avocet.jms.client.codec.SectionScan;
import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the body sections of a message that arrived. */
public final class Bodies {
    private static final byte[] EMPTY = {};

    private Bodies() {}

    /** The value of the one body section, or the bytes of all data sections together; null: no body. */
    public static @Nullable Object value(final byte[] raw, final int bodyAt) throws JMSException {
        try {
            final AmqpReader reader = new AmqpReader(raw, bodyAt);
            if (reader.isAtEnd()) {
                return null;
            }
            return switch (reader.readSectionCode()) {
                case Section.DATA -> data(reader);
                case Section.SEQUENCE -> sequence(reader);
                case Section.VALUE -> reader.readObject();
                default -> null;
            };
        } catch (final MalformedAmqpException e) {
            throw refused(e);
        }
    }

    /** The bytes of the body, where they stand as data or as a binary or string value. */
    public static byte[] bytes(final byte[] raw, final int bodyAt) throws JMSException {
        final Object value = value(raw, bodyAt);
        if (value instanceof final byte[] bytes) {
            return bytes;
        }
        if (value instanceof final String string) {
            return string.getBytes(java.nio.charset.StandardCharsets.UTF_8);
        }
        return EMPTY;
    }

    /**
     * Where the bytes of a body begin that is one section of data, as all send it, and nothing else; -1: it is
     * something else.
     */
    public static int dataAt(final byte[] raw, final int bodyAt) {
        final int at = SectionScan.isSection(raw, bodyAt, Section.DATA)
                ? SectionScan.binaryAt(raw, bodyAt + SectionScan.HEAD_BYTES)
                : -1;
        return at >= 0 && SectionScan.binaryEnd(raw, bodyAt + SectionScan.HEAD_BYTES) == raw.length ? at : -1;
    }

    /** What the application gets to see of it. */
    public static MessageFormatException refused(final MalformedAmqpException e) {
        final MessageFormatException refused = new MessageFormatException(e.getMessage());
        refused.initCause(e);
        return refused;
    }

    private static byte[] data(final AmqpReader reader) {
        final byte[] first = reader.readObject() instanceof final byte[] bytes ? bytes : EMPTY;
        if (reader.isAtEnd()) {
            return first;
        }
        final ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(first);
        while (!reader.isAtEnd() && reader.readSectionCode() == Section.DATA) {
            if (reader.readObject() instanceof final byte[] more) {
                all.writeBytes(more);
            }
        }
        return all.toByteArray();
    }

    private static List<@Nullable Object> sequence(final AmqpReader reader) {
        final List<@Nullable Object> all = new ArrayList<>();
        addAll(all, reader.readObject());
        while (!reader.isAtEnd() && reader.readSectionCode() == Section.SEQUENCE) {
            addAll(all, reader.readObject());
        }
        return all;
    }

    private static void addAll(final List<@Nullable Object> all, final @Nullable Object section) {
        if (section instanceof final List<?> list) {
            all.addAll(list);
        }
    }
}
