package dev.avocet.core.destination;

import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.LiveUse;
import dev.avocet.core.config.object.ObjectTypes;
import dev.avocet.core.config.object.messaging.Queue;
import dev.avocet.core.config.schema.ObjectKey;
import dev.avocet.core.config.schema.ObjectType;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.queue.QueueNeighbours;
import dev.avocet.core.queue.RankedQueue;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.queue.room.QueueSettings;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The queues that there are, by name. A front end asks {@link dev.avocet.core.policy.AccessRights#queue} before.
 *
 * <p>Any thread, but for what says otherwise. A queue is made and ended on its home loop, and it is not found before
 * the store knows it.
 */
public final class Queues implements LiveUse {
    private static final Logger LOG = LoggerFactory.getLogger(Queues.class);
    private static final ObjectType TYPE = ObjectTypes.of(Queue.class);
    private static final int DYNAMIC_MAX = 10_000;
    private static final long SWEEP_NS = TimeUnit.SECONDS.toNanos(30);

    private final List<IoLoop> loops;
    private final DestinationStore store;
    private final QueueLimits ordinary;
    private final ConcurrentMap<String, NamedQueue> byName = new ConcurrentHashMap<>();
    private final QueueNeighbours neighbours = new Neighbours();
    private volatile int dynamicMax = DYNAMIC_MAX;

    /** @param ordinary the limits of a queue about which the configuration says nothing */
    public Queues(List<IoLoop> loops, DestinationStore store, QueueLimits ordinary) {
        this.loops = loops;
        this.store = store;
        this.ordinary = ordinary;
        loops.forEach(loop -> loop.execute(() -> sweepRegularly(loop)));
    }

    /** The queue with a name; null when there is none. */
    public @Nullable NamedQueue find(String name) {
        return byName.get(name);
    }

    /** All queues, in no order. */
    public Collection<NamedQueue> all() {
        return Collections.unmodifiableCollection(byName.values());
    }

    /**
     * How many queues that clients have made there may be at a time, a few more perhaps when several loops make one at
     * once.
     */
    public void dynamicMax(int now) {
        dynamicMax = now;
    }

    /**
     * The queue with a name, which is made if there is none: for clients that may do so. It survives the broker, and
     * goes when it is empty and no client uses it.
     *
     * @param home the caller's loop, where it lives when it is made
     * @return null when there is none and there are as many {@linkplain #dynamicMax as there may be}
     */
    public @Nullable NamedQueue findOrCreate(String name, IoLoop home) {
        assert home.inLoop() : name + " made by another thread than its home's";
        NamedQueue present = byName.get(name);
        if (present != null) {
            return present;
        }
        return dynamicCount() < dynamicMax
                ? make(name, QueueKind.DYNAMIC, ordinary, QueueSettings.DEFAULT, home)
                : null;
    }

    private long dynamicCount() {
        return byName.values().stream()
                .filter(queue -> queue.kind() == QueueKind.DYNAMIC)
                .count();
    }

    /**
     * A new queue for one connection, on whose loop it lives. Its owner {@linkplain #delete deletes} it.
     *
     * @param home the caller's loop
     * @throws IllegalArgumentException when there is a queue of that name
     */
    public NamedQueue createTemporary(String name, IoLoop home) {
        NamedQueue made = new NamedQueue(
                name, QueueKind.TEMPORARY, new RankedQueue(name, home, ordinary, QueueSettings.DEFAULT, neighbours));
        if (byName.putIfAbsent(name, made) != null) {
            throw new IllegalArgumentException("there is a queue " + name + " already");
        }
        return made;
    }

    /** Ends a queue that is not configured, with what waits in it. Its receivers hear of it. */
    public void delete(NamedQueue queue) {
        if (queue.kind() == QueueKind.CONFIGURED) {
            throw new IllegalArgumentException(queue + " is configured; its administrator deletes it");
        }
        end(queue);
    }

    /** Messages waiting in a configured queue keep it from being deleted unasked. */
    @Override
    public LiveUse.Use of(ObjectKey key) {
        NamedQueue queue = key.type().equals(TYPE) ? byName.get(key.name()) : null;
        return queue != null && queue.queue().depth() > 0 ? LiveUse.Use.MESSAGES : LiveUse.Use.FREE;
    }

    /**
     * Makes the configured queues what the configuration says, and ends those of which it says nothing more. A queue
     * that an earlier life of the broker has left with messages is not lost by that: it stays until it is empty. One
     * whose deletion the configuration waits for ends whatever is in it.
     *
     * @return done when all of it is so
     */
    public CompletableFuture<Void> apply(Configuration configuration) {
        Set<String> deleted = configuration.pendingDeletes().stream()
                .filter(key -> key.type().equals(TYPE))
                .map(ObjectKey::name)
                .collect(Collectors.toSet());
        return apply(configuration.all(Queue.class), deleted);
    }

    private CompletableFuture<Void> apply(Collection<Queue> configured, Set<String> deleted) {
        Map<String, Queue> wanted =
                configured.stream().collect(Collectors.toMap(Queue::name, Function.identity(), (a, b) -> a));
        wanted.keySet().removeAll(deleted);
        List<CompletableFuture<Void>> done = new ArrayList<>();
        wanted.values().forEach(queue -> done.add(apply(queue)));
        for (NamedQueue queue : byName.values()) {
            if (queue.kind() == QueueKind.CONFIGURED && !wanted.containsKey(queue.name())) {
                done.add(on(queue.queue().home(), () -> unconfigure(queue, deleted.contains(queue.name()))));
            }
        }
        return CompletableFuture.allOf(done.toArray(new CompletableFuture<?>[0]));
    }

    /** Brings a queue of an earlier life back, before any client looks for it. Home loop; the store fills it. */
    public RankedQueue restore(String name, QueueKind kind, IoLoop home) {
        RankedQueue queue = new RankedQueue(name, home, ordinary, QueueSettings.DEFAULT, neighbours);
        byName.put(name, new NamedQueue(name, kind, queue));
        return queue;
    }

    /** Where a queue of this name lives, unless a client makes it. */
    public IoLoop homeOf(String name) {
        return loops.get(Math.floorMod(name.hashCode(), loops.size()));
    }

    private CompletableFuture<Void> apply(Queue configured) {
        NamedQueue present = byName.get(configured.name());
        IoLoop home =
                present == null ? homeOf(configured.name()) : present.queue().home();
        return on(home, () -> applyAtHome(configured, home));
    }

    private void applyAtHome(Queue configured, IoLoop home) {
        QueueLimits limits = QueueObjects.limits(configured, ordinary);
        QueueSettings settings = QueueObjects.settings(configured);
        NamedQueue queue = byName.get(configured.name());
        if (queue == null) {
            queue = make(configured.name(), QueueKind.CONFIGURED, limits, settings, home);
        } else if (queue.kind() != QueueKind.CONFIGURED) {
            queue.kind(QueueKind.CONFIGURED);
            store.begun(queue.name(), QueueKind.CONFIGURED, queue.queue());
        }
        queue.queue().limits(limits);
        queue.queue().settings(settings);
        queue.allowsSend(configured.allowSend());
    }

    private NamedQueue make(String name, QueueKind kind, QueueLimits limits, QueueSettings settings, IoLoop home) {
        RankedQueue queue = new RankedQueue(name, home, limits, settings, neighbours);
        store.begun(name, kind, queue);
        NamedQueue made = new NamedQueue(name, kind, queue);
        NamedQueue present = byName.putIfAbsent(name, made);
        if (present != null) {
            store.ended(queue); // another loop was faster
            return present;
        }
        return made;
    }

    private void unconfigure(NamedQueue queue, boolean whateverIsInIt) {
        if (whateverIsInIt || queue.queue().depth() == 0) {
            end(queue);
        } else {
            queue.kind(QueueKind.DYNAMIC);
            store.begun(queue.name(), QueueKind.DYNAMIC, queue.queue());
            LOG.warn(
                    "Queue {} is not configured any more and stays until its {} messages are gone",
                    queue.name(),
                    queue.queue().depth());
        }
    }

    private void end(NamedQueue queue) {
        if (byName.remove(queue.name(), queue)) {
            IoLoop home = queue.queue().home();
            if (home.inLoop()) {
                endAtHome(queue);
            } else {
                home.execute(() -> endAtHome(queue));
            }
        }
    }

    private void endAtHome(NamedQueue queue) {
        queue.queue().close();
        if (queue.kind() != QueueKind.TEMPORARY) {
            store.ended(queue.queue());
        }
    }

    /** Ends queues that clients have made and that no client uses. */
    private void sweepRegularly(IoLoop loop) {
        loop.timers().schedule(SWEEP_NS, () -> {
            for (NamedQueue queue : byName.values()) {
                if (queue.queue().home() == loop && queue.isUnusedStill()) {
                    end(queue);
                }
            }
            sweepRegularly(loop);
        });
    }

    private static CompletableFuture<Void> on(IoLoop loop, Runnable task) {
        return CompletableFuture.runAsync(task, loop::execute);
    }

    /** What a queue may know of the others. */
    private final class Neighbours implements QueueNeighbours {
        @Override
        public @Nullable RankedQueue find(String name) {
            NamedQueue queue = byName.get(name);
            return queue == null ? null : queue.queue();
        }

        @Override
        public void restood(
                long queueId,
                long reference,
                long position,
                int storedBytes,
                long expiryDeadlineNs,
                @Nullable DeliveryOptions options,
                IoLoop caller) {
            store.restood(queueId, reference, position, storedBytes, expiryDeadlineNs, options, caller);
        }

        @Override
        public void transferred(
                long fromQueueId,
                long fromReference,
                long toQueueId,
                long toReference,
                long position,
                int storedBytes,
                long expiryDeadlineNs,
                @Nullable DeliveryOptions options,
                IoLoop caller,
                Runnable then) {
            store.transferred(
                    fromQueueId,
                    fromReference,
                    toQueueId,
                    toReference,
                    position,
                    storedBytes,
                    expiryDeadlineNs,
                    options,
                    caller,
                    then);
        }
    }
}
