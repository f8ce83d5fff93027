package dev.avocet.core.broker;

import dev.avocet.core.broker.retained.RetainedReads;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.TopicFilter;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.store.write.StoreWriter;
import dev.avocet.core.topic.RetainedPlace;
import dev.avocet.core.topic.RetainedWalk;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Predicate;
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

    /**
     * Reads what was not read yet in this life of the broker, of the messages whose topics match: the other methods
     * here do not see it before. Completes when it is in memory.
     */
    public CompletableFuture<Void> load(TopicFilter filter) {
        List<RetainedPlace> places = new ArrayList<>();
        RetainedWalk walk = broker.retained().walk(filter);
        while (walk.advance()) {
            RetainedPlace place = walk.place();
            if (place != null) {
                places.add(place);
            }
        }
        return load(places);
    }

    /** The same for topics that are wanted, those included that begin with {@code $}. */
    public CompletableFuture<Void> load(Predicate<String> wanted) {
        List<RetainedPlace> places = new ArrayList<>();
        broker.retained().forEachUnread(place -> {
            if (wanted.test(place.topic())) {
                places.add(place);
            }
        });
        return load(places);
    }

    /** The same for one topic. */
    public CompletableFuture<Void> load(TopicName topic) {
        RetainedPlace place = broker.retained().place(topic);
        return load(place == null ? List.of() : List.of(place));
    }

    private CompletableFuture<Void> load(List<RetainedPlace> places) {
        CompletableFuture<Void> answer = new CompletableFuture<>();
        RetainedReads reads = broker.retainedReads();
        if (reads == null || places.isEmpty()) {
            answer.complete(null);
        } else {
            load(places, 0, reads, answer);
        }
        return answer;
    }

    private void load(List<RetainedPlace> places, int from, RetainedReads reads, CompletableFuture<Void> answer) {
        if (from >= places.size()) {
            answer.complete(null);
            return;
        }
        List<RetainedPlace> some = new ArrayList<>();
        int next = from;
        while (next < places.size() && !RetainedReads.isEnough(some)) {
            some.add(places.get(next++));
        }
        int then = next;
        reads.read(some, loop, () -> load(places, then, reads, answer));
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
