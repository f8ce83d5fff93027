package dev.avocet.core.store.replay;

import dev.avocet.core.message.DeliveryOptions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A message whose transaction is not over.
 *
 * @param expiryWallMs in milliseconds since 1970, or {@link RecoveredQueue#NEVER}
 * @param retainedTopic the topic whose retained message it becomes or removes; null when neither
 * @param isEmpty true when it removes the retained message; meaningless without a topic
 */
public record PendingMessage(
        long position,
        int storedBytes,
        long expiryWallMs,
        @Nullable String retainedTopic,
        boolean isEmpty,
        List<Target> targets) {

    /** Whether its topic keeps it once the transaction is committed. */
    public boolean isKept() {
        return retainedTopic != null && !isEmpty;
    }

    /** How many references keep its segment alive. */
    int references() {
        return targets.size() + (isKept() ? 1 : 0);
    }

    /** The same for other queues. */
    public PendingMessage withTargets(List<Target> those) {
        return new PendingMessage(position, storedBytes, expiryWallMs, retainedTopic, isEmpty, those);
    }

    /** The same message at another place. */
    PendingMessage at(long place) {
        return new PendingMessage(place, storedBytes, expiryWallMs, retainedTopic, isEmpty, targets);
    }

    /** A queue that is to take it. */
    public record Target(
            long queueId, long reference, @Nullable DeliveryOptions options) {}
}
