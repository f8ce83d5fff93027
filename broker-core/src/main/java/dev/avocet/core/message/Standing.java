package dev.avocet.core.message;

import org.jspecify.annotations.Nullable;

/**
 * What a queue has to know of a message before it looks at it: kept with the reference, so that a restart needs not
 * read the message.
 *
 * @param priority 0 to 9
 * @param deliveryCount deliveries that have begun and failed
 * @param notBeforeWallMs when it may be delivered at the earliest, in milliseconds since 1970; 0 for at once
 * @param deadLetter how it came here, when no consumer could take it in another queue; null when it was sent here
 */
public record Standing(
        int priority,
        int deliveryCount,
        long notBeforeWallMs,
        @Nullable DeadLetter deadLetter) {
    /** Of a message that was just sent, without anything special. */
    public static final Standing NEW = new Standing(MessageProperties.DEFAULT_PRIORITY, 0, 0, null);

    private static final Standing[] BY_PRIORITY = new Standing[10];

    static {
        for (int priority = 0; priority < BY_PRIORITY.length; priority++) {
            BY_PRIORITY[priority] =
                    priority == MessageProperties.DEFAULT_PRIORITY ? NEW : new Standing(priority, 0, 0, null);
        }
    }

    /** Of a message that is being sent. */
    public static Standing of(Message message) {
        long deliverAtWallMs = message.properties().deliverAtWallMs();
        return deliverAtWallMs == 0
                ? BY_PRIORITY[message.priority()]
                : new Standing(message.priority(), 0, deliverAtWallMs, null);
    }

    /** Of a message that was just sent and is so urgent, 0 to 9. */
    public static Standing of(int priority) {
        return BY_PRIORITY[priority];
    }

    /** The same after another delivery has failed. */
    public Standing failed(int count, long nextNotBeforeWallMs) {
        return new Standing(priority, count, nextNotBeforeWallMs, deadLetter);
    }

    /** The same in the queue for dead letters. */
    public Standing in(DeadLetter reason) {
        return new Standing(priority, 0, 0, reason);
    }
}
