package dev.avocet.amqp.message;

import dev.avocet.amqp.frame.TypeCode;
import dev.avocet.core.message.DeadLetter;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.QualityOfService;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A message of another protocol as the JMS mapping wants it. */
final class ForeignMessage {
    private static final byte[] OCTETS = "application/octet-stream".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] JAVA_OBJECT =
            "application/x-java-serialized-object".getBytes(StandardCharsets.US_ASCII);
    private static final long UINT_MAX = 0xFFFF_FFFEL;

    private final Message message;
    private final MessageProperties properties;
    private final ForeignProperties named;
    private final ForeignBody body;
    private final SectionWriter out = new SectionWriter();

    ForeignMessage(Message message) {
        this.message = message;
        this.properties = message.properties();
        this.named = ForeignProperties.of(properties.userProperties());
        this.body = ForeignBody.of(message.payload(), properties.isPayloadText(), named.type());
    }

    /** One that has no properties, with the body that its payload is. */
    ForeignMessage(Message message, ForeignBody body) {
        this.message = message;
        this.properties = message.properties();
        this.named = ForeignProperties.of(List.of());
        this.body = body;
    }

    byte[] encode(int deliveryCount, @Nullable DeadLetter deadLetter, long nowNs) {
        head(deliveryCount, deadLetter, nowNs);
        body.writeTo(out);
        return out.toBytes();
    }

    /** What comes before the body of one that does not expire and was not delivered before. */
    byte[] encodeHead() {
        head(0, null, 0);
        return out.toBytes();
    }

    private void head(int deliveryCount, @Nullable DeadLetter deadLetter, long nowNs) {
        boolean expires = message.expires() && deadLetter == null;
        long ttlMs = expires ? Math.max(1, TimeUnit.NANOSECONDS.toMillis(message.expiryDeadlineNs() - nowNs)) : -1;
        OutgoingMessage.header(
                out,
                message.qos() != QualityOfService.AT_MOST_ONCE,
                message.priority(),
                Math.min(ttlMs, UINT_MAX),
                deliveryCount);
        annotations(deadLetter);
        properties();
        applicationProperties();
    }

    private void annotations(@Nullable DeadLetter deadLetter) {
        out.section(SectionType.MESSAGE_ANNOTATIONS);
        out.begin(TypeCode.MAP_32);
        out.symbol(JmsAnnotation.MESSAGE_TYPE);
        out.signedByte(body.type().ordinal());
        out.symbol(JmsAnnotation.DESTINATION);
        out.signedByte(message.isForQueue() ? JmsAnnotation.QUEUE : JmsAnnotation.TOPIC);
        if (properties.responseTopic() != null) {
            out.symbol(JmsAnnotation.REPLY_TO);
            out.signedByte(JmsAnnotation.TOPIC);
        }
        if (body.guessed()) {
            out.symbol(JmsAnnotation.TYPE_GUESSED);
            out.truth(true);
        }
        if (deadLetter != null) {
            DeadLetterSections.annotations(out, deadLetter);
        }
        out.end();
    }

    /** In the order of {@link PropertyField}. */
    private void properties() {
        out.section(SectionType.PROPERTIES);
        out.begin(TypeCode.LIST_32);
        out.string(named.messageId());
        out.nothing();
        out.string(message.topic().utf8());
        out.string(properties.contentType());
        out.string(properties.responseTopic());
        correlation(properties.correlationData());
        mediaType();
        out.nothing();
        out.nothing();
        if (named.timestampWallMs() < 0) {
            out.nothing();
        } else {
            out.timestamp(named.timestampWallMs());
        }
        out.string(named.groupId());
        if (named.groupSequence() < 0) {
            out.nothing();
        } else {
            out.uint(named.groupSequence());
        }
        out.end();
    }

    private void correlation(byte @Nullable [] data) {
        if (data == null) {
            out.nothing();
        } else if (ForeignBody.isText(data)) {
            out.string(data);
        } else {
            out.binary(data);
        }
    }

    private void mediaType() {
        switch (body.type()) {
            case BYTES -> out.symbol(OCTETS);
            case OBJECT -> out.symbol(JAVA_OBJECT);
            default -> out.nothing();
        }
    }

    private void applicationProperties() {
        if (named.own().isEmpty() && !message.retain()) {
            return;
        }
        out.section(SectionType.APPLICATION_PROPERTIES);
        out.begin(TypeCode.MAP_32);
        if (message.retain()) {
            out.string(ForeignProperties.RETAIN);
            out.integer(1);
        }
        named.own().forEach((name, value) -> {
            out.string(name);
            out.string(value);
        });
        out.end();
    }
}
