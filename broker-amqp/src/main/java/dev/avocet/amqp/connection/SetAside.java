package dev.avocet.amqp.connection;

import dev.avocet.core.broker.Publisher;
import dev.avocet.core.message.Message;
import dev.avocet.core.publish.PublishCompletion;
import dev.avocet.core.publish.PublishOutcome;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/**
 * Brings messages that a receiver cannot open to the error queue of their protection policy, before they are settled
 * where they were: a crash in between leaves two, and never none. Owned by the connection's loop.
 */
final class SetAside implements PublishCompletion {
    private final OpenConnection connection;
    private final Publisher publisher;
    private final Deque<Consumer<PublishOutcome>> pending = new ArrayDeque<>();

    SetAside(OpenConnection connection) {
        this.connection = connection;
        this.publisher = connection.broker().publisher(connection.loop(), this);
    }

    /**
     * @param reason what the receiver says of the message
     * @param then hears, now or later, whether the error queue has it; {@link PublishOutcome#NOT_PROTECTED} where there
     *     is no such queue
     */
    void take(Message message, String reason, Consumer<PublishOutcome> then) {
        PublishOutcome outcome = publisher.setAside(message, reason, 0);
        if (outcome == PublishOutcome.PENDING) {
            pending.add(then);
        } else {
            then.accept(outcome);
        }
    }

    @Override
    public void onPublished(long token, PublishOutcome outcome) {
        Consumer<PublishOutcome> then = pending.poll();
        if (then != null) {
            then.accept(outcome);
        }
    }

    @Override
    public void onUnsealed(Message message, String why) {
        String name = message.topic().text();
        connection.noteRefusal("unprotected", name, "message of '" + name + "' is not taken by its receiver: " + why);
    }

    /** What is pending stays where it was. */
    void close() {
        publisher.close();
        pending.clear();
    }
}
