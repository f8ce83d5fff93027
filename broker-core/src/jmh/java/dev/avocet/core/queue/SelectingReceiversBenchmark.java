package dev.avocet.core.queue;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.message.UserProperty;
import dev.avocet.core.queue.receiver.QueueConsumer;
import dev.avocet.core.queue.receiver.QueueDelivery;
import dev.avocet.core.queue.receiver.QueueReceiver;
import dev.avocet.core.queue.receiver.ReceiverEnd;
import dev.avocet.core.queue.receiver.ReceiverOptions;
import dev.avocet.core.queue.receiver.Settlement;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.queue.room.QueueSettings;
import dev.avocet.core.selector.InvalidSelectorException;
import dev.avocet.core.selector.Selector;
import dev.avocet.core.time.SystemClock;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
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
 * What a reply costs in a queue where many wait for theirs, each with a selector for its own correlation identifier:
 * put, delivered, accepted, and credit for the next one. {@code naive} asks the same in a way that no index sees.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class SelectingReceiversBenchmark {
    /** Replies come in another order than the receivers' turn, which would find them by chance. */
    private static final int STRIDE = 617;

    @Param({"1", "1000"})
    private int receivers;

    @Param({"JMSCorrelationID = '%s'", "NOT (JMSCorrelationID <> '%s')"})
    private String selector;

    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private IoLoop loop;
    private RankedQueue queue;
    private Message[] replies;
    private int next;
    private long delivered;

    @Setup
    public void attach() throws InvalidSelectorException {
        loop = new IoLoop(0, tasks::add, () -> true, new SystemClock(), new MemoryGuard());
        queue = new RankedQueue("replies", loop, QueueLimits.DEFAULT, QueueSettings.DEFAULT, new NoNeighbours());
        replies = new Message[receivers];
        for (int i = 0; i < receivers; i++) {
            replies[i] = reply("id-" + i);
            new Requester(Selector.compile(String.format(selector, "id-" + i)));
        }
        run();
    }

    @Benchmark
    public long reply() {
        Message message = replies[next];
        next = (next + STRIDE) % receivers;
        long before = delivered;
        queue.reserve();
        queue.put(message, null, loop);
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

    private static Message reply(String correlation) {
        return new Message(
                TopicName.of("replies"),
                true,
                QualityOfService.AT_LEAST_ONCE,
                false,
                new byte[16],
                new Correlated(correlation),
                Message.NEVER,
                "server");
    }

    /** Accepts what it gets, and wants more. */
    private final class Requester implements QueueConsumer {
        private final QueueReceiver port;

        Requester(@Nullable Selector its) {
            port = queue.receive(ReceiverOptions.selecting(its), loop, this);
            port.grant(10);
        }

        @Override
        public void onDelivery(QueueDelivery delivery) {
            delivered++;
            port.settle(delivery, Settlement.ACCEPTED);
            port.grant(1);
        }

        @Override
        public void onDrained() {}

        @Override
        public void onEnded(ReceiverEnd reason) {
            throw new IllegalStateException(reason.name());
        }
    }

    private record Correlated(String id) implements MessageProperties {
        @Override
        public @Nullable Object property(String name) {
            return name.equals("JMSCorrelationID") ? id : null;
        }

        @Override
        public boolean isEmpty() {
            return false;
        }

        @Override
        public boolean isPayloadText() {
            return false;
        }

        @Override
        public @Nullable String contentType() {
            return null;
        }

        @Override
        public @Nullable String responseTopic() {
            return null;
        }

        @Override
        public byte @Nullable [] correlationData() {
            return null;
        }

        @Override
        public List<UserProperty> userProperties() {
            return List.of();
        }

        @Override
        public int format() {
            return 0;
        }

        @Override
        public byte[] encoded() {
            return new byte[0];
        }

        @Override
        public int sizeBytes() {
            return 0;
        }
    }
}
