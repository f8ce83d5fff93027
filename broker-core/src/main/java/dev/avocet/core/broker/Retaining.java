package dev.avocet.core.broker;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.StoredMessage;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.publish.PublishOutcome;
import dev.avocet.core.store.Store;
import dev.avocet.core.topic.RetainedMessages;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a message beside what its queues do: it is retained if that was asked for, and its publisher is told
 * how it went. Any loop.
 */
final class Retaining {
    private final RetainedMessages retained;
    private final @Nullable Store store;

    Retaining(RetainedMessages retained, @Nullable Store store) {
        this.retained = retained;
        this.store = store;
    }

    /**
     * What to tell the publisher of a message that was taken, which is retained now if that was asked for.
     *
     * @param stored the message as the store has it when it is retained; null when it does not have it
     * @param claim the position of the entry that retains it
     */
    PublishOutcome outcome(Message message, @Nullable StoredMessage stored, long claim, int targets, IoLoop loop) {
        if (message.retain() && !(stored == null ? retained.store(message) : retained.store(stored, claim))) {
            loop.counters().increment(Counter.RETAINED_REFUSED);
            if (stored != null) {
                forget(stored, loop);
            }
        }
        if (targets > 0) {
            return PublishOutcome.ACCEPTED;
        }
        loop.counters().increment(Counter.MESSAGES_WITHOUT_SUBSCRIBER);
        return PublishOutcome.NO_MATCHING_SUBSCRIBERS;
    }

    /** A message that was written as retained is not, as there are too many: nor shall it be after a restart. */
    void forget(StoredMessage stored, IoLoop loop) {
        if (store == null) {
            return;
        }
        store.abandoned(stored.position(), stored.storedBytes());
        if (!retained.isHeld(stored.topic())) { // by one that lies behind it
            StoredRetained.remove(retained, store.writer(loop), stored.topic());
        }
    }
}
