package dev.avocet.core.queue;

import dev.avocet.core.config.object.policy.FullBehavior;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.queue.transit.Consumer;
import dev.avocet.core.queue.transit.Delivery;
import dev.avocet.core.queue.transit.DeliverySource;
import dev.avocet.core.time.SystemClock;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a message costs on its way through a queue, per message: straight to a consumer, through the buffer, and to
 * another loop; and what the ways cost that were not taken: a blocking queue as the buffer, one task per message to
 * another loop.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class HandOverBenchmark {
    private static final int BATCH = 100;

    private final Message message = new Message(
            TopicName.of("a/b"),
            QualityOfService.AT_LEAST_ONCE,
            false,
            new byte[16],
            MessageProperties.NONE,
            Message.NEVER,
            "publisher");
    private final Queue<Runnable> ownTasks = new ArrayDeque<>();
    private final AtomicInteger received = new AtomicInteger();
    private final Sink sink = new Sink(received);
    private final LinkedBlockingQueue<Message> blocking = new LinkedBlockingQueue<>(10_000);
    private IoLoop own;
    private SubscriptionQueue direct;
    private SubscriptionQueue buffered;
    private SubscriptionQueue remote;
    private ExecutorService otherThread;

    @Setup
    public void open() {
        QueueLimits limits = new QueueLimits(10_000, 0, FullBehavior.REJECT_NEW_MESSAGES);
        MemoryGuard memory = new MemoryGuard();
        own = new IoLoop(0, ownTasks::add, () -> true, new SystemClock(), memory);
        ThreadFactory threads = task -> {
            Thread thread = new Thread(task, "other-loop");
            thread.setDaemon(true);
            return thread;
        };
        otherThread = Executors.newSingleThreadExecutor(threads);
        IoLoop other = new IoLoop(1, otherThread, () -> true, new SystemClock(), memory);
        direct = new SubscriptionQueue("direct", own, limits, 0);
        direct.attach(new Sink(received));
        buffered = new SubscriptionQueue("buffered", own, limits, 0);
        remote = new SubscriptionQueue("remote", other, limits, 0);
        other.execute(() -> remote.attach(sink));
    }

    @TearDown
    public void close() {
        otherThread.shutdown();
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int directDelivery() {
        for (int i = 0; i < BATCH; i++) {
            direct.reserve();
            direct.put(message, null, own);
        }
        return direct.depth();
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int throughTheBuffer() {
        for (int i = 0; i < BATCH; i++) {
            buffered.reserve();
            buffered.put(message, null, own);
        }
        buffered.attach(sink);
        buffered.detach(sink);
        return buffered.depth();
    }

    /** The alternative to the buffer; uncontended, so this is the best that it can do. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int throughABlockingQueue() {
        for (int i = 0; i < BATCH; i++) {
            blocking.offer(message);
        }
        int taken = 0;
        for (Message next = blocking.poll(); next != null; next = blocking.poll()) {
            sink.deliver(direct, next, null, 0);
            taken++;
        }
        return taken;
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public void toAnotherLoop() {
        int expected = received.get() + BATCH;
        for (int i = 0; i < BATCH; i++) {
            remote.reserve();
            remote.put(message, null, own);
        }
        for (Runnable task = ownTasks.poll(); task != null; task = ownTasks.poll()) {
            task.run();
        }
        await(expected);
    }

    /** The alternative to the inbox: the other loop's executor carries each message. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public void toAnotherLoopByOneTaskEach() {
        int expected = received.get() + BATCH;
        for (int i = 0; i < BATCH; i++) {
            otherThread.execute(() -> sink.deliver(remote, message, null, 0));
        }
        await(expected);
    }

    private void await(int expected) {
        while (received.get() != expected) {
            Thread.onSpinWait();
        }
    }

    /** Takes everything. */
    private static final class Sink implements Consumer {
        private final AtomicInteger received;

        Sink(AtomicInteger received) {
            this.received = received;
        }

        @Override
        public Delivery deliver(
                DeliverySource source, Message message, @Nullable DeliveryOptions options, long reference) {
            received.lazySet(received.getPlain() + 1); // one thread at a time
            return Delivery.SETTLED;
        }

        @Override
        public void onNeverAcknowledging() {}
    }
}
