package dev.avocet.amqp.message;

import dev.avocet.amqp.codec.AmqpException;
import dev.avocet.core.message.Message;
import dev.avocet.core.time.Clock;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * A message that a client has sent, taken apart only as far as the broker must know it.
 *
 * @param body body sections and footer
 * @param expiryDeadlineNs on the scale of the clock's {@code nanoTime}; {@link Message#NEVER} for none
 */
public record IncomingMessage(AmqpProperties properties, byte[] body, long expiryDeadlineNs) {
    /**
     * Checks a message, which a hostile client may have made.
     *
     * @param bytes the whole message
     */
    public static IncomingMessage of(byte[] bytes, Clock clock) throws AmqpException {
        Sections sections = Sections.of(bytes);
        AmqpProperties properties = AmqpProperties.decode(head(bytes, sections), clock.wallTimeMs());
        byte[] body = Arrays.copyOfRange(bytes, sections.bodyFrom(), bytes.length);
        return new IncomingMessage(properties, body, deadlineNs(properties, clock));
    }

    /** What comes before the body, without delivery annotations. */
    private static byte[] head(byte[] bytes, Sections sections) {
        int header = sections.header();
        int headerTo = header < 0 ? 0 : Values.end(bytes, header);
        if (headerTo == sections.headFrom()) {
            return Arrays.copyOfRange(bytes, 0, sections.bodyFrom());
        }
        int rest = sections.bodyFrom() - sections.headFrom();
        byte[] head = Arrays.copyOf(bytes, headerTo + rest);
        System.arraycopy(bytes, sections.headFrom(), head, headerTo, rest);
        return head;
    }

    private static long deadlineNs(AmqpProperties properties, Clock clock) {
        long ttlMs = properties.timeToLiveMs();
        long absoluteMs = properties.absoluteExpiryWallMs();
        if (ttlMs < 0 && absoluteMs > 0) {
            ttlMs = Math.max(1, absoluteMs - clock.wallTimeMs());
        }
        return ttlMs <= 0 ? Message.NEVER : clock.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ttlMs);
    }
}
