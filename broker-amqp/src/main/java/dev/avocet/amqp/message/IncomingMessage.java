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
     * @param bytes hold the whole message from one place to another, and are not kept
     */
    public static IncomingMessage of(byte[] bytes, int from, int to, Clock clock) throws AmqpException {
        Sections sections = Sections.of(bytes, from, to);
        AmqpProperties properties = properties(bytes, from, sections, clock);
        byte[] body = Arrays.copyOfRange(bytes, from + sections.bodyFrom(), to);
        return new IncomingMessage(properties, body, deadlineNs(properties, clock));
    }

    /** What comes before the body, without delivery annotations. */
    private static AmqpProperties properties(byte[] bytes, int from, Sections sections, Clock clock)
            throws AmqpException {
        int headerTo = sections.header() < 0 ? 0 : Values.end(bytes, from + sections.header()) - from;
        if (headerTo == sections.headFrom()) {
            byte[] head = Arrays.copyOfRange(bytes, from, from + sections.bodyFrom());
            return AmqpProperties.of(head, sections, clock);
        }
        int rest = sections.bodyFrom() - sections.headFrom();
        byte[] head = Arrays.copyOfRange(bytes, from, from + headerTo + rest);
        System.arraycopy(bytes, from + sections.headFrom(), head, headerTo, rest);
        return AmqpProperties.of(head, Sections.of(head), clock);
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
