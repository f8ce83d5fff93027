package dev.avocet.amqp.message;

import dev.avocet.amqp.frame.TypeCode;
import dev.avocet.core.message.DeadLetter;
import dev.avocet.core.message.Message;
import org.jspecify.annotations.Nullable;

/** Messages as AMQP clients get them: their own bit for bit, those of other protocols as the JMS mapping wants them. */
public final class OutgoingMessage {
    private OutgoingMessage() {}

    /**
     * The whole message.
     *
     * @param deliveryCount deliveries that have failed before this one
     * @param deadLetter why it is in a queue for messages that no consumer takes; null when it is in another
     * @param nowNs the clock's {@code nanoTime}
     */
    public static byte[] encode(Message message, int deliveryCount, @Nullable DeadLetter deadLetter, long nowNs) {
        if (message.properties() instanceof AmqpProperties own) {
            if (deadLetter != null) {
                return DeadLetterSections.of(own, message.body(), deliveryCount, deadLetter);
            }
            return deliveryCount == 0 ? asItCame(own, message.body()) : redelivered(own, message.body(), deliveryCount);
        }
        return new ForeignMessage(message).encode(deliveryCount, deadLetter, nowNs);
    }

    /**
     * What comes before {@link Message#body} in a message of an AMQP client that was not delivered before; null for one
     * of another protocol.
     */
    public static byte @Nullable [] headAsItCame(Message message) {
        return message.properties() instanceof AmqpProperties own ? own.encoded() : null;
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
        out.begin(TypeCode.LIST_32);
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
}
