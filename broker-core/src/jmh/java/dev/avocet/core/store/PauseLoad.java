package dev.avocet.core.store;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.broker.Publisher;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.publish.PublishOutcome;
import dev.avocet.core.queue.SubscriptionQueue;
import dev.avocet.core.queue.transit.Consumer;
import dev.avocet.core.queue.transit.Delivery;
import dev.avocet.core.queue.transit.DeliverySource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A publisher and a consumer of QoS 1. At a given rate, a group of messages is posted each millisecond, whatever became
 * of those before: a pause is seen by all that it held up. But no more than a quarter of a second's are on their way,
 * so that on a machine too slow for the rate a pause is not the backlog of the load itself. At full speed so many
 * groups are on their way, and the next goes when one is answered.
 */
final class PauseLoad implements Consumer {
    private static final int FAST_GROUP = 250;
    private static final int FAST_GROUPS = 40;
    private static final int PACED_GROUPS = 250;
    private static final long GROUP_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long NO_TOKEN = -1;

    private final IoLoop loop;
    private final Broker broker;
    private final Publisher publisher;
    private final byte[] payload;
    private final PauseSamples commits = new PauseSamples();
    private final AtomicInteger unanswered = new AtomicInteger();
    private final AtomicLong published = new AtomicLong();
    private final List<Delivered> delivered = new ArrayList<>();
    private boolean settling;
    private @Nullable Throwable failure;

    PauseLoad(Broker broker, IoLoop loop, int messageBytes) {
        this.loop = loop;
        this.broker = broker;
        payload = new byte[messageBytes];
        publisher = broker.publisher(loop, this::onPublished);
    }

    PauseSamples commits() {
        return commits;
    }

    void attachTo(SubscriptionQueue queue) {
        queue.attach(this);
    }

    /** On the loop. */
    void publishOne(String topic) {
        unanswered.incrementAndGet();
        publish(TopicName.of(topic), loop.clock().nanoTime());
    }

    /**
     * Publishes until then.
     *
     * @return how many messages so far
     */
    long publish(int perSecond, long endNs) {
        int group = perSecond == 0 ? FAST_GROUP : perSecond / 1000;
        TopicName topic = TopicName.of("load");
        long dueNs = loop.clock().nanoTime();
        while (dueNs - endNs < 0) {
            if (perSecond == 0) {
                while (unanswered.get() >= FAST_GROUPS) {
                    LockSupport.parkNanos(20_000);
                }
                dueNs = loop.clock().nanoTime();
            } else {
                dueNs += GROUP_NS;
                LockSupport.parkNanos(dueNs - loop.clock().nanoTime());
                awaitAnswers(PACED_GROUPS);
            }
            send(topic, group);
        }
        awaitAnswers();
        requireWhole();
        return published.get();
    }

    void awaitAnswers() {
        awaitAnswers(1);
    }

    /** Returns when fewer than these are on their way. */
    private void awaitAnswers(int groups) {
        while (unanswered.get() >= groups) {
            LockSupport.parkNanos(100_000);
        }
    }

    private void send(TopicName topic, int count) {
        unanswered.incrementAndGet();
        long postedNs = loop.clock().nanoTime();
        loop.execute(() -> {
            for (int i = 0; i < count; i++) {
                publish(topic, i == count - 1 ? postedNs : NO_TOKEN);
            }
        });
    }

    private void publish(TopicName topic, long token) {
        Message message = new Message(
                topic,
                QualityOfService.AT_LEAST_ONCE,
                false,
                payload,
                MessageProperties.NONE,
                Message.NEVER,
                "publisher");
        PublishOutcome outcome = publisher.publish(message, broker.route(topic, loop), token);
        if (outcome != PublishOutcome.PENDING) {
            onPublished(token, outcome);
        }
    }

    private void onPublished(long token, PublishOutcome outcome) {
        published.lazySet(published.getPlain() + 1);
        if (outcome != PublishOutcome.ACCEPTED && failure == null) {
            failure = new IllegalStateException("a message was not taken: " + outcome);
        }
        if (token != NO_TOKEN) {
            commits.add(token, loop.clock().nanoTime());
            unanswered.decrementAndGet();
        }
    }

    @Override
    public Delivery deliver(DeliverySource source, Message message, @Nullable DeliveryOptions options, long reference) {
        delivered.add(new Delivered(source, message, reference));
        if (!settling) {
            settling = true;
            loop.execute(this::settle); // as if the client's acknowledgement had come
        }
        return Delivery.IN_FLIGHT;
    }

    private void settle() {
        settling = false;
        List<Delivered> now = List.copyOf(delivered);
        delivered.clear();
        now.forEach(each -> each.source.settle(each.message, each.reference));
    }

    @Override
    public void onNeverAcknowledging() {
        failure = new IllegalStateException("the consumer has fallen behind");
    }

    private void requireWhole() {
        Throwable cause = failure;
        if (cause != null) {
            throw new IllegalStateException(cause);
        }
    }

    private record Delivered(DeliverySource source, Message message, long reference) {}
}
