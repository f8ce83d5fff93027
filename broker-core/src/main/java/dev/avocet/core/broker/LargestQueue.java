package dev.avocet.core.broker;

import dev.avocet.core.destination.NamedQueue;
import dev.avocet.core.queue.MessageQueue;
import dev.avocet.core.session.ClientSession;
import dev.avocet.core.session.SessionWalk;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The queue that holds most messages of all queues of a broker, for the log. Any thread. */
final class LargestQueue {
    private final AtomicReference<@Nullable Found> largest = new AtomicReference<>();

    private LargestQueue() {}

    /** Looks at all queues, in turns on their loops. Completes with words for the log. */
    static CompletableFuture<String> of(Broker broker) {
        LargestQueue search = new LargestQueue();
        for (NamedQueue named : broker.queues().all()) {
            search.offer(named.queue().depth(), "queue '" + named.queue().name() + "'");
        }
        for (MessageQueue shared : broker.subscriptions().sharedQueues()) {
            search.offer(shared.depth(), "shared subscription '" + shared.name() + "'");
        }
        return SessionWalk.over(broker.sessions(), broker.loops(), search::offer)
                .thenApply(done -> search.inWords());
    }

    private void offer(ClientSession session) {
        session.subscriptionsByKey().forEach((key, subscription) -> {
            if (!subscription.isShared()) {
                offer(
                        subscription.queue().depth(),
                        "the subscription of client '" + session.clientId() + "' to '"
                                + subscription.filter().text() + "'");
            }
        });
    }

    private void offer(int messages, String words) {
        Found present = largest.get();
        while (messages > 0 && (present == null || present.messages < messages)) {
            if (largest.compareAndSet(present, new Found(messages, words))) {
                return;
            }
            present = largest.get();
        }
    }

    private String inWords() {
        Found found = largest.get();
        return found == null
                ? "no queue holds any message"
                : found.words + " holds most messages of all queues, " + found.messages;
    }

    private record Found(int messages, String words) {}
}
