package dev.avocet.jms.client.message;

import dev.avocet.jms.client.codec.AmqpWriter;
import dev.avocet.jms.client.message.section.BodyType;
import dev.avocet.jms.client.message.section.MessageHead;
import dev.avocet.jms.client.message.section.Section;
import jakarta.jms.JMSException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes a message as AMQP. One for each session; not for several threads at once. */
public final class MessageWriter {
    private static final int HEADER_DEFAULT_PRIORITY = 4;

    private final AmqpWriter writer = new AmqpWriter();

    /**
     * All sections of {@code message}.
     *
     * @param timeToLiveMs 0: for ever
     */
    public byte[] write(final JmsMessage message, final long timeToLiveMs) throws JMSException {
        writer.reset();
        writeHead(message, timeToLiveMs, message.typeCode(), message.contentType());
        message.writeBody(writer);
        return writer.toByteArray();
    }

    /** The same with an envelope as the body, which says what it was. What is before the body is not sealed. */
    public byte[] writeSealed(final JmsMessage message, final long timeToLiveMs, final Seal seal) throws JMSException {
        final byte[] envelope = SealedBody.seal(message, seal);
        writer.reset();
        writeHead(message, timeToLiveMs, BodyType.BYTES.ordinal(), SealedBody.CONTENT_TYPE);
        writer.writeSection(Section.DATA);
        writer.writeObject(envelope);
        return writer.toByteArray();
    }

    private void writeHead(
            final JmsMessage message, final long timeToLiveMs, final int type, final @Nullable String contentType)
            throws JMSException {
        final MessageHead head = message.head();
        writeHeader(head, timeToLiveMs);
        writeAnnotations(head, type);
        writeProperties(head, contentType);
        if (!head.properties.isEmpty()) {
            writer.writeSection(Section.APPLICATION_PROPERTIES);
            writer.writeObject(head.properties);
        }
    }

    private void writeHeader(final MessageHead head, final long timeToLiveMs) {
        // The header's time to live is a uint, 49 days; what lives longer has its absolute-expiry-time alone.
        final boolean timed = timeToLiveMs > 0 && timeToLiveMs < 0xffff_ffffL;
        if (!head.durable && head.priority == HEADER_DEFAULT_PRIORITY && !timed) {
            return;
        }
        writer.writeSection(Section.HEADER);
        final int mark = writer.beginList();
        writer.writeBoolean(head.durable);
        int count = 1;
        if (head.priority != HEADER_DEFAULT_PRIORITY || timed) {
            writer.writeUbyte(head.priority);
            count++;
        }
        if (timed) {
            writer.writeUint(timeToLiveMs);
            count++;
        }
        writer.endList(mark, count);
    }

    private void writeAnnotations(final MessageHead head, final int type) {
        writer.writeSection(Section.MESSAGE_ANNOTATIONS);
        final int mark = writer.beginMap();
        int count = writeAnnotation(MessageHead.TYPE, type);
        if (head.toKind >= 0) {
            count += writeAnnotation(MessageHead.TO_KIND, head.toKind);
        }
        if (head.replyToKind >= 0) {
            count += writeAnnotation(MessageHead.REPLY_TO_KIND, head.replyToKind);
        }
        if (head.deliveryTimeMs != 0) {
            writer.writeSymbol(MessageHead.DELIVERY_TIME);
            writer.writeObject(head.deliveryTimeMs);
            count += 2;
        }
        for (final Map.Entry<String, @Nullable Object> annotation : head.annotations.entrySet()) {
            writer.writeSymbol(annotation.getKey());
            writer.writeObject(annotation.getValue());
            count += 2;
        }
        writer.endMap(mark, count);
    }

    private int writeAnnotation(final String name, final int value) {
        writer.writeSymbol(name);
        writer.writeByte((byte) value);
        return 2;
    }

    private void writeProperties(final MessageHead head, final @Nullable String contentType) {
        writer.writeSection(Section.PROPERTIES);
        final int mark = writer.beginList();
        int count = 10;
        writer.writeObject(head.messageId);
        writer.writeObject(head.userId);
        writer.writeObject(head.to);
        writer.writeObject(head.subject);
        writer.writeObject(head.replyTo);
        writer.writeObject(head.correlationId);
        writeSymbolOrNull(contentType);
        writeSymbolOrNull(null);
        writeTimestampOrNull(head.absoluteExpiryMs);
        writeTimestampOrNull(head.creationMs);
        if (head.groupId != null || head.groupSequence != null || head.replyToGroupId != null) {
            writer.writeObject(head.groupId);
            if (head.groupSequence == null) {
                writer.writeNull();
            } else {
                writer.writeUint(head.groupSequence & 0xffff_ffffL);
            }
            writer.writeObject(head.replyToGroupId);
            count = 13;
        }
        writer.endList(mark, count);
    }

    private void writeSymbolOrNull(final @Nullable String value) {
        if (value == null) {
            writer.writeNull();
        } else {
            writer.writeSymbol(value);
        }
    }

    private void writeTimestampOrNull(final long ms) {
        if (ms == 0) {
            writer.writeNull();
        } else {
            writer.writeTimestamp(ms);
        }
    }
}
