package dev.avocet.core.broker;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.queue.MessageQueue;
import dev.avocet.core.queue.Reservation;
import dev.avocet.core.topic.Subscription;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Feeds retained messages to a new subscription as its queue has room, so that a subscription to everything neither overflows its
 * own queue nor loses what does not fit at once. Runs on the queue's home loop and ends with the queue.
 */
final class RetainedReplay implements Runnable {
    /** Messages per turn: other clients of the loop get theirs in between. */
    private static final int TURN = 1000;

    private static final long MEMORY_RETRY_NS = TimeUnit.MILLISECONDS.toNanos(500);

    private final List<Message> messages;
    private final MessageQueue queue;
    private final DeliveryOptions options;
    private int next;

    RetainedReplay(List<Message> messages, Subscription subscription) {
        this.messages = messages;
        this.queue = subscription.queue();
        this.options = subscription.options().asRetained();
    }

    @Override
    public void run() {
        IoLoop home = queue.home();
        if (!home.inLoop()) {
            home.execute(this); // the session has moved
            return;
        }
        for (int turn = 0; turn < TURN && next < messages.size() && !queue.isClosed(); turn++) {
            if (!queue.hasRoom() || queue.reserve() != Reservation.GRANTED) {
                waitForRoom(home);
                return;
            }
            queue.put(messages.get(next++), options, home);
        }
        if (next < messages.size() && !queue.isClosed()) {
            home.execute(this);
        }
    }

    private void waitForRoom(IoLoop home) {
        if (home.memory().buffersMessages()) {
            queue.awaitRoom(() -> home.execute(this));
        } else {
            home.timers().schedule(MEMORY_RETRY_NS, this); // nobody says when there is memory again
        }
    }
}
