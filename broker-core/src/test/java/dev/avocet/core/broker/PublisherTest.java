package dev.avocet.core.broker;

import static dev.avocet.core.config.object.policy.FullBehavior.BACKPRESSURE;
import static dev.avocet.core.config.object.policy.FullBehavior.REJECT_NEW_MESSAGES;
import static dev.avocet.core.message.QualityOfService.AT_LEAST_ONCE;
import static dev.avocet.core.message.QualityOfService.AT_MOST_ONCE;
import static dev.avocet.core.message.QualityOfService.EXACTLY_ONCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.config.object.policy.FullBehavior;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.TopicFilter;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.publish.PublishOutcome;
import dev.avocet.core.queue.FakeConsumer;
import dev.avocet.core.queue.SubscriptionQueue;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.session.ClientSession;
import dev.avocet.core.session.SubscriptionRequest;
import dev.avocet.core.topic.Subscription;
import dev.avocet.testkit.ManualLoops;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Subscribers live on loop 0, the publisher on loop 1. */
class PublisherTest {
    private static final TopicName TOPIC = TopicName.of("a/b");
    private static final int PATIENCE_MS = BrokerOptions.DEFAULT.backpressureMaxMs();

    private final ManualLoops loops = new ManualLoops(2);
    private final Broker broker = new Broker(BrokerOptions.DEFAULT, loops.all());
    private final List<String> completions = new ArrayList<>();
    private final Publisher publisher =
            broker.publisher(loops.io(1), (token, outcome) -> completions.add(token + " " + outcome));
    private int clients;

    @Test
    void shouldSayThatNobodyHasSubscribed() {
        assertThat(publish(AT_LEAST_ONCE, "1")).isEqualTo(PublishOutcome.NO_MATCHING_SUBSCRIBERS);
        assertThat(broker.metrics().get(Counter.MESSAGES_WITHOUT_SUBSCRIBER)).isEqualTo(1);
    }

    @Test
    void shouldDeliverToAllOrToNone() {
        // given
        FakeConsumer roomy = consume(subscribe(10, REJECT_NEW_MESSAGES, EXACTLY_ONCE), FakeConsumer.acknowledging(100));
        FakeConsumer tight = consume(subscribe(1, REJECT_NEW_MESSAGES, AT_LEAST_ONCE), FakeConsumer.acknowledging(100));
        FakeConsumer last = consume(subscribe(10, REJECT_NEW_MESSAGES, AT_LEAST_ONCE), FakeConsumer.acknowledging(100));

        // when
        assertThat(publish(AT_LEAST_ONCE, "1")).isEqualTo(PublishOutcome.ACCEPTED);
        assertThat(publish(AT_LEAST_ONCE, "2")).isEqualTo(PublishOutcome.QUOTA_EXCEEDED);

        // then
        assertThat(roomy.texts()).containsExactly("1");
        assertThat(tight.texts()).containsExactly("1");
        assertThat(last.texts()).containsExactly("1");
        assertThat(broker.metrics().get(Counter.PUBLISHES_REFUSED)).isEqualTo(1);
        assertThat(broker.metrics().get(Counter.MESSAGES_REJECTED)).isEqualTo(1);
        List.of(roomy, tight, last).forEach(FakeConsumer::settleAll);
        assertThat(publish(AT_LEAST_ONCE, "3")).isEqualTo(PublishOutcome.ACCEPTED);
        assertThat(roomy.texts()).containsExactly("1", "3");
    }

    @Test
    void shouldLeaveNoReservationBehindWhenRefused() {
        SubscriptionQueue roomy = subscribe(10, REJECT_NEW_MESSAGES, AT_LEAST_ONCE);
        SubscriptionQueue full = subscribe(1, REJECT_NEW_MESSAGES, AT_LEAST_ONCE);
        publish(AT_LEAST_ONCE, "1");

        for (int i = 0; i < 20; i++) {
            assertThat(publish(AT_LEAST_ONCE, "more")).isEqualTo(PublishOutcome.QUOTA_EXCEEDED);
        }

        assertThat(roomy.depth()).isEqualTo(1);
        assertThat(full.depth()).isEqualTo(1);
        assertThat(full.statistics().rejected()).isEqualTo(20);
    }

    @Test
    void shouldNotRetainWhatIsRefused() {
        subscribe(1, REJECT_NEW_MESSAGES, AT_LEAST_ONCE);
        publish(AT_LEAST_ONCE, "1");

        assertThat(publish(AT_LEAST_ONCE, "2", true)).isEqualTo(PublishOutcome.QUOTA_EXCEEDED);

        assertThat(broker.retained().count()).isZero();
    }

    @Test
    void shouldNeitherFailNorWaitBecauseOfASubscriptionThatMayMissMessages() {
        FakeConsumer must = consume(subscribe(10, REJECT_NEW_MESSAGES, AT_LEAST_ONCE), FakeConsumer.settling(100));
        SubscriptionQueue full = subscribe(1, REJECT_NEW_MESSAGES, AT_MOST_ONCE);
        consume(full, FakeConsumer.settling(0));

        assertThat(publish(AT_LEAST_ONCE, "1")).isEqualTo(PublishOutcome.ACCEPTED);
        assertThat(publish(AT_LEAST_ONCE, "2")).isEqualTo(PublishOutcome.ACCEPTED);
        assertThat(publish(AT_MOST_ONCE, "3")).isEqualTo(PublishOutcome.ACCEPTED);

        assertThat(must.texts()).containsExactly("1", "2", "3");
        assertThat(full.statistics().rejected()).isEqualTo(2);
    }

    @Test
    void shouldWaitInOrderWhileAQueueAsksForIt() {
        // given
        FakeConsumer slow = consume(subscribe(2, BACKPRESSURE, AT_LEAST_ONCE), FakeConsumer.acknowledging(100));
        FakeConsumer fast = consume(subscribe(100, REJECT_NEW_MESSAGES, AT_LEAST_ONCE), FakeConsumer.settling(100));
        publish(AT_LEAST_ONCE, "1");
        publish(AT_LEAST_ONCE, "2");

        // when
        assertThat(publish(AT_LEAST_ONCE, "3")).isEqualTo(PublishOutcome.PENDING);
        assertThat(publish(AT_MOST_ONCE, "4")).isEqualTo(PublishOutcome.PENDING);
        assertThat(publish(EXACTLY_ONCE, "5")).isEqualTo(PublishOutcome.PENDING);
        assertThat(fast.texts()).as("not even to those with room").containsExactly("1", "2");

        // then
        loops.on(0, slow::settleAll);
        loops.settle();
        assertThat(slow.texts()).startsWith("1", "2", "3").doesNotContain("5");
        loops.on(0, slow::settleAll);
        loops.settle();
        loops.on(0, slow::settleAll);
        loops.settle();
        assertThat(slow.texts()).containsExactly("1", "2", "3", "4", "5");
        assertThat(fast.texts()).containsExactly("1", "2", "3", "4", "5");
        assertThat(completions).containsExactly("3 ACCEPTED", "4 ACCEPTED", "5 ACCEPTED");
        assertThat(publisher.waitingCount()).isZero();
        assertThat(broker.metrics().get(Counter.MESSAGES_REJECTED))
                .as("who waited was not rejected")
                .isZero();
        loops.advance(Duration.ofMillis(2L * PATIENCE_MS));
        assertThat(completions).hasSize(3);
    }

    @Test
    void shouldRefuseEachOnceItHasWaitedLongEnough() {
        SubscriptionQueue full = subscribe(1, BACKPRESSURE, AT_LEAST_ONCE);
        consume(full, FakeConsumer.acknowledging(100));
        publish(AT_LEAST_ONCE, "1");
        publish(AT_LEAST_ONCE, "2");
        loops.advance(Duration.ofMillis(PATIENCE_MS / 2));
        publish(AT_LEAST_ONCE, "3", true);

        loops.advance(Duration.ofMillis(PATIENCE_MS / 2 + 50));
        loops.settle();
        assertThat(completions).containsExactly("2 QUOTA_EXCEEDED");
        loops.advance(Duration.ofMillis(PATIENCE_MS / 2));
        loops.settle();

        assertThat(completions).containsExactly("2 QUOTA_EXCEEDED", "3 QUOTA_EXCEEDED");
        assertThat(full.statistics().rejected()).isEqualTo(2);
        assertThat(broker.metrics().get(Counter.PUBLISHES_REFUSED)).isEqualTo(2);
        assertThat(broker.retained().count()).isZero();
        assertThat(full.depth()).isEqualTo(1);
    }

    @Test
    void shouldWaitAtQosZeroForAFullQueueWithBackpressure() {
        // given
        FakeConsumer slow = consume(subscribe(1, BACKPRESSURE, AT_MOST_ONCE), FakeConsumer.settling(0));
        FakeConsumer other = consume(subscribe(100, REJECT_NEW_MESSAGES, AT_MOST_ONCE), FakeConsumer.settling(100));
        assertThat(publish(AT_MOST_ONCE, "1")).isEqualTo(PublishOutcome.ACCEPTED);

        // when
        assertThat(publish(AT_MOST_ONCE, "2")).isEqualTo(PublishOutcome.PENDING);
        assertThat(publish(AT_LEAST_ONCE, "3")).isEqualTo(PublishOutcome.PENDING);
        assertThat(other.texts()).containsExactly("1");
        loops.on(0, () -> slow.makeRoom(100));
        loops.settle();

        // then
        assertThat(slow.texts()).containsExactly("1", "2", "3");
        assertThat(other.texts()).containsExactly("1", "2", "3");
        assertThat(completions).containsExactly("2 ACCEPTED", "3 ACCEPTED");
        assertThat(broker.metrics().get(Counter.MESSAGES_REJECTED)).isZero();
    }

    @Test
    void shouldLoseAtQosZeroOnlyForTheFullQueueWhenTheTimeIsOver() {
        SubscriptionQueue full = subscribe(1, BACKPRESSURE, AT_MOST_ONCE);
        FakeConsumer slow = consume(full, FakeConsumer.settling(0));
        FakeConsumer other = consume(subscribe(100, REJECT_NEW_MESSAGES, AT_LEAST_ONCE), FakeConsumer.settling(100));
        publish(AT_MOST_ONCE, "1");
        publish(AT_MOST_ONCE, "2");
        publish(AT_LEAST_ONCE, "3");

        loops.advance(Duration.ofMillis(PATIENCE_MS + 50));
        loops.settle();

        assertThat(completions).containsExactly("2 ACCEPTED", "3 ACCEPTED");
        assertThat(other.texts()).containsExactly("1", "2", "3");
        assertThat(full.statistics().rejected()).isEqualTo(2);
        loops.on(0, () -> slow.makeRoom(10));
        assertThat(slow.texts()).containsExactly("1");
    }

    @Test
    void shouldNotWaitAtQosZeroForAClientThatIsAway() {
        SubscriptionQueue full = subscribe(1, BACKPRESSURE, AT_LEAST_ONCE);
        publish(AT_LEAST_ONCE, "1");

        assertThat(publish(AT_MOST_ONCE, "2")).isEqualTo(PublishOutcome.ACCEPTED);

        assertThat(full.depth()).isEqualTo(1);
    }

    @Test
    void shouldStopWaitingAtQosZeroWhenTheClientGoesAway() {
        SubscriptionQueue full = subscribe(1, BACKPRESSURE, AT_MOST_ONCE);
        FakeConsumer slow = consume(full, FakeConsumer.settling(0));
        publish(AT_MOST_ONCE, "1");
        publish(AT_MOST_ONCE, "2");

        loops.on(0, () -> full.detach(slow));
        loops.settle();

        assertThat(completions).containsExactly("2 ACCEPTED");
    }

    @Test
    void shouldGoOnWhenTheFullSubscriptionEnds() {
        SubscriptionQueue full = subscribe(1, BACKPRESSURE, AT_LEAST_ONCE);
        publish(AT_LEAST_ONCE, "1");
        publish(AT_LEAST_ONCE, "2");

        ClientSession session = broker.sessions().find("client 1");
        loops.on(0, () -> broker.subscriptions().unsubscribe(session, "a/b"));
        loops.settle();

        assertThat(completions).containsExactly("2 NO_MATCHING_SUBSCRIBERS");
        assertThat(full.depth()).isZero();
    }

    @Test
    void shouldDropWhatWaitsWhenItsConnectionIsGone() {
        FakeConsumer slow = consume(subscribe(1, BACKPRESSURE, AT_LEAST_ONCE), FakeConsumer.acknowledging(100));
        publish(AT_LEAST_ONCE, "1");
        publish(AT_LEAST_ONCE, "2");

        loops.on(1, publisher::close);
        loops.on(0, slow::settleAll);
        loops.advance(Duration.ofMillis(2L * PATIENCE_MS));
        loops.settle();

        assertThat(slow.texts()).containsExactly("1");
        assertThat(completions).isEmpty();
    }

    @Test
    void shouldNotBeCalledByAQueueOnceItsConnectionIsGone() {
        FakeConsumer slow = consume(subscribe(1, BACKPRESSURE, AT_LEAST_ONCE), FakeConsumer.acknowledging(100));
        publish(AT_LEAST_ONCE, "1");
        assertThat(publish(AT_LEAST_ONCE, "2")).isEqualTo(PublishOutcome.PENDING);
        loops.on(1, publisher::close);

        loops.on(0, slow::settleAll);

        assertThat(loops.get(1).isIdle()).as("the queue has let go of it").isTrue();
    }

    @Test
    void shouldNotBeCalledByAQueueOnceNothingWaits() {
        FakeConsumer slow = consume(subscribe(1, BACKPRESSURE, AT_LEAST_ONCE), FakeConsumer.acknowledging(100));
        publish(AT_LEAST_ONCE, "1");
        publish(AT_LEAST_ONCE, "2");
        loops.advance(Duration.ofMillis(2L * PATIENCE_MS));
        loops.settle();
        assertThat(completions).containsExactly("2 QUOTA_EXCEEDED");

        loops.on(0, slow::settleAll);

        assertThat(loops.get(1).isIdle()).as("the queue has let go of it").isTrue();
    }

    @Test
    void shouldNotSpinWhileMemoryIsShort() {
        subscribe(10, BACKPRESSURE, AT_LEAST_ONCE);
        loops.memory().sample(12);

        assertThat(publish(AT_LEAST_ONCE, "1")).isEqualTo(PublishOutcome.QUOTA_EXCEEDED);

        assertThat(loops.isIdle()).isTrue();
    }

    @Test
    void shouldLetRoutesGoWhileMemoryIsShort() {
        // given
        publish(AT_LEAST_ONCE, "1");
        publish(AT_LEAST_ONCE, "1");
        assertThat(isRouteKnown()).as("known when it was asked for twice").isTrue();

        // when
        loops.memory().sample(40);
        loops.advance(Duration.ofSeconds(2));
        loops.settle();

        // then
        assertThat(isRouteKnown()).isFalse();
        publish(AT_LEAST_ONCE, "2");
        assertThat(isRouteKnown()).as("known until the next sweep").isTrue();
        loops.advance(Duration.ofSeconds(2));
        loops.settle();
        assertThat(isRouteKnown()).isFalse();
    }

    @Test
    void shouldRememberNoRouteWhileNoMessagesAreHeldEither() {
        // given
        loops.memory().sample(12);

        // when
        publish(AT_LEAST_ONCE, "1");
        publish(AT_LEAST_ONCE, "1");

        // then
        assertThat(isRouteKnown()).isFalse();
    }

    private boolean isRouteKnown() {
        return broker.findRoute(TOPIC.utf8(), 0, TOPIC.utf8().length, loops.io(1)) != null;
    }

    @Test
    void shouldReplayRetainedMessagesAsTheQueueHasRoomThoughItDiscards() {
        // given
        for (int i = 0; i < 50; i++) {
            retain("retained/" + i, "" + i);
        }
        Subscription[] all = new Subscription[1];
        loops.on(0, () -> all[0] = subscription("retained/#", 10, FullBehavior.DISCARD_OLD_MESSAGES, AT_LEAST_ONCE));
        FakeConsumer consumer = consume(all[0].queue(), FakeConsumer.acknowledging(100));

        // when
        loops.on(0, () -> broker.replayRetained(all[0], loops.io(0)));
        loops.settle();
        assertThat(consumer.texts()).hasSize(10);
        for (int i = 0; i < 50; i++) {
            loops.on(0, consumer::settleOne);
            loops.settle();
        }

        // then
        assertThat(consumer.texts()).hasSize(50).doesNotHaveDuplicates();
        assertThat(consumer.receivedOptions()).allMatch(options -> options != null && options.retained());
        assertThat(all[0].queue().depth()).isZero();
    }

    @Test
    void shouldReplayRetainedMessagesOnceHoweverOftenTheClientSubscribesMeanwhile() {
        // given
        for (int i = 0; i < 20; i++) {
            retain("retained/" + i, "" + i);
        }
        Subscription[] all = new Subscription[1];
        loops.on(0, () -> all[0] = subscription("retained/#", 5, REJECT_NEW_MESSAGES, AT_LEAST_ONCE));
        FakeConsumer consumer = consume(all[0].queue(), FakeConsumer.acknowledging(10_000));

        // when
        for (int i = 0; i < 100; i++) {
            loops.on(0, () -> broker.replayRetained(all[0], loops.io(0)));
        }
        for (int i = 0; i < 1000; i++) {
            loops.on(0, consumer::settleOne);
            loops.settle();
        }

        // then
        assertThat(consumer.texts()).as("what had room at once, and then all").hasSize(5 + 20);
        loops.on(0, () -> broker.replayRetained(all[0], loops.io(0)));
        assertThat(consumer.texts()).as("a new one begins").hasSize(5 + 20 + 5);
    }

    @Test
    void shouldReplayRetainedMessagesOnceThereIsMemoryAgain() {
        retain("a/b", "kept");
        loops.memory().sample(12);
        Subscription[] made = new Subscription[1];
        loops.on(0, () -> made[0] = subscription("a/b", 10, REJECT_NEW_MESSAGES, AT_LEAST_ONCE));
        FakeConsumer consumer = consume(made[0].queue(), FakeConsumer.settling(10));
        loops.on(0, () -> broker.replayRetained(made[0], loops.io(0)));
        loops.settle();
        assertThat(consumer.texts()).isEmpty();

        loops.memory().sample(80);
        loops.advance(Duration.ofSeconds(1));
        loops.settle();

        assertThat(consumer.texts()).containsExactly("kept");
    }

    private void retain(String topic, String text) {
        TopicName name = TopicName.of(topic);
        loops.on(
                1,
                () -> publisher.publish(message(name, AT_LEAST_ONCE, text, true), broker.route(name, loops.io(1)), 0));
        loops.settle();
    }

    private PublishOutcome publish(QualityOfService qos, String text) {
        return publish(qos, text, false);
    }

    /** Publishes from loop 1; the text, if a number, is the token. */
    private PublishOutcome publish(QualityOfService qos, String text, boolean retain) {
        PublishOutcome[] outcome = new PublishOutcome[1];
        long token = text.chars().allMatch(Character::isDigit) ? Long.parseLong(text) : 0;
        loops.on(
                1,
                () -> outcome[0] =
                        publisher.publish(message(TOPIC, qos, text, retain), broker.route(TOPIC, loops.io(1)), token));
        loops.settle();
        return outcome[0];
    }

    private static Message message(TopicName topic, QualityOfService qos, String text, boolean retain) {
        byte[] payload = text.getBytes(StandardCharsets.UTF_8);
        return new Message(topic, qos, retain, payload, MessageProperties.NONE, Message.NEVER, "publisher");
    }

    private SubscriptionQueue subscribe(int maxMessages, FullBehavior behavior, QualityOfService qos) {
        SubscriptionQueue[] queue = new SubscriptionQueue[1];
        loops.on(
                0,
                () -> queue[0] = subscription("a/b", maxMessages, behavior, qos).queue());
        return queue[0];
    }

    private Subscription subscription(String filter, int maxMessages, FullBehavior behavior, QualityOfService qos) {
        ClientSession[] session = new ClientSession[1];
        broker.sessions().claim("client " + ++clients, true, loops.io(0), (made, present) -> {
            session[0] = made;
            return cause -> {};
        });
        SubscriptionRequest request = new SubscriptionRequest(
                filter,
                TopicFilter.of(filter),
                null,
                new DeliveryOptions(qos, false, false, DeliveryOptions.NO_IDENTIFIERS),
                false,
                new QueueLimits(maxMessages, 0, behavior));
        return broker.subscriptions().subscribe(session[0], request).subscription();
    }

    private FakeConsumer consume(SubscriptionQueue queue, FakeConsumer consumer) {
        loops.on(0, () -> queue.attach(consumer));
        return consumer;
    }
}
