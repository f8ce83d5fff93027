package dev.avocet.amqp.connection;

import dev.avocet.amqp.link.DurableName;
import dev.avocet.amqp.peer.ContainerIds;
import dev.avocet.core.queue.SubscriptionQueue;
import dev.avocet.core.topic.Subscription;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A durable subscription while a link consumes from it. One that is not shared has one such link in the whole broker.
 */
final class DurableSubscription implements TopicSubscription {
    private final OpenConnection connection;
    private final DurableSubscriptions all;
    private final DurableName name;
    /** What all who share it want, by its key; null when it is not shared. */
    private final @Nullable String sharedAs;

    private boolean taken;
    private @Nullable Subscription subscription;

    DurableSubscription(
            OpenConnection connection, DurableSubscriptions all, DurableName name, @Nullable String sharedAs) {
        this.connection = connection;
        this.all = all;
        this.name = name;
        this.sharedAs = sharedAs;
    }

    /** False when another link has it, or shares another one of that name. */
    boolean take() {
        ContainerIds names = connection.context().containers();
        taken = sharedAs == null ? names.take(name.sessionId(), this) : names.share(name.sessionId(), sharedAs);
        return taken;
    }

    void release() {
        if (!taken) {
            return;
        }
        taken = false;
        if (sharedAs == null) {
            connection.context().containers().release(name.sessionId(), this);
        } else {
            connection.context().containers().leave(name.sessionId());
        }
    }

    void begin(Subscription found) {
        subscription = found;
    }

    String filterText() {
        return Objects.requireNonNull(subscription).filter().text();
    }

    @Override
    public SubscriptionQueue queue() {
        return Objects.requireNonNull(subscription).queue();
    }

    /** Its session has no connection that could be asked. */
    @Override
    public String key() {
        return name.sessionId();
    }

    @Override
    public boolean isShared() {
        return sharedAs != null;
    }

    @Override
    public void end(DeliveryLink.End end) {
        release();
        if (end == DeliveryLink.End.CLOSED && sharedAs == null) {
            all.delete(name);
        }
    }
}
