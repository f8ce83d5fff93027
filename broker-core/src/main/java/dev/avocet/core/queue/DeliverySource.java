package dev.avocet.core.queue;

import dev.avocet.core.message.Message;

/** Where a consumer's messages come from: the queue itself, or its outpost on the consumer's own loop. */
public interface DeliverySource {
    /** The consumer can take messages again. Called on the consumer's loop. */
    void resume(Consumer consumer);

    /** The client has acknowledged the message: it may be forgotten. Called once per delivery that was in flight. Any thread. */
    void settle(Message message);
}
