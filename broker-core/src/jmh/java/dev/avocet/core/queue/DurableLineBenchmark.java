package dev.avocet.core.queue;

import dev.avocet.core.config.object.policy.FullBehavior;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.queue.reference.QueueSnapshot;
import dev.avocet.core.queue.reference.QueueStore;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.queue.transit.Consumer;
import dev.avocet.core.queue.transit.Delivery;
import dev.avocet.core.queue.transit.DeliverySource;
import dev.avocet.core.time.SystemClock;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a stored message costs in its queue, per message, without the store: straight to a consumer and settled, waiting
 * in memory, waiting on disk only; and what a snapshot of a million references costs. {@link HandOverBenchmark} has the
 * same for messages that are not stored.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class DurableLineBenchmark {
    private static final int BATCH = 100;
    private static final int BACKLOG = 1_000_000;
    private static final int STORED_BYTES = 64;

    private final Message message = new Message(
            TopicName.of("a/b"),
            QualityOfService.AT_LEAST_ONCE,
            false,
            new byte[16],
            MessageProperties.NONE,
            Message.NEVER,
            "publisher");
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final IoLoop loop = new IoLoop(0, tasks::add, () -> true, new SystemClock(), new MemoryGuard());
    private final Taker taker = new Taker();
    private SubscriptionQueue direct;
    private SubscriptionQueue inMemory;
    private SubscriptionQueue onDisk;
    private SubscriptionQueue backlog;

    @Setup
    public void open() {
        direct = queue(true);
        direct.attach(taker);
        inMemory = queue(true);
        onDisk = queue(false);
        backlog = queue(false);
        for (int i = 1; i <= BACKLOG; i++) {
            backlog.restore(i, i, STORED_BYTES, Message.NEVER, null);
        }
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int directDeliveryAndSettling() {
        put(direct);
        settle(direct);
        return direct.depth();
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int throughTheLineInMemory() {
        put(inMemory);
        return take(inMemory);
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int throughTheLineOnDisk() {
        put(onDisk);
        return take(onDisk);
    }

    /** Per snapshot of a million. */
    @Benchmark
    public QueueSnapshot snapshot() {
        return backlog.snapshot();
    }

    private void put(SubscriptionQueue queue) {
        for (int i = 0; i < BATCH; i++) {
            queue.reserve();
            long reference = queue.nextReference();
            queue.putStored(message, null, reference, reference, STORED_BYTES, loop);
        }
    }

    private int take(SubscriptionQueue queue) {
        queue.attach(taker);
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
        queue.detach(taker);
        settle(queue);
        return queue.depth();
    }

    private void settle(SubscriptionQueue queue) {
        for (int i = 0; i < taker.count; i++) {
            queue.settle(message, taker.references[i]);
        }
        taker.count = 0;
    }

    private SubscriptionQueue queue(boolean keeps) {
        SubscriptionQueue queue = new SubscriptionQueue(
                "queue", loop, new QueueLimits(2 * BACKLOG, 0, FullBehavior.REJECT_NEW_MESSAGES), 0);
        queue.makeDurable(1, new InstantStore(keeps));
        return queue;
    }

    /** Takes everything and keeps the numbers. */
    private static final class Taker implements Consumer {
        final long[] references = new long[BATCH];
        int count;

        @Override
        public Delivery deliver(
                DeliverySource source, Message message, @Nullable DeliveryOptions options, long reference) {
            references[count++] = reference;
            return Delivery.IN_FLIGHT;
        }

        @Override
        public void onNeverAcknowledging() {}
    }

    /** Finds the one message wherever it is asked for. */
    private final class InstantStore implements QueueStore {
        private final boolean keeps;

        InstantStore(boolean keeps) {
            this.keeps = keeps;
        }

        @Override
        public void acknowledged(long queueId, long reference, long position, int storedBytes, IoLoop caller) {}

        @Override
        public void delivered(long queueId, int count, long[] references, IoLoop caller) {}

        @Override
        public void abandoned(long position, int storedBytes) {}

        @Override
        public void fetch(long[] positions, int[] storedBytes, int count, IoLoop loop, Fetched then) {
            @Nullable Message[] found = new Message[count];
            Arrays.fill(found, message);
            loop.execute(() -> then.onFetched(found));
        }

        @Override
        public void lost(String queue, long position) {}

        @Override
        public boolean keepInMemory(int sizeBytes) {
            return keeps;
        }

        @Override
        public void letGo(int sizeBytes) {}
    }
}
