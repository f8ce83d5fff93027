package dev.avocet.server.broker.content;

import dev.avocet.core.broker.Publisher;
import dev.avocet.core.message.Message;
import dev.avocet.core.publish.PublishCompletion;
import dev.avocet.core.publish.PublishOutcome;
import dev.avocet.server.broker.content.QueueMessages.Sent;
import java.util.concurrent.CompletableFuture;

/** One message on its way to a queue. The publisher's loop. */
final class OneSend implements PublishCompletion {
    private final CompletableFuture<Sent> sent = new CompletableFuture<>();
    private String unsealed = "";

    /** Any thread. */
    CompletableFuture<Sent> sent() {
        return sent;
    }

    void begin(Publisher publisher, Message message) {
        PublishOutcome outcome = publisher.send(message, 0);
        if (outcome != PublishOutcome.PENDING) {
            onPublished(0, outcome);
        }
    }

    @Override
    public void onPublished(long token, PublishOutcome outcome) {
        sent.complete(new Sent(outcome, unsealed));
    }

    @Override
    public void onUnsealed(Message message, String why) {
        unsealed = why;
    }
}
