package dev.avocet.jms.client.message;

import dev.avocet.jms.client.codec.AmqpWriter;
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
        final MessageHead head = message.head();
        writer.reset();
        writeHeader(head, timeToLiveMs);
        writeAnnotations(head, message.typeCode());
        writeProperties(head, message.contentType());
        if (!head.properties.isEmpty()) {
            writer.writeSection(Section.APPLICATION_PROPERTIES);
            writer.writeObject(head.properties);
        }
        message.writeBody(writer);
        return writer.toByteArray();
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
