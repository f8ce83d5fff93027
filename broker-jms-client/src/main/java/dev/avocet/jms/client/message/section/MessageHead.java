package dev.avocet.jms.client.message.section;

import dev.avocet.jms.client.codec.AmqpReader;
import dev.avocet.jms.client.codec.Symbol;
import dev.avocet.jms.client.codec.Unsigned;
import jakarta.jms.Destination;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All of a message but its body, as AMQP has it: the fields of the sections header and properties, annotations,
 * application properties.
 */
public final class MessageHead {
    public static final String TYPE = "x-opt-jms-msg-type";
    /** Our broker's word that it took the type from the payload of a message of MQTT. */
    static final String TYPE_GUESSED = "x-opt-avocet-type-guessed";

    public static final String TO_KIND = "x-opt-jms-dest";
    public static final String REPLY_TO_KIND = "x-opt-jms-reply-to";
    public static final String DELIVERY_TIME = "x-opt-delivery-time";

    /** What our broker says of a message that no consumer took, and the properties by which JMS applications see it. */
    private static final Map<String, String> DEAD_LETTER = Map.of(
            "x-opt-avocet-dead-letter-cause", "JMS_AVOCET_DeadLetterCause",
            "x-opt-avocet-dead-letter-queue", "JMS_AVOCET_DeadLetterQueue",
            "x-opt-avocet-dead-letter-delivery-count", "JMS_AVOCET_DeadLetterDeliveryCount",
            "x-opt-avocet-dead-letter-description", "JMS_AVOCET_DeadLetterDescription",
            "x-opt-avocet-dead-letter-expiration", "JMS_AVOCET_DeadLetterExpiration");

    public boolean durable;
    public int priority = 4;
    /** From the header; -1: none. */
    public long timeToLiveMs = -1;

    public long deliveryCount;

    public @Nullable Object messageId;

    public byte @Nullable [] userId;

    public @Nullable String to;

    public @Nullable String subject;

    public @Nullable String replyTo;

    public @Nullable Object correlationId;

    public @Nullable String contentType;

    @Nullable String contentEncoding;

    /** 0: never. */
    public long absoluteExpiryMs;

    /** 0: none. */
    public long creationMs;

    public @Nullable String groupId;

    public @Nullable Long groupSequence;

    public @Nullable String replyToGroupId;

    /** 0: none. */
    public long deliveryTimeMs;

    public boolean typeGuessed;
    public int toKind = -1;
    public int replyToKind = -1;

    /** What JMS makes of some of the fields, when it is asked or told; -1: it was not. */
    public long expirationMs = -1;

    public @Nullable Destination destination;

    public @Nullable Destination replyToDestination;

    /** Annotations that are none of the mapping's; they are kept when the message is sent on. */
    public Map<String, @Nullable Object> annotations = Collections.emptyMap();

    public Map<String, @Nullable Object> properties = Collections.emptyMap();

    private Map<String, @Nullable Object> deadLetter = Collections.emptyMap();

    /** Decodes the sections before the body. */
    public static MessageHead decode(final byte[] raw) {
        final MessageHead head = new MessageHead();
        final AmqpReader reader = new AmqpReader(raw, 0);
        while (!reader.isAtEnd() && head.decodeSection(reader)) {
            // All is done by decodeSection.
        }
        if (!head.deadLetter.isEmpty()) {
            head.deadLetter.putAll(withoutDeadLetter(head.properties));
            head.properties = head.deadLetter;
        }
        return head;
    }

    /** Sets an application property. */
    public void putProperty(final String name, final @Nullable Object value) {
        if (properties.isEmpty()) {
            properties = new LinkedHashMap<>();
        }
        properties.put(name, value);
    }

    private boolean decodeSection(final AmqpReader reader) {
        switch (reader.readSectionCode()) {
            case Section.HEADER -> decodeHeader(reader);
            case Section.DELIVERY_ANNOTATIONS -> reader.skip();
            case Section.MESSAGE_ANNOTATIONS -> decodeAnnotations(reader);
            case Section.PROPERTIES -> decodeProperties(reader);
            case Section.APPLICATION_PROPERTIES -> properties = decodeMap(reader);
            default -> {
                return false;
            }
        }
        return true;
    }

    private void decodeHeader(final AmqpReader reader) {
        final int count = reader.readListCount();
        for (int i = 0; i < count; i++) {
            final Object value = reader.readObject();
            if (value != null) {
                switch (i) {
                    case 0 -> durable = Boolean.TRUE.equals(value);
                    case 1 -> priority = (int) Math.min(9, asLong(value));
                    case 2 -> timeToLiveMs = asLong(value);
                    case 4 -> deliveryCount = asLong(value);
                    default -> {}
                }
            }
        }
    }

    private void decodeProperties(final AmqpReader reader) {
        final int count = reader.readListCount();
        for (int i = 0; i < count; i++) {
            final Object value = reader.readObject();
            if (value != null) {
                decodeProperty(i, value);
            }
        }
    }

    private void decodeProperty(final int index, final Object value) {
        switch (index) {
            case 0 -> messageId = value;
            case 1 -> userId = value instanceof final byte[] bytes ? bytes : null;
            case 2 -> to = value.toString();
            case 3 -> subject = value.toString();
            case 4 -> replyTo = value.toString();
            case 5 -> correlationId = value;
            case 6 -> contentType = value.toString();
            case 7 -> contentEncoding = value.toString();
            case 8 -> absoluteExpiryMs = asLong(value);
            case 9 -> creationMs = asLong(value);
            case 10 -> groupId = value.toString();
            case 11 -> groupSequence = asLong(value);
            case 12 -> replyToGroupId = value.toString();
            default -> {}
        }
    }

    private void decodeAnnotations(final AmqpReader reader) {
        decodeMap(reader).forEach((name, value) -> {
            switch (name) {
                case TYPE -> {}
                case TYPE_GUESSED -> typeGuessed = Boolean.TRUE.equals(value);
                case TO_KIND -> toKind = value == null ? -1 : (int) asLong(value);
                case REPLY_TO_KIND -> replyToKind = value == null ? -1 : (int) asLong(value);
                case DELIVERY_TIME -> deliveryTimeMs = value == null ? 0 : asLong(value);
                default -> keepAnnotation(name, value);
            }
        });
    }

    /** A message that was sent on has them of an earlier time. */
    private static Map<String, @Nullable Object> withoutDeadLetter(final Map<String, @Nullable Object> properties) {
        properties.keySet().removeAll(DEAD_LETTER.values());
        return properties;
    }

    private void keepAnnotation(final String name, final @Nullable Object value) {
        final String property = DEAD_LETTER.get(name);
        if (property != null) {
            if (deadLetter.isEmpty()) {
                deadLetter = new LinkedHashMap<>();
            }
            deadLetter.put(property, value);
            return;
        }
        if (annotations.isEmpty()) {
            annotations = new LinkedHashMap<>();
        }
        annotations.put(name, value);
    }

    private static Map<String, @Nullable Object> decodeMap(final AmqpReader reader) {
        final int count = reader.readMapCount();
        final Map<String, @Nullable Object> map = new LinkedHashMap<>();
        for (int i = 0; i < count; i += 2) {
            final Object key = reader.readObject();
            map.put(String.valueOf(key), reader.readObject());
        }
        return map;
    }

    private static long asLong(final Object value) {
        if (value instanceof final Unsigned number) {
            return number.bits();
        }
        if (value instanceof final Number number) {
            return number.longValue();
        }
        return value instanceof final Instant instant ? instant.toEpochMilli() : 0;
    }

    /** What JMS shows of a property's value: types that JMS lacks as their next larger one, or as strings. */
    public static @Nullable Object asJms(final @Nullable Object value) {
        if (value instanceof final Unsigned number) {
            final Object signed = number.asSigned();
            return signed instanceof Number && !(signed instanceof java.math.BigInteger) ? signed : signed.toString();
        }
        if (value instanceof final Instant instant) {
            return instant.toEpochMilli();
        }
        return value instanceof Symbol || value instanceof Character || value instanceof java.util.UUID
                ? value.toString()
                : value;
    }
}
