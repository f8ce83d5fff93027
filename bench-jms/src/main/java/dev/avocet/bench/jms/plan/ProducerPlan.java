package dev.avocet.bench.jms.plan;

import dev.avocet.bench.jms.destination.Layout;

/**
 * The sending side.
 *
 * @param messagesPerCommit 0: not transacted
 * @param asyncWindow how many sends with a completion listener each session may have under way; 0: {@code send} waits
 *     as the client has it
 * @param anonymous producers are not bound to a destination, which goes with each send
 */
public record ProducerPlan(
        Layout layout, boolean persistent, int messagesPerCommit, int asyncWindow, boolean anonymous) {
    public ProducerPlan {
        FlowPlan.requireNotNegative("messages per commit", messagesPerCommit);
        FlowPlan.requireNotNegative("asynchronous sends", asyncWindow);
        if (messagesPerCommit > 0 && asyncWindow > 0) {
            throw new IllegalArgumentException(
                    "asynchronous sends with a completion listener are for sessions without transactions: leave one out");
        }
    }
}
