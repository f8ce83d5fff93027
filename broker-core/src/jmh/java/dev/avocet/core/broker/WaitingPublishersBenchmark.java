package dev.avocet.core.broker;

import dev.avocet.core.config.object.policy.FullBehavior;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.TopicFilter;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.publish.PublishOutcome;
import dev.avocet.core.queue.SubscriptionQueue;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.queue.transit.Consumer;
import dev.avocet.core.queue.transit.Delivery;
import dev.avocet.core.queue.transit.DeliverySource;
import dev.avocet.core.session.ClientSession;
import dev.avocet.core.session.SubscriptionRequest;
import dev.avocet.core.time.SystemClock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
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
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a message costs that a consumer acknowledges and one of a thousand publishers replaces, each of which publishes
 * its next one once it is told of the last: with room for all of them, and with all of them waiting for room. Both have
 * the same backlog. Consumer and publishers share one loop, so the difference is all that waiting costs.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class WaitingPublishersBenchmark {
    private static final int PUBLISHERS = 1_000;
    private static final int BACKLOG = 1_000;
    /** What the consumer acknowledges at once. */
    static final int WINDOW = 64;

    private static final TopicName TOPIC = TopicName.of("orders/new");

    @Param({"false", "true"})
    private boolean waiting;

    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final List<Client> clients = new ArrayList<>();
    private final List<Client> answered = new ArrayList<>();
    private final Window consumer = new Window();
    private IoLoop loop;
    private Broker broker;
    private SubscriptionQueue queue;
    private int next;

    public WaitingPublishersBenchmark() {}

    WaitingPublishersBenchmark(boolean waiting) {
        this.waiting = waiting;
    }

    @Setup
    public void open() {
        loop = new IoLoop(0, tasks::add, () -> true, new SystemClock(), new MemoryGuard());
        broker = new Broker(BrokerOptions.DEFAULT, List.of(loop));
        queue = subscribe(new QueueLimits(waiting ? BACKLOG : BACKLOG * 2, 0, FullBehavior.BACKPRESSURE));
        queue.attach(consumer);
        Client first = new Client();
        for (int i = 0; i < BACKLOG; i++) {
            first.publish();
        }
        for (int i = 0; i < PUBLISHERS; i++) {
            clients.add(new Client());
        }
        if (waiting) {
            clients.forEach(Client::publish);
        }
        run();
    }

    private SubscriptionQueue subscribe(QueueLimits limits) {
        ClientSession[] session = new ClientSession[1];
        broker.sessions().claim("consumer", true, loop, (made, present) -> {
            session[0] = made;
            return cause -> {};
        });
        run();
        SubscriptionRequest request = new SubscriptionRequest(
                TOPIC.text(),
                TopicFilter.of(TOPIC.text()),
                null,
                new DeliveryOptions(QualityOfService.AT_LEAST_ONCE, false, false, DeliveryOptions.NO_IDENTIFIERS),
                false,
                limits);
        return broker.subscriptions()
                .subscribe(session[0], request)
                .subscription()
                .queue();
    }

    @Benchmark
    @OperationsPerInvocation(WINDOW)
    public long acknowledged() {
        long before = consumer.delivered;
        int acknowledged = consumer.inFlight;
        consumer.inFlight = 0;
        queue.settleUnstored(acknowledged);
        queue.resume(consumer);
        run();
        if (waiting) {
            answered.forEach(Client::publish); // a client hears of its last message before it publishes the next
            answered.clear();
        } else {
            for (int i = 0; i < WINDOW; i++) {
                clients.get(next).publish();
                next = (next + 1) % PUBLISHERS;
            }
        }
        run();
        if (consumer.delivered != before + WINDOW || queue.depth() != BACKLOG) {
            throw new IllegalStateException(consumer.delivered - before + " delivered, depth " + queue.depth());
        }
        return consumer.delivered;
    }

    private void run() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    /** Has one message at a time on its way. */
    private final class Client {
        private final Publisher publisher = broker.publisher(loop, (token, outcome) -> onPublished(outcome));

        void publish() {
            Message message = new Message(
                    TOPIC,
                    QualityOfService.AT_LEAST_ONCE,
                    false,
                    new byte[16],
                    MessageProperties.NONE,
                    Message.NEVER,
                    "publisher");
            publisher.publish(message, broker.route(TOPIC, loop), 0);
        }

        private void onPublished(PublishOutcome outcome) {
            if (outcome != PublishOutcome.ACCEPTED) {
                throw new IllegalStateException(outcome.name());
            }
            answered.add(this);
        }
    }

    /** Has a number of messages in flight and takes no more before all of them are acknowledged. */
    private static final class Window implements Consumer {
        private int inFlight;
        private long delivered;

        @Override
        public Delivery deliver(
                DeliverySource source, Message message, @Nullable DeliveryOptions options, long reference) {
            if (inFlight == WINDOW) {
                return Delivery.BUSY;
            }
            inFlight++;
            delivered++;
            return Delivery.IN_FLIGHT;
        }

        @Override
        public void onNeverAcknowledging() {}
    }
}
