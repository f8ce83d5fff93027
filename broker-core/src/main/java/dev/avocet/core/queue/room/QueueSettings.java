package dev.avocet.core.queue.room;

import org.jspecify.annotations.Nullable;

/**
 * What a queue by name does beside holding messages. Immutable; a queue may get other settings while it is in use.
 *
 * @param concurrent whether it serves several receivers at a time; those that browse do not count
 * @param maxDeliveries failed deliveries after which a message is a dead letter; 0 for no limit
 * @param deadLetterQueue where dead letters go; null for nowhere: they are gone, and counted as discarded
 * @param expiryQueue where messages go whose time is over; null for nowhere
 * @param redeliveryDelayMs how long a message waits after its delivery has failed
 * @param redeliveryBackoff by what the delay is multiplied with each further failure; 1 for always the same
 * @param maxRedeliveryDelayMs where that ends
 * @param lastValueProperty of several messages with one value of this property only the last one waits; null for no
 *     such rule
 */
public record QueueSettings(
        boolean concurrent,
        int maxDeliveries,
        @Nullable String deadLetterQueue,
        @Nullable String expiryQueue,
        long redeliveryDelayMs,
        int redeliveryBackoff,
        long maxRedeliveryDelayMs,
        @Nullable String lastValueProperty) {
    /** Nothing special. */
    public static final QueueSettings DEFAULT = new QueueSettings(true, 0, null, null, 0, 1, 0, null);

    /** How long to wait after so many failed deliveries, in milliseconds. */
    public long delayAfterMs(int failures) {
        long delay = redeliveryDelayMs;
        for (int i = 1; i < failures && delay < maxRedeliveryDelayMs && redeliveryBackoff > 1; i++) {
            delay *= redeliveryBackoff;
        }
        return maxRedeliveryDelayMs > 0 ? Math.min(delay, Math.max(redeliveryDelayMs, maxRedeliveryDelayMs)) : delay;
    }

    /** Whether a message is a dead letter after so many failed deliveries. */
    public boolean isDead(int failures) {
        return maxDeliveries > 0 && failures >= maxDeliveries;
    }
}
