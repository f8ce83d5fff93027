package dev.avocet.jms.message;

import dev.avocet.core.message.DeadLetter;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.UserProperty;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Messages as AMQP clients get them: their own bit for bit, those of other protocols as the JMS mapping wants them. */
public final class OutgoingMessage {
    private static final byte[] OCTET_STREAM = "application/octet-stream".getBytes(StandardCharsets.US_ASCII);

    private OutgoingMessage() {}

    /**
     * The whole message.
     *
     * @param deliveryCount deliveries that have failed before this one
     * @param deadLetter why it is in a queue for messages that nobody takes; null when it is in another
     * @param nowNs the clock's {@code nanoTime}
     */
    public static byte[] encode(Message message, int deliveryCount, @Nullable DeadLetter deadLetter, long nowNs) {
        if (message.properties() instanceof AmqpProperties own) {
            if (deadLetter != null) {
                return DeadLetterSections.of(own, message.body(), deliveryCount, deadLetter);
            }
            return deliveryCount == 0 ? asItCame(own, message.body()) : redelivered(own, message.body(), deliveryCount);
        }
        return converted(message, deliveryCount, deadLetter, nowNs);
    }

    private static byte[] asItCame(AmqpProperties properties, byte[] body) {
        byte[] head = properties.encoded();
        byte[] all = new byte[head.length + body.length];
        System.arraycopy(head, 0, all, 0, head.length);
        System.arraycopy(body, 0, all, head.length, body.length);
        return all;
    }

    private static byte[] redelivered(AmqpProperties properties, byte[] body, int deliveryCount) {
        byte[] head = properties.encoded();
        SectionWriter out = new SectionWriter();
        header(out, properties.isPersistent(), properties.priority(), properties.timeToLiveMs(), deliveryCount);
        out.append(head, properties.headerTo(), head.length - properties.headerTo());
        out.append(body, 0, body.length);
        return out.toBytes();
    }

    static void header(SectionWriter out, boolean durable, int priority, long ttlMs, int deliveryCount) {
        out.section(SectionType.HEADER);
        out.begin(Values.LIST_32);
        out.truth(durable);
        out.ubyte(priority);
        if (ttlMs < 0) {
            out.nothing();
        } else {
            out.uint(ttlMs);
        }
        out.truth(deliveryCount == 0);
        out.uint(deliveryCount);
        out.end();
    }

    private static byte[] converted(Message message, int deliveryCount, @Nullable DeadLetter deadLetter, long nowNs) {
        MessageProperties properties = message.properties();
        byte[] payload = message.payload();
        boolean text = properties.isPayloadText() || isText(payload);
        SectionWriter out = new SectionWriter();
        boolean expires = message.expires() && deadLetter == null;
        long ttlMs = expires ? Math.max(1, TimeUnit.NANOSECONDS.toMillis(message.expiryDeadlineNs() - nowNs)) : -1;
        header(
                out,
                message.qos() != QualityOfService.AT_MOST_ONCE,
                message.priority(),
                Math.min(ttlMs, 0xFFFF_FFFEL),
                deliveryCount);
        out.section(SectionType.MESSAGE_ANNOTATIONS);
        out.begin(Values.MAP_32);
        annotations(out, message.isForQueue(), text, properties.responseTopic() != null);
        if (deadLetter != null) {
            DeadLetterSections.annotations(out, deadLetter);
        }
        out.end();
        properties(out, message, properties, text);
        applicationProperties(out, properties);
        body(out, payload, text);
        return out.toBytes();
    }

    private static void annotations(SectionWriter out, boolean forQueue, boolean text, boolean reply) {
        out.symbol(JmsAnnotation.MESSAGE_TYPE);
        out.signedByte(text ? JmsAnnotation.TEXT_MESSAGE : JmsAnnotation.BYTES_MESSAGE);
        out.symbol(JmsAnnotation.DESTINATION);
        out.signedByte(forQueue ? JmsAnnotation.QUEUE : JmsAnnotation.TOPIC);
        if (reply) {
            out.symbol(JmsAnnotation.REPLY_TO);
            out.signedByte(JmsAnnotation.TOPIC);
        }
    }

    private static void properties(SectionWriter out, Message message, MessageProperties properties, boolean text) {
        out.section(SectionType.PROPERTIES);
        out.begin(Values.LIST_32);
        out.nothing();
        out.nothing();
        out.string(message.topic().utf8());
        out.string(properties.contentType());
        out.string(properties.responseTopic());
        byte[] correlation = properties.correlationData();
        if (correlation == null) {
            out.nothing();
        } else if (isText(correlation)) {
            out.string(correlation);
        } else {
            out.binary(correlation);
        }
        if (!text) {
            out.symbol(OCTET_STREAM);
        }
        out.end();
    }

    /** Names may repeat in MQTT and not here: the last one counts. */
    private static void applicationProperties(SectionWriter out, MessageProperties properties) {
        List<UserProperty> all = properties.userProperties();
        if (all.isEmpty()) {
            return;
        }
        Map<String, String> named = new LinkedHashMap<>();
        for (UserProperty property : all) {
            named.put(property.name(), property.value());
        }
        out.section(SectionType.APPLICATION_PROPERTIES);
        out.begin(Values.MAP_32);
        named.forEach((name, value) -> {
            out.string(name);
            out.string(value);
        });
        out.end();
    }

    private static void body(SectionWriter out, byte[] payload, boolean text) {
        if (text) {
            out.section(SectionType.VALUE);
            out.string(payload);
        } else {
            out.section(SectionType.DATA);
            out.binary(payload);
        }
    }

    /** Well-formed UTF-8 without control characters but line ends and tabulators. */
    static boolean isText(byte[] payload) {
        int all = 0;
        for (byte b : payload) {
            if (b >= 0 && b < ' ' && b != '\n' && b != '\r' && b != '\t') {
                return false;
            }
            all |= b;
        }
        boolean ascii = all >= 0;
        return ascii || decoded(payload) != null;
    }

    private static @Nullable Object decoded(byte[] utf8) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8));
        } catch (CharacterCodingException e) {
            return null;
        }
    }
}
