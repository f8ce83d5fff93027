package dev.avocet.jms.connection;

import dev.avocet.core.queue.MessageQueue;
import dev.avocet.core.topic.Subscription;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A durable subscription while a link consumes from it. One that is not shared has one such link in the whole broker. */
final class DurableSubscription implements TopicSubscription {
    private final AmqpConnection connection;
    private final DurableSubscriptions all;
    private final DurableName name;
    private final boolean shared;
    private @Nullable Subscription subscription;

    DurableSubscription(AmqpConnection connection, DurableSubscriptions all, DurableName name, boolean shared) {
        this.connection = connection;
        this.all = all;
        this.name = name;
        this.shared = shared;
    }

    /** False when another link has it. */
    boolean take() {
        return shared || connection.context().containers().take(name.sessionId(), this);
    }

    void release() {
        connection.context().containers().release(name.sessionId(), this);
    }

    void begin(Subscription found) {
        subscription = found;
    }

    String filterText() {
        return Objects.requireNonNull(subscription).filter().text();
    }

    @Override
    public MessageQueue queue() {
        return Objects.requireNonNull(subscription).queue();
    }

    /** Its session has no connection of which anybody could ask. */
    @Override
    public String key() {
        return name.sessionId();
    }

    @Override
    public boolean isShared() {
        return shared;
    }

    @Override
    public void end(DeliveryLink.End end) {
        release();
        if (end == DeliveryLink.End.CLOSED && !shared) {
            all.delete(name);
        }
    }
}
