package dev.avocet.core.publish;

import dev.avocet.core.message.Message;
import dev.avocet.core.queue.MessageQueue;

/** Learns what became of a publish whose outcome was {@link PublishOutcome#PENDING}. Called on the publisher's loop. */
@FunctionalInterface
public interface PublishCompletion {
    /**
     * @param token what the publisher gave with the message
     * @param outcome never {@link PublishOutcome#PENDING}
     */
    void onPublished(long token, PublishOutcome outcome);

    /**
     * The message is being written to the store: what the front end writes to its session's log before the loop's
     * present batch ends is durable together with it, or not at all.
     *
     * @param token what the publisher gave with the message
     */
    default void onStored(long token) {}

    /** A message is taken, but one or more full subscriptions went without it. */
    default void onPassedOver() {}

    /** A message is refused as this queue is full. */
    default void onFull(Message message, MessageQueue queue) {}

    /**
     * A message is not sealed as its destination wants it: it goes to an error queue, or is refused.
     *
     * @param why what is wrong with it, and where it goes
     */
    default void onUnsealed(Message message, String why) {}
}
