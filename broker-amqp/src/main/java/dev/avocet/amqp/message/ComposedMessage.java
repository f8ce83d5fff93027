package dev.avocet.amqp.message;

import dev.avocet.amqp.codec.AmqpException;
import dev.avocet.amqp.frame.TypeCode;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.time.Clock;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message to a queue that the broker makes for an administrator without a client: to JMS clients a TextMessage or a
 * BytesMessage as an application sends it. Immutable.
 *
 * @param queue where it goes
 * @param messageId as JMS has it, with {@code ID:} in front
 * @param body UTF-8 where {@code text} is true; not to be changed afterwards
 * @param text whether it is a TextMessage, else it is a BytesMessage
 * @param persistent whether it survives a crash in a queue that is kept on disk
 * @param priority 0 to 9
 * @param timeToLiveMs from now; 0 for ever
 * @param delayMs until it may be delivered at the earliest; 0 for at once
 * @param headers what the sender says besides
 * @param properties the application's own: String, Boolean, Long or Double
 */
public record ComposedMessage(
        String queue,
        String messageId,
        byte[] body,
        boolean text,
        boolean persistent,
        int priority,
        long timeToLiveMs,
        long delayMs,
        Headers headers,
        Map<String, Object> properties) {
    private static final long UINT_MAX = 0xFFFF_FFFFL;

    /**
     * Texts that may be absent.
     *
     * @param replyTo a queue
     */
    public record Headers(
            @Nullable String type,
            @Nullable String contentType,
            @Nullable String correlationId,
            @Nullable String replyTo,
            @Nullable String groupId) {}

    /**
     * The core's message.
     *
     * @param publisher who sends it
     */
    public Message toMessage(Clock clock, Object publisher) {
        try {
            byte[] encoded = encode(clock.wallTimeMs());
            IncomingMessage incoming = IncomingMessage.of(encoded, 0, encoded.length, clock);
            return new Message(
                    TopicName.of(queue),
                    true,
                    persistent ? QualityOfService.EXACTLY_ONCE : QualityOfService.AT_LEAST_ONCE,
                    false,
                    incoming.body(),
                    incoming.properties(),
                    incoming.expiryDeadlineNs(),
                    publisher);
        } catch (AmqpException e) {
            throw new IllegalStateException("a message that was just encoded is not well-formed", e);
        }
    }

    private byte[] encode(long nowWallMs) {
        SectionWriter out = new SectionWriter();
        boolean expires = timeToLiveMs > 0;
        OutgoingMessage.header(out, persistent, priority, expires && timeToLiveMs < UINT_MAX ? timeToLiveMs : -1, 0);
        annotations(out, nowWallMs);
        properties(out, nowWallMs);
        applicationProperties(out);
        if (text) {
            out.section(SectionType.VALUE);
            out.string(body);
        } else {
            out.section(SectionType.DATA);
            out.binary(body);
        }
        return out.toBytes();
    }

    private void annotations(SectionWriter out, long nowWallMs) {
        out.section(SectionType.MESSAGE_ANNOTATIONS);
        out.begin(TypeCode.MAP_32);
        out.symbol(JmsAnnotation.MESSAGE_TYPE);
        out.signedByte((text ? MessageType.TEXT : MessageType.BYTES).ordinal());
        out.symbol(JmsAnnotation.DESTINATION);
        out.signedByte(JmsAnnotation.QUEUE);
        if (headers.replyTo() != null) {
            out.symbol(JmsAnnotation.REPLY_TO);
            out.signedByte(JmsAnnotation.QUEUE);
        }
        if (delayMs > 0) {
            out.symbol(JmsAnnotation.DELIVERY_TIME);
            out.timestamp(nowWallMs + delayMs);
        }
        out.end();
    }

    /** In the order of {@link PropertyField}. */
    private void properties(SectionWriter out, long nowWallMs) {
        out.section(SectionType.PROPERTIES);
        out.begin(TypeCode.LIST_32);
        out.string(messageId);
        out.nothing();
        out.string(queue);
        out.string(headers.type());
        out.string(headers.replyTo());
        out.string(headers.correlationId());
        contentType(out);
        out.nothing();
        if (timeToLiveMs > 0) {
            out.timestamp(nowWallMs + timeToLiveMs);
        } else {
            out.nothing();
        }
        out.timestamp(nowWallMs);
        out.string(headers.groupId());
        out.end();
    }

    private void contentType(SectionWriter out) {
        String type = headers.contentType();
        if (type != null) {
            out.symbol(type.getBytes(StandardCharsets.US_ASCII));
        } else if (text) {
            out.nothing();
        } else {
            out.symbol("application/octet-stream".getBytes(StandardCharsets.US_ASCII));
        }
    }

    private void applicationProperties(SectionWriter out) {
        if (properties.isEmpty()) {
            return;
        }
        out.section(SectionType.APPLICATION_PROPERTIES);
        out.begin(TypeCode.MAP_32);
        properties.forEach((name, value) -> {
            out.string(name);
            if (value instanceof Boolean truth) {
                out.truth(truth);
            } else if (value instanceof Long number) {
                out.longInteger(number);
            } else if (value instanceof Double number) {
                out.real(number);
            } else {
                out.string(value.toString());
            }
        });
        out.end();
    }
}
