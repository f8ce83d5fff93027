package dev.avocet.core.queue;

import static dev.avocet.core.config.object.policy.FullBehavior.DISCARD_OLD_MESSAGES;
import static dev.avocet.core.config.object.policy.FullBehavior.REJECT_NEW_MESSAGES;
import static dev.avocet.core.queue.Messages.expiring;
import static dev.avocet.core.queue.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.Standing;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.queue.room.Reservation;
import dev.avocet.testkit.ManualLoops;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A subscription's queue and what it may not deliver yet. */
class DelayedSubscriptionTest {
    private static final Duration DELAY = Duration.ofSeconds(10);
    private static final QueueLimits MANY = new QueueLimits(1_000, 0, REJECT_NEW_MESSAGES);

    private final ManualLoops loops = new ManualLoops(2);
    private final FakeQueueStore store = FakeQueueStore.onDiskOnly();

    @Test
    void shouldDeliverInMemoryWhatIsDelayedWhenItsTimeHasCome() {
        // given
        SubscriptionQueue queue = queue(MANY);
        FakeConsumer consumer = FakeConsumer.settling(10);
        loops.on(0, () -> queue.attach(consumer));

        // when
        put(queue, "later", delayed(DELAY));
        put(queue, "now", null);
        loops.settle();

        // then
        assertThat(consumer.texts()).containsExactly("now");
        assertThat(queue.depth()).isEqualTo(1);
        assertThat(total(Counter.BUFFERED_MESSAGES)).isEqualTo(1);
        assertThat(total(Counter.BUFFERED_BYTES)).isEqualTo(message("later").sizeBytes());
        advance(DELAY.minusMillis(100));
        assertThat(consumer.texts()).containsExactly("now");
        advance(Duration.ofMillis(200));
        assertThat(consumer.texts()).containsExactly("now", "later");
        assertThat(queue.depth()).isZero();
        assertThat(total(Counter.BUFFERED_BYTES)).isZero();
    }

    @Test
    void shouldDeliverInTheOrderOfTheDeliveryTimesAndThenOfTheSends() {
        // given
        SubscriptionQueue queue = durable(MANY);
        FakeConsumer consumer = FakeConsumer.acknowledging(10);
        loops.on(0, () -> queue.attach(consumer));

        // when
        putStored(queue, "third", delayed(DELAY.plusSeconds(1)));
        putStored(queue, "first", delayed(DELAY));
        putStored(queue, "second", delayed(DELAY));
        advance(DELAY.plusSeconds(2));
        readAll();

        // then
        assertThat(consumer.texts()).containsExactly("first", "second", "third");
    }

    @Test
    void shouldHoldNoStoredMessageInMemoryBeforeItsTime() {
        // given
        FakeQueueStore generous = new FakeQueueStore(sizeBytes -> true);
        SubscriptionQueue queue = queue(MANY);
        queue.makeDurable(FakeQueueStore.QUEUE_ID, generous);

        // when
        putStored(queue, generous, message("later"), delayed(DELAY));

        // then
        assertThat(generous.keptBytes).isZero();
        assertThat(queue.depth()).isEqualTo(1);
        assertThat(queue.statistics().storedBytes()).isEqualTo(FakeQueueStore.storedBytes(message("later")));
        FakeConsumer consumer = FakeConsumer.acknowledging(1);
        loops.on(0, () -> queue.attach(consumer));
        advance(DELAY.plusMillis(100));
        assertThat(generous.answerOne()).isTrue();
        loops.settle();
        assertThat(consumer.texts()).containsExactly("later");
        loops.on(0, consumer::settleAll);
        assertThat(generous.live).isEmpty();
        assertThat(queue.depth()).isZero();
    }

    @Test
    void shouldHaveWhatIsDelayedInItsSnapshotAndTakeItBackDelayed() {
        // given
        SubscriptionQueue queue = durable(MANY);
        putStored(queue, "later", delayed(DELAY));
        List<DeliveryOptions> seen = new ArrayList<>();
        loops.on(0, () -> queue.snapshot().forEach((number, position, bytes, deadline, options) -> seen.add(options)));
        assertThat(seen).containsExactly(delayed(DELAY));

        // when
        SubscriptionQueue restored = durable(MANY);
        long position = store.live.get(1L);
        int storedBytes = FakeQueueStore.storedBytes(message("later"));
        FakeConsumer consumer = FakeConsumer.acknowledging(1);
        loops.on(0, () -> {
            restored.restore(1, position, storedBytes, Message.NEVER, seen.get(0));
            restored.attach(consumer);
        });
        readAll();

        // then
        assertThat(consumer.texts()).isEmpty();
        assertThat(restored.depth()).isEqualTo(1);
        advance(DELAY.plusMillis(100));
        readAll();
        assertThat(consumer.texts()).containsExactly("later");
    }

    @Test
    void shouldDeliverAtOnceWhatWasDueWhileTheBrokerWasAway() {
        // given
        SubscriptionQueue queue = durable(MANY);
        putStored(queue, "later", delayed(DELAY));
        long position = store.live.get(1L);
        DeliveryOptions options = delayed(DELAY);
        loops.clock().advance(DELAY.plusMillis(1));

        // when
        SubscriptionQueue restored = durable(MANY);
        FakeConsumer consumer = FakeConsumer.acknowledging(1);
        loops.on(0, () -> {
            restored.restore(1, position, FakeQueueStore.storedBytes(message("later")), Message.NEVER, options);
            restored.attach(consumer);
        });
        readAll();

        // then
        assertThat(consumer.texts()).containsExactly("later");
    }

    @Test
    void shouldExpireWhileDelayed() {
        // given
        SubscriptionQueue queue = durable(MANY);
        long deadlineNs = loops.clock().nanoTime() + Duration.ofSeconds(2).toNanos();
        putStored(queue, store, expiring("stored", deadlineNs), delayed(DELAY));
        put(queue, expiring("not stored", deadlineNs), delayed(DELAY));
        assertThat(queue.depth()).isEqualTo(2);

        // when
        advance(Duration.ofSeconds(4));

        // then
        assertThat(queue.depth()).isZero();
        assertThat(store.live).isEmpty();
        assertThat(total(Counter.MESSAGES_EXPIRED)).isEqualTo(2);
        assertThat(total(Counter.BUFFERED_BYTES)).isZero();
        advance(DELAY);
        readAll();
        assertThat(queue.depth()).isZero();
    }

    @Test
    void shouldCountWhatIsDelayedAgainstItsLimits() {
        SubscriptionQueue queue = queue(new QueueLimits(2, 0, REJECT_NEW_MESSAGES));
        put(queue, "1", delayed(DELAY));
        put(queue, "2", delayed(DELAY));

        assertThat(queue.reserve()).isEqualTo(Reservation.FULL);
    }

    @Test
    void shouldDiscardWhatIsDelayedWhenNothingElseIsLeft() {
        // given
        SubscriptionQueue queue = durable(new QueueLimits(20, 0, DISCARD_OLD_MESSAGES));
        for (int i = 0; i < 20; i++) {
            putStored(queue, "delayed " + i, delayed(DELAY.plusSeconds(i)));
        }

        // when
        putStored(queue, "now", null);

        // then
        assertThat(queue.depth()).isEqualTo(19);
        assertThat(store.live).hasSize(19);
        FakeConsumer consumer = FakeConsumer.acknowledging(100);
        loops.on(0, () -> queue.attach(consumer));
        readAll();
        assertThat(consumer.texts()).containsExactly("now");
    }

    @Test
    void shouldLetGoOfWhatIsDelayedWhenItEnds() {
        // given
        SubscriptionQueue queue = durable(MANY);
        putStored(queue, "stored", delayed(DELAY));
        put(queue, "not stored", delayed(DELAY));

        // when
        loops.on(0, queue::close);
        loops.settle();

        // then
        assertThat(store.live).isEmpty();
        assertThat(queue.depth()).isZero();
        assertThat(total(Counter.BUFFERED_MESSAGES)).isZero();
        assertThat(total(Counter.BUFFERED_BYTES)).isZero();
        advance(DELAY.plusSeconds(1));
    }

    @Test
    void shouldDeliverOnTheLoopToWhichItHasMoved() {
        // given
        SubscriptionQueue queue = queue(MANY);
        put(queue, "later", delayed(DELAY));
        loops.on(0, () -> queue.moveTo(loops.io(1)));
        loops.settle();
        FakeConsumer consumer = FakeConsumer.settling(1);
        loops.on(1, () -> queue.attach(consumer));

        // when
        advance(DELAY.plusMillis(100));

        // then
        assertThat(consumer.texts()).containsExactly("later");
    }

    @Test
    void shouldFollowAMessageThatTheStoreMovesMeanwhile() {
        // given
        SubscriptionQueue queue = durable(MANY);
        putStored(queue, "later", delayed(DELAY));

        // when
        long position = store.move(1);
        loops.on(
                0,
                () -> assertThat(queue.moved(1, position, FakeQueueStore.storedBytes(message("later"))))
                        .isTrue());
        FakeConsumer consumer = FakeConsumer.acknowledging(1);
        loops.on(0, () -> queue.attach(consumer));
        advance(DELAY.plusMillis(100));
        readAll();

        // then
        assertThat(consumer.texts()).containsExactly("later");
    }

    @Test
    void shouldNotHoldUpAConsumerToWhichAMessageThatMayBeLostIsOffered() {
        // given
        SubscriptionQueue queue = queue(MANY);
        FakeConsumer consumer = FakeConsumer.settling(10);
        loops.on(0, () -> queue.attach(consumer));

        // when
        loops.on(
                0,
                () -> assertThat(queue.offer(message("later"), delayed(DELAY), loops.io(0)))
                        .isTrue());

        // then
        assertThat(consumer.texts()).isEmpty();
        advance(DELAY.plusMillis(100));
        assertThat(consumer.texts()).containsExactly("later");
        assertThat(queue.depth()).isZero();
    }

    @Test
    void shouldKeepTheConsumersOwnOptionsApartFromTheStanding() {
        DeliveryOptions own = new DeliveryOptions(QualityOfService.AT_LEAST_ONCE, true, false, new int[] {7});

        assertThat(DeliveryOptions.orOwn(delayed(DELAY), own)).isSameAs(own);
        DeliveryOptions other = DeliveryOptions.of(own, Standing.NEW);
        assertThat(DeliveryOptions.orOwn(other, delayed(DELAY))).isSameAs(other);
    }

    private DeliveryOptions delayed(Duration delay) {
        long wallMs = loops.clock().wallTimeMs() + delay.toMillis();
        return DeliveryOptions.of(null, new Standing(4, 0, wallMs, null));
    }

    private void advance(Duration duration) {
        loops.advance(duration);
        loops.settle();
    }

    private SubscriptionQueue queue(QueueLimits limits) {
        return new SubscriptionQueue("subscription", loops.io(0), limits, 0);
    }

    private SubscriptionQueue durable(QueueLimits limits) {
        SubscriptionQueue made = queue(limits);
        made.makeDurable(FakeQueueStore.QUEUE_ID, store);
        return made;
    }

    private void put(SubscriptionQueue queue, String text, @Nullable DeliveryOptions options) {
        put(queue, message(text), options);
    }

    private void put(SubscriptionQueue queue, Message message, @Nullable DeliveryOptions options) {
        assertThat(queue.reserve()).isEqualTo(Reservation.GRANTED);
        loops.on(0, () -> queue.put(message, options, loops.io(0)));
    }

    private void putStored(SubscriptionQueue queue, String text, @Nullable DeliveryOptions options) {
        putStored(queue, store, message(text), options);
    }

    private void putStored(
            SubscriptionQueue queue, FakeQueueStore its, Message message, @Nullable DeliveryOptions options) {
        assertThat(queue.reserve()).isEqualTo(Reservation.GRANTED);
        long reference = queue.nextReference();
        long position = its.write(message, reference);
        int storedBytes = FakeQueueStore.storedBytes(message);
        loops.on(0, () -> queue.putStored(message, options, reference, position, storedBytes, loops.io(0)));
    }

    private void readAll() {
        do {
            loops.settle();
        } while (store.answerOne());
    }

    private long total(Counter counter) {
        return loops.all().stream()
                .mapToLong(loop -> loop.counters().get(counter))
                .sum();
    }
}
