package dev.avocet.amqp.message;

import dev.avocet.amqp.frame.TypeCode;
import dev.avocet.core.message.DeadLetter;

/**
 * A message of an AMQP client with the reason why no consumer took it. It expires no more, as clients let go of what
 * has expired. Its properties but for that, its application properties and its body stay as they came.
 */
final class DeadLetterSections {
    private DeadLetterSections() {}

    static byte[] of(AmqpProperties properties, byte[] body, int deliveryCount, DeadLetter why) {
        byte[] head = properties.encoded();
        Sections sections = properties.sections();
        SectionWriter out = new SectionWriter();
        OutgoingMessage.header(out, properties.isPersistent(), properties.priority(), -1, deliveryCount);
        out.section(SectionType.MESSAGE_ANNOTATIONS);
        out.begin(TypeCode.MAP_32);
        copyAnnotations(out, head, sections.messageAnnotations());
        annotations(out, why);
        if (properties.absoluteExpiryWallMs() > 0) {
            out.symbol(JmsAnnotation.DEAD_LETTER_EXPIRATION);
            out.timestamp(properties.absoluteExpiryWallMs());
        }
        out.end();
        if (sections.properties() >= 0) {
            out.section(SectionType.PROPERTIES);
            copyProperties(out, head, sections.properties());
        }
        if (sections.applicationProperties() >= 0) {
            out.section(SectionType.APPLICATION_PROPERTIES);
            copy(out, head, sections.applicationProperties());
        }
        out.append(body, 0, body.length);
        return out.toBytes();
    }

    /** Within the map of the message annotations. */
    static void annotations(SectionWriter out, DeadLetter why) {
        out.symbol(JmsAnnotation.DEAD_LETTER_CAUSE);
        out.string(why.cause().name());
        out.symbol(JmsAnnotation.DEAD_LETTER_QUEUE);
        out.string(why.queue());
        out.symbol(JmsAnnotation.DEAD_LETTER_DELIVERY_COUNT);
        out.integer(why.deliveryCount());
        if (why.description() != null) {
            out.symbol(JmsAnnotation.DEAD_LETTER_DESCRIPTION);
            out.string(why.description());
        }
    }

    /** Without those of an earlier time in such a queue. */
    private static void copyAnnotations(SectionWriter out, byte[] head, int map) {
        int count = map < 0 ? 0 : Values.count(head, map);
        int key = count == 0 ? 0 : Values.firstElement(head, map);
        for (int i = 0; i + 1 < count; i += 2) {
            int value = Values.end(head, key);
            int next = Values.end(head, value);
            String name = Values.text(head, key);
            if (name == null || !name.startsWith(JmsAnnotation.DEAD_LETTER_PREFIX)) {
                out.element(head, key, value);
                out.element(head, value, next);
            }
            key = next;
        }
    }

    private static void copyProperties(SectionWriter out, byte[] head, int list) {
        if (Values.field(head, list, PropertyField.ABSOLUTE_EXPIRY_TIME) < 0) {
            copy(out, head, list);
            return;
        }
        int count = Values.count(head, list);
        int at = Values.firstElement(head, list);
        out.begin(TypeCode.LIST_32);
        for (int i = 0; i < count; i++) {
            int next = Values.end(head, at);
            if (i == PropertyField.ABSOLUTE_EXPIRY_TIME) {
                out.nothing();
            } else {
                out.element(head, at, next);
            }
            at = next;
        }
        out.end();
    }

    private static void copy(SectionWriter out, byte[] head, int value) {
        out.append(head, value, Values.end(head, value) - value);
    }
}
