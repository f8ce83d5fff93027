package dev.avocet.server.broker.content;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.destination.NamedQueue;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.DeadLetter;
import dev.avocet.core.message.Message;
import dev.avocet.core.publish.PublishOutcome;
import dev.avocet.core.queue.RankedQueue;
import dev.avocet.core.queue.Relocation;
import dev.avocet.core.queue.receiver.QueueDelivery;
import dev.avocet.core.queue.receiver.ReceiverOptions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Single messages of queues, for administrators: looks at one, moves those that are meant, sends one. What it tells is
 * durable. Not for event loops; otherwise any thread.
 */
public final class QueueMessages {
    /** Messages moved in one task of the queue's loop. */
    private static final int TOGETHER = 100;

    private final Broker broker;

    QueueMessages(Broker broker) {
        this.broker = broker;
    }

    /**
     * What became of messages that were to be moved.
     *
     * @param moved how many are in another queue now
     * @param left the others by reference, and why they stay
     */
    public record Moved(int moved, Map<Long, Relocation> left) {}

    /**
     * What became of a message that was sent.
     *
     * @param outcome never {@link PublishOutcome#PENDING}
     * @param unsealed why its destination does not take it as it is, and where it went; empty where that is not so
     */
    public record Sent(PublishOutcome outcome, String unsealed) {}

    /** A message that waits; null when none of this reference does, or when there is no such queue. */
    public @Nullable QueueDelivery find(String name, long reference) throws NotInTimeException {
        NamedQueue queue = broker.queues().find(name);
        if (queue == null) {
            return null;
        }
        IoLoop loop = queue.queue().home();
        QueueView view = new QueueView(0, 1);
        loop.execute(() -> view.open(queue.receive(ReceiverOptions.browsingOnly(reference), loop, view)));
        List<QueueDelivery> seen = ClientAdministration.await(view.seen());
        return seen.isEmpty() ? null : seen.get(0);
    }

    /** Moves messages of one queue to another, each at once or not at all. */
    public Moved move(String from, List<Long> references, String to) throws NotInTimeException {
        NamedQueue target = broker.queues().find(to);
        return relocate(from, references, why -> target == null ? null : target.queue());
    }

    /**
     * Moves dead letters back to the queues that they came from.
     *
     * @param to where those go of which it is not known where they came from, or whose queue there is no more; null for
     *     nowhere
     */
    public Moved resend(String from, List<Long> references, @Nullable String to) throws NotInTimeException {
        NamedQueue source = broker.queues().find(from);
        NamedQueue fallback = to == null ? null : broker.queues().find(to);
        return relocate(from, references, why -> {
            NamedQueue origin =
                    why == null || !why.wasInQueue() ? null : broker.queues().find(why.queue());
            NamedQueue chosen = origin == null || origin == source ? fallback : origin;
            return chosen == null ? null : chosen.queue();
        });
    }

    /** The references of the first dead letters that wait in a queue; none when there is no such queue. */
    public List<Long> deadLetters(String name, int most) throws NotInTimeException {
        NamedQueue queue = broker.queues().find(name);
        List<Long> found = new ArrayList<>();
        if (queue != null) {
            for (long each : at(queue.queue(), () -> queue.queue().deadLetters(most))) {
                found.add(each);
            }
        }
        return found;
    }

    private Moved relocate(
            String from, List<Long> references, Function<@Nullable DeadLetter, @Nullable RankedQueue> choice)
            throws NotInTimeException {
        NamedQueue source = broker.queues().find(from);
        Map<Long, Relocation> left = new LinkedHashMap<>();
        for (int at = 0; source != null && at < references.size(); at += TOGETHER) {
            List<Long> some = references.subList(at, Math.min(references.size(), at + TOGETHER));
            left.putAll(at(source.queue(), () -> relocate(source.queue(), some, choice)));
        }
        ClientAdministration.await(broker.administration().everythingDurable());
        return new Moved(references.size() - left.size(), left);
    }

    /** On the queue's loop. */
    private static Map<Long, Relocation> relocate(
            RankedQueue source, List<Long> references, Function<@Nullable DeadLetter, @Nullable RankedQueue> choice) {
        Map<Long, Relocation> left = new LinkedHashMap<>();
        for (long reference : references) {
            Relocation outcome = source.moveMessage(reference, choice);
            if (outcome != Relocation.MOVED) {
                left.put(reference, outcome);
            }
        }
        return left;
    }

    /** Sends a message to the queue that it names, as a client does whom no policy limits. */
    public Sent send(Message message) throws NotInTimeException {
        IoLoop loop = broker.loops().get(0);
        OneSend send = new OneSend();
        loop.execute(() -> send.begin(broker.publisher(loop, send), message));
        return ClientAdministration.await(send.sent());
    }

    private static <T> T at(RankedQueue queue, Supplier<T> action) throws NotInTimeException {
        return ClientAdministration.await(CompletableFuture.supplyAsync(action, queue.home()::execute));
    }
}
