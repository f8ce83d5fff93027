package dev.avocet.core.broker;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.TopicFilter;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.store.StoreWriter;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Shows retained messages to an administrator, and takes them away. Any thread may ask. Looking takes no time of an
 * event loop, as the messages are read without a lock.
 */
public final class RetainedAdministration {
    private final Broker broker;
    private final IoLoop loop;

    RetainedAdministration(Broker broker) {
        this.broker = broker;
        this.loop = broker.loops().get(0);
    }

    /** Shows the visitor, on this thread, the messages whose topics match, in no order. */
    public void forEach(TopicFilter filter, Consumer<? super Message> visitor) {
        broker.retained().find(filter, loop.clock().nanoTime(), visitor);
    }

    /** The same with all messages, those included whose topics begin with {@code $}. */
    public void forEach(Consumer<? super Message> visitor) {
        long nowNs = loop.clock().nanoTime();
        broker.retained().forEach(message -> {
            if (!message.isExpired(nowNs)) {
                visitor.accept(message);
            }
        });
    }

    /** The message of a topic, or null when it has none. */
    public @Nullable Message find(TopicName topic) {
        return broker.retained().find(topic, loop.clock().nanoTime());
    }

    /** Completes when all messages that are retained now lie where a {@link #remove} removes them for good. */
    public CompletableFuture<Void> settled() {
        return broker.administration().everythingDurable();
    }

    /**
     * Takes these messages away, where their topics do not hold others by now. Subscribers hear nothing of it. One turn
     * of an event loop does it all, so there should be no more than some hundred.
     *
     * @return how many are gone; completes when that is durable
     */
    public CompletableFuture<Integer> remove(List<Message> messages) {
        CompletableFuture<Integer> answer = new CompletableFuture<>();
        loop.execute(() -> {
            try {
                int gone = removeHere(messages);
                broker.administration().whenDurable(loop, () -> answer.complete(gone));
            } catch (RuntimeException e) {
                answer.completeExceptionally(e);
            }
        });
        return answer;
    }

    private int removeHere(List<Message> messages) {
        StoreWriter writer = broker.writer(loop);
        int gone = 0;
        for (Message message : messages) {
            if (writer == null) {
                gone += broker.retained().remove(message) ? 1 : 0;
            } else if (broker.retained().holds(message)) {
                gone++;
                StoredRetained.remove(broker.retained(), writer, message.topic());
            }
        }
        return gone;
    }
}
