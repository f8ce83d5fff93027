package dev.avocet.core.queue;

import dev.avocet.core.config.object.policy.FullBehavior;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.queue.receiver.QueueConsumer;
import dev.avocet.core.queue.receiver.QueueDelivery;
import dev.avocet.core.queue.receiver.QueueReceiver;
import dev.avocet.core.queue.receiver.ReceiverEnd;
import dev.avocet.core.queue.receiver.ReceiverOptions;
import dev.avocet.core.queue.receiver.Settlement;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.queue.room.QueueSettings;
import dev.avocet.core.time.SystemClock;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a message costs in a queue by name, put, delivered and accepted, while another receiver of the same queue opens,
 * is given the next messages and closes before it has seen them, a thousand times a second or never.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class ComingReceiversBenchmark {
    @Param({"0", "1000"})
    private int openingsPerSecond;

    @Param({"0", "100000"})
    private int backlog;

    private final Message message = new Message(
            TopicName.of("orders"),
            true,
            QualityOfService.AT_LEAST_ONCE,
            false,
            new byte[16],
            MessageProperties.NONE,
            Message.NEVER,
            "producer");
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final IoLoop loop = new IoLoop(0, tasks::add, () -> true, new SystemClock(), new MemoryGuard());
    private RankedQueue queue;
    private Neighbour neighbour;
    private long delivered;
    private long nextNs = System.nanoTime();

    @Setup
    public void open() {
        QueueLimits limits = new QueueLimits(1_000_000, 0, FullBehavior.REJECT_NEW_MESSAGES);
        queue = new RankedQueue("orders", loop, limits, QueueSettings.DEFAULT, new NoNeighbours());
        for (int i = 0; i < backlog; i++) {
            queue.reserve();
            queue.put(message, null, loop);
        }
        neighbour = new Neighbour();
        run();
    }

    @Benchmark
    public long neighbourReceives() {
        long before = delivered;
        queue.reserve();
        queue.put(message, null, loop);
        if (openingsPerSecond > 0 && System.nanoTime() - nextNs > 0) {
            nextNs += TimeUnit.SECONDS.toNanos(1) / openingsPerSecond;
            new Coming();
            run();
        }
        neighbour.port.grant(1);
        run();
        if (delivered != before + 1) {
            throw new IllegalStateException("not delivered");
        }
        return delivered;
    }

    private void run() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    /** Accepts what it gets. */
    private final class Neighbour implements QueueConsumer {
        private final QueueReceiver port = queue.receive(ReceiverOptions.DEFAULT, loop, this);

        @Override
        public void onDelivery(QueueDelivery delivery) {
            delivered++;
            port.settle(delivery, Settlement.ACCEPTED);
        }

        @Override
        public void onDrained() {}

        @Override
        public void onEnded(ReceiverEnd reason) {
            throw new IllegalStateException(reason.name());
        }
    }

    /** Opens, wants messages and closes. */
    private final class Coming implements QueueConsumer {
        private static final int CREDIT = 10;

        private final QueueReceiver port;

        Coming() {
            port = queue.receive(ReceiverOptions.DEFAULT, loop, this);
            port.grant(CREDIT);
        }

        @Override
        public void onAttached() {
            port.close(Settlement.RELEASED);
        }

        @Override
        public void onDelivery(QueueDelivery delivery) {
            throw new IllegalStateException("closed");
        }

        @Override
        public void onDrained() {}

        @Override
        public void onEnded(ReceiverEnd reason) {}
    }
}
