package dev.avocet.bench.jms.plan;

import static java.util.Locale.ROOT;

import dev.avocet.bench.jms.destination.Layout;

/**
 * The receiving side.
 *
 * @param messagesPerCommit 0: not transacted; more outweighs the acknowledge mode
 * @param acknowledgeEvery how many messages one {@code acknowledge} is for, in modes where it has to be called
 * @param durable the subscriptions are durable
 * @param workUs how long the application is busy with each message
 */
public record ConsumerPlan(
        Layout layout,
        ReceiveMode receiveMode,
        int messagesPerCommit,
        AcknowledgeMode acknowledgeMode,
        int acknowledgeEvery,
        boolean durable,
        int workUs) {
    public ConsumerPlan {
        FlowPlan.requireNotNegative("messages per commit", messagesPerCommit);
        FlowPlan.requireNotNegative("work for each message", workUs);
        if (acknowledgeEvery < 1) {
            throw new IllegalArgumentException(
                    String.format(ROOT, "acknowledge every %d messages: 1 or more", acknowledgeEvery));
        }
        if (messagesPerCommit > 0) {
            acknowledgeMode = AcknowledgeMode.TRANSACTED;
        } else if (acknowledgeMode.isTransacted()) {
            throw new IllegalArgumentException(
                    "transacted sessions: say how many messages each transaction has, with commit every");
        }
    }
}
