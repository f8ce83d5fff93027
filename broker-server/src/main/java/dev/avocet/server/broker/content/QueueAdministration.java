package dev.avocet.server.broker.content;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.config.Configuration;
import dev.avocet.core.destination.NamedQueue;
import dev.avocet.core.destination.NamedQueueStatistics;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.queue.RankedQueue;
import dev.avocet.core.queue.receiver.QueueDelivery;
import dev.avocet.core.queue.receiver.ReceiverOptions;
import dev.avocet.core.selector.Selector;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What administrators do with queues and what waits in them. Not for event loops; otherwise any thread. */
public final class QueueAdministration {
    private static final Logger LOG = LoggerFactory.getLogger(QueueAdministration.class);
    private static final long APPLY_TIMEOUT_S = 30;
    /** Messages moved at a time, so that the loop serves its clients in between. */
    private static final int MOVED_TOGETHER = 1_000;
    /** Messages that end in one task of the queue's loop. */
    private static final int PURGED_TOGETHER = 500;

    private final Broker broker;
    private final QueueMessages messages;

    public QueueAdministration(Broker broker) {
        this.broker = broker;
        this.messages = new QueueMessages(broker);
    }

    /** Single messages of the queues. */
    public QueueMessages messages() {
        return messages;
    }

    /** Makes the queues what the configuration says; returns when that is so. */
    public void apply(Configuration configuration) {
        try {
            broker.queues()
                    .apply(configuration)
                    .orTimeout(APPLY_TIMEOUT_S, TimeUnit.SECONDS)
                    .join();
        } catch (CompletionException e) {
            LOG.error("The queues of the configuration are not all there yet", e.getCause());
        }
    }

    /** Figures of all queues, by name. */
    public List<NamedQueueStatistics> statistics() {
        return broker.queues().all().stream()
                .map(NamedQueue::statistics)
                .sorted(Comparator.comparing(NamedQueueStatistics::name))
                .toList();
    }

    /** Whether there is a queue of this name. */
    public boolean exists(String name) {
        return broker.queues().find(name) != null;
    }

    /** Ends all that waits in a queue; returns how many messages that was, -1 when there is no such queue. */
    public int purge(String name) throws NotInTimeException {
        NamedQueue named = broker.queues().find(name);
        if (named == null) {
            return -1;
        }
        RankedQueue queue = named.queue();
        int most = queue.depth(); // what comes meanwhile stays, so that this ends
        int gone = 0;
        int together = -1;
        while (gone < most && together != 0) {
            int wanted = Math.min(PURGED_TOGETHER, most - gone);
            together = at(queue, () -> queue.purgeSome(wanted));
            gone += together;
        }
        return gone;
    }

    /** Ends one message that waits; false when it does not. */
    public boolean delete(String name, long reference) throws NotInTimeException {
        NamedQueue queue = broker.queues().find(name);
        return queue != null && at(queue.queue(), () -> queue.queue().purge(reference));
    }

    /** Moves up to so many messages that wait to another queue, as far as that has room; returns how many that was. */
    public int move(String from, String to, int most) throws NotInTimeException {
        NamedQueue source = broker.queues().find(from);
        NamedQueue target = broker.queues().find(to);
        int moved = 0;
        int together = -1;
        while (source != null && target != null && moved < most && together != 0) {
            int wanted = Math.min(MOVED_TOGETHER, most - moved);
            together = at(source.queue(), () -> source.queue().moveMessagesTo(target.queue(), wanted));
            moved += together;
        }
        ClientAdministration.await(broker.administration().everythingDurable());
        return moved;
    }

    /**
     * The messages that would be delivered next, without taking them; null when there is no such queue.
     *
     * @param passed how many of the first ones are left out
     */
    public @Nullable List<QueueDelivery> browse(String name, @Nullable Selector selector, int passed, int most)
            throws NotInTimeException {
        NamedQueue queue = broker.queues().find(name);
        if (queue == null) {
            return null;
        }
        IoLoop loop = queue.queue().home();
        QueueView view = new QueueView(passed, most);
        loop.execute(() -> view.open(queue.receive(ReceiverOptions.browsing(selector), loop, view)));
        return ClientAdministration.await(view.seen());
    }

    private static <T> T at(RankedQueue queue, Supplier<T> action) throws NotInTimeException {
        return ClientAdministration.await(CompletableFuture.supplyAsync(action, queue.home()::execute));
    }
}
