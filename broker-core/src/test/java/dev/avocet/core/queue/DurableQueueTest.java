package dev.avocet.core.queue;

import static dev.avocet.core.config.object.policy.FullBehavior.DISCARD_OLD_MESSAGES;
import static dev.avocet.core.config.object.policy.FullBehavior.REJECT_NEW_MESSAGES;
import static dev.avocet.core.queue.Messages.expiring;
import static dev.avocet.core.queue.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.entry;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.queue.reference.QueueSnapshot;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.queue.room.QueueStatistics;
import dev.avocet.core.queue.room.Reservation;
import dev.avocet.core.queue.transit.DeliverySource;
import dev.avocet.core.queue.transit.Unsettled;
import dev.avocet.testkit.ManualLoops;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a durable queue does besides what every queue does. */
class DurableQueueTest {
    private static final int READ_AHEAD = 256;
    private static final int MANY = 2000;

    private final ManualLoops loops = new ManualLoops(3);
    private final FakeQueueStore store = FakeQueueStore.onDiskOnly();
    private final SubscriptionQueue queue = durable(store, new QueueLimits(100_000, 0, REJECT_NEW_MESSAGES));

    @Test
    void shouldAcknowledgeToTheStoreWhatItsConsumersSettle() {
        // given
        FakeConsumer consumer = FakeConsumer.acknowledging(10);
        attach(consumer);
        put(0, 0, 3);
        assertThat(store.live).hasSize(3);

        // when
        loops.on(0, consumer::settleOne);

        // then
        assertThat(store.live).containsOnlyKeys(2L, 3L);
        assertThat(queue.depth()).isEqualTo(2);
        assertThat(store.fetched).as("none had to wait").isZero();
    }

    @Test
    void shouldAcknowledgeAtOnceWhatNeedsNoSettling() {
        attach(FakeConsumer.settling(2));

        put(0, 0, 2);
        put(1, 2, 1);
        loops.settle();

        assertThat(store.acknowledged).isEqualTo(2);
        assertThat(queue.depth()).isEqualTo(1);
    }

    @Test
    void shouldHoldNoMessageInMemoryForWhichTheStoreGrantsNone() {
        put(0, 0, MANY);

        assertThat(total(Counter.BUFFERED_BYTES)).isZero();
        assertThat(total(Counter.BUFFERED_MESSAGES)).isEqualTo(MANY);
        assertThat(store.reads).as("nobody consumes").isEmpty();
    }

    @Test
    void shouldKeepInMemoryWhatTheStoreGrantsAndGiveItBack() {
        // given
        FakeQueueStore generous = new FakeQueueStore(sizeBytes -> true);
        SubscriptionQueue kept = durable(generous, new QueueLimits(100, 0, REJECT_NEW_MESSAGES));
        put(kept, generous, 0, 0, 10);
        long sizeBytes = 10L * message("0").sizeBytes();
        assertThat(generous.keptBytes).isEqualTo(sizeBytes);
        assertThat(total(Counter.BUFFERED_BYTES)).isEqualTo(sizeBytes);

        // when
        FakeConsumer consumer = FakeConsumer.acknowledging(10);
        loops.on(0, () -> kept.attach(consumer));

        // then
        assertThat(consumer.texts()).isEqualTo(texts(0, 10));
        assertThat(generous.keptBytes).as("what is in flight is the consumer's").isZero();
        assertThat(generous.fetched).isZero();
        assertThat(total(Counter.BUFFERED_BYTES)).isZero();
    }

    @Test
    void shouldReadABacklogBackInOrderAndInSmallParts() {
        put(0, 0, MANY);
        FakeConsumer consumer = FakeConsumer.settling(MANY);

        attach(consumer);
        readAll();

        assertThat(consumer.texts()).isEqualTo(texts(0, MANY));
        assertThat(store.largestFetch).isEqualTo(READ_AHEAD);
        assertThat(store.fetched).as("each was read once").isEqualTo(MANY);
        assertThat(queue.depth()).isZero();
        assertThat(store.live).isEmpty();
    }

    @Test
    void shouldGoOnWithoutWhatTheDiskHasDamaged() {
        // given: the first, a few in the middle, a whole answer, and the last
        put(0, 0, MANY);
        List<Long> damaged = new ArrayList<>(List.of(1L, 5L, 6L, 700L, (long) MANY));
        LongStream.rangeClosed(1000, 1000 + 2 * READ_AHEAD).forEach(damaged::add);
        damaged.forEach(store::damage);
        FakeConsumer consumer = FakeConsumer.settling(MANY);

        // when
        attach(consumer);
        readAll();

        // then
        List<String> rest = new ArrayList<>(texts(0, MANY));
        damaged.forEach(reference -> rest.remove("" + (reference - 1)));
        assertThat(consumer.texts()).isEqualTo(rest);
        assertThat(store.lost).isEqualTo(damaged.size());
        assertThat(store.live).isEmpty();
        assertThat(queue.depth()).isZero();
        put(0, MANY, 1);
        assertThat(consumer.texts()).endsWith("" + MANY);
    }

    @Test
    void shouldLoseADamagedMessageOnceAlthoughItsConsumerHasGone() {
        // given
        put(0, 0, 10);
        store.damage(3);
        FakeConsumer consumer = FakeConsumer.settling(1);
        attach(consumer);

        // when
        loops.on(0, () -> queue.detach(consumer));
        readAll();
        FakeConsumer next = FakeConsumer.settling(10);
        attach(next);
        readAll();

        // then
        assertThat(next.texts()).doesNotContain("2").contains("9");
        assertThat(store.lost).isOne();
        assertThat(queue.depth()).isZero();
    }

    @Test
    void shouldReadNoMoreAheadThanItsShareOfMemory() {
        put(0, 0, 100, "x".repeat(10_000));
        attach(FakeConsumer.settling(1));

        readAll();

        assertThat(total(Counter.BUFFERED_BYTES)).isBetween(128L << 10, (256L << 10) + 10_000);
    }

    @Test
    void shouldReadTheLargestMessagesOneByOne() {
        put(0, 0, 3, "x".repeat(1 << 20));
        FakeConsumer consumer = FakeConsumer.settling(100);

        attach(consumer);
        readAll();

        assertThat(consumer.received()).hasSize(3);
        assertThat(store.largestFetch).isEqualTo(1);
    }

    @Test
    void shouldReadTheNextOnesBeforeTheLastOfTheseIsUsedUp() {
        // given
        put(0, 0, MANY);
        FakeConsumer consumer = FakeConsumer.settling(0);
        attach(consumer);
        readAll();
        int fetched = store.fetched;
        assertThat(fetched).as("read though nobody was ready").isPositive();

        // when
        loops.on(0, () -> consumer.makeRoom(READ_AHEAD / 2));

        // then
        assertThat(consumer.received()).hasSize(READ_AHEAD / 2);
        assertThat(store.reads).hasSize(1);
        readAll();
        loops.on(0, () -> consumer.makeRoom(READ_AHEAD));
        assertThat(consumer.texts()).isEqualTo(texts(0, READ_AHEAD + READ_AHEAD / 2));
    }

    @Test
    void shouldKeepItsConsumersReadyWhileTheNextMessageIsOnItsWay() {
        // given
        put(0, 0, 5);
        FakeConsumer consumer = FakeConsumer.settling(10);
        attach(consumer);
        assertThat(consumer.received()).isEmpty();

        // when more comes meanwhile, stored and not
        put(1, 5, 1);
        offer("6");
        loops.settle();
        assertThat(consumer.received()).as("in front of the others").isEmpty();
        readAll();

        // then
        assertThat(consumer.texts()).isEqualTo(texts(0, 7));
    }

    @Test
    void shouldForgetWhatItReadAheadWhenNobodyConsumesAnyLonger() {
        // given some here and some on their way
        put(0, 0, MANY);
        FakeConsumer consumer = FakeConsumer.settling(1);
        attach(consumer);
        readAll();
        loops.on(0, () -> consumer.makeRoom(200));
        assertThat(store.reads).hasSize(1);
        assertThat(total(Counter.BUFFERED_BYTES)).isPositive();

        // when
        loops.on(0, () -> queue.detach(consumer));
        readAll();

        // then
        assertThat(total(Counter.BUFFERED_BYTES)).isZero();
        FakeConsumer other = FakeConsumer.settling(MANY);
        attach(other);
        readAll();
        assertThat(other.texts()).isEqualTo(texts(201, MANY));
    }

    @Test
    void shouldGoOnThroughItsNewHomeWhenItMovesWhileItReads() {
        // given
        put(0, 0, MANY);
        FakeConsumer first = FakeConsumer.settling(MANY);
        attach(first);
        loops.on(0, () -> {
            queue.detach(first);
            queue.moveTo(loops.io(1));
        });

        // when
        FakeConsumer second = FakeConsumer.settling(MANY);
        attach(second);
        readAll();

        // then
        assertThat(first.received()).isEmpty();
        assertThat(second.texts()).isEqualTo(texts(0, MANY));
    }

    @Test
    void shouldNotMistakeWhatItReadForWhatWaitsNowInTheSamePlace() {
        // given messages that expire while they are read
        FakeConsumer consumer = FakeConsumer.settling(0);
        long deadlineNs = loops.clock().nanoTime() + Duration.ofSeconds(1).toNanos();
        put(queue, store, 0, expiring("0", deadlineNs), null);
        put(queue, store, 0, expiring("1", deadlineNs), null);
        attach(consumer);
        assertThat(store.reads).hasSize(1);
        loops.clock().advance(Duration.ofSeconds(2));
        loops.on(0, queue::drain);
        assertThat(queue.depth()).isZero();

        // when
        put(0, 2, 2);
        readAll();
        loops.on(0, () -> consumer.makeRoom(5));
        readAll();

        // then
        assertThat(consumer.texts()).containsExactly("2", "3");
    }

    @Test
    void shouldNotAskAgainForWhatCannotBeRead() {
        put(0, 0, 10);
        store.fail();
        FakeConsumer consumer = FakeConsumer.settling(10);

        attach(consumer);
        readAll();
        put(0, 10, 1);
        readAll();

        assertThat(consumer.received()).isEmpty();
        assertThat(store.fetched).isEqualTo(10);
    }

    @Test
    void shouldKeepAConsumersNextMessagesInMemoryHoweverLittleThereIs() {
        FakeConsumer consumer = FakeConsumer.settling(0);
        attach(consumer);

        put(0, 0, 10);

        loops.on(0, () -> consumer.makeRoom(10));
        assertThat(consumer.received()).hasSize(10);
        assertThat(store.fetched).isZero();
    }

    @Test
    void shouldGoOnWithWhatItHeldBeforeItBecameDurable() {
        SubscriptionQueue made = queue(new QueueLimits(100, 0, REJECT_NEW_MESSAGES));
        assertThat(made.durableId()).isEqualTo(DeliverySource.NOT_STORED);
        DeliveryOptions options = new DeliveryOptions(QualityOfService.AT_LEAST_ONCE, true, false, new int[] {9});
        assertThat(made.reserve()).isEqualTo(Reservation.GRANTED);
        loops.on(0, () -> made.put(message("0"), options, loops.io(0)));
        made.makeDurable(FakeQueueStore.QUEUE_ID, store);
        made.makeDurable(7, FakeQueueStore.onDiskOnly());
        assertThat(made.durableId()).isEqualTo(FakeQueueStore.QUEUE_ID);
        put(made, store, 0, 1, 1);
        FakeConsumer consumer = FakeConsumer.settling(10);

        loops.on(0, () -> made.attach(consumer));
        readAll();

        assertThat(consumer.texts()).containsExactly("0", "1");
        assertThat(consumer.receivedOptions()).containsExactly(options, null);
        assertThat(store.live).isEmpty();
    }

    @Test
    void shouldBeTheSameAfterARestart() {
        // given some in flight, some waiting, one of them with options
        FakeConsumer consumer = FakeConsumer.acknowledging(3);
        attach(consumer);
        put(0, 0, 20);
        loops.on(0, consumer::settleOne);
        QueueSnapshot snapshot = snapshot();

        // when
        SubscriptionQueue restored = durable(store, new QueueLimits(5, 0, REJECT_NEW_MESSAGES));
        loops.on(0, () -> {
            snapshot.forEach(restored::restore);
            restored.restoreNextReference(snapshot.nextReference());
        });

        // then
        assertThat(restored.depth()).as("more than its limit").isEqualTo(19);
        assertThat(restored.reserve()).isEqualTo(Reservation.FULL);
        assertThat(restored.statistics()).isEqualTo(new QueueStatistics(0, 19, 9 * 21 + 10 * 22, 19, 0, 0, 0, 0));
        assertThat(restored.nextReference()).isEqualTo(21);
        FakeConsumer other = FakeConsumer.settling(100);
        loops.on(0, () -> restored.attach(other));
        readAll();
        assertThat(other.texts()).isEqualTo(texts(1, 20));
        assertThat(store.live).isEmpty();
    }

    @Test
    void shouldShowInASnapshotWhatHasNotYetReachedItsHome() {
        put(1, 0, 3);

        QueueSnapshot snapshot = snapshot();

        assertThat(snapshot.size()).isEqualTo(3);
        assertThat(snapshot.queueId()).isEqualTo(FakeQueueStore.QUEUE_ID);
        assertThat(snapshot.nextReference()).isEqualTo(4);
    }

    @Test
    void shouldShowNothingBeforeTheFirstMessageAndNoneThatIsNotStored() {
        assertThat(snapshot().size()).isZero();
        attach(FakeConsumer.settling(0));
        offer("0");
        put(0, 1, 1);

        List<Long> numbers = new ArrayList<>();
        snapshot().forEach((reference, position, storedBytes, deadlineNs, options) -> numbers.add(reference));

        assertThat(numbers).containsExactly(1L);
    }

    @Test
    void shouldGiveNumbersAboveThoseThatItRestored() {
        loops.on(0, () -> queue.restore(1L << 40, 1, 100, Message.NEVER, null));

        assertThat(queue.nextReference()).isEqualTo((1L << 40) + 1);
        loops.on(0, () -> queue.restoreNextReference(5));
        assertThat(queue.nextReference()).isEqualTo((1L << 40) + 2);
    }

    @Test
    void shouldHoldNumbersThatAreFarApart() {
        long[] numbers = {1, 1L << 33, 5, Long.MAX_VALUE - 1, 1L << 32};
        loops.on(0, () -> {
            for (long number : numbers) {
                Message its = message("" + number);
                queue.restore(number, store.write(its, number), FakeQueueStore.storedBytes(its), Message.NEVER, null);
            }
        });

        List<Long> shown = new ArrayList<>();
        snapshot().forEach((reference, position, storedBytes, deadlineNs, options) -> shown.add(reference));

        assertThat(shown)
                .containsExactly(IntStream.range(0, 5).mapToObj(i -> numbers[i]).toArray(Long[]::new));
        loops.on(
                0,
                () -> assertThat(queue.moved(1L << 33, store.move(1L << 33), 20))
                        .isTrue());
        loops.on(
                0,
                () -> assertThat(queue.moved(6, store.copy(message(""), 6), 20)).isFalse());
    }

    @Test
    void shouldExpireInTheStoreToo() {
        // given
        long deadlineNs = loops.clock().nanoTime() + Duration.ofSeconds(5).toNanos();
        for (int i = 0; i < MANY; i++) {
            put(queue, store, 0, i % 2 == 0 ? expiring("" + i, deadlineNs) : message("" + i), null);
        }

        // when
        loops.advance(Duration.ofSeconds(6));
        loops.settle();

        // then
        assertThat(store.live).hasSize(MANY / 2);
        assertThat(queue.depth()).isEqualTo(MANY / 2);
        assertThat(queue.statistics().expired()).isEqualTo(MANY / 2);
        FakeConsumer consumer = FakeConsumer.settling(MANY);
        attach(consumer);
        readAll();
        assertThat(consumer.texts())
                .isEqualTo(IntStream.range(0, MANY / 2)
                        .mapToObj(i -> "" + (2 * i + 1))
                        .toList());
    }

    @Test
    void shouldSweepInTimeWhatExpiresBeforeWhatCameEarlier() {
        long nowNs = loops.clock().nanoTime();
        put(queue, store, 0, expiring("a year", nowNs + Duration.ofDays(365).toNanos()), null);
        put(queue, store, 0, expiring("5 s", nowNs + Duration.ofSeconds(5).toNanos()), null);

        loops.advance(Duration.ofSeconds(7));

        assertThat(queue.depth()).isEqualTo(1);
    }

    @Test
    void shouldDiscardInTheStoreToo() {
        SubscriptionQueue discarding = durable(store, new QueueLimits(100, 0, DISCARD_OLD_MESSAGES));

        put(discarding, store, 0, 0, 101);

        assertThat(discarding.depth()).isEqualTo(95);
        assertThat(store.live).hasSize(95).doesNotContainKey(6L);
    }

    @Test
    void shouldHoldItsStoredBytesToTheLimit() {
        SubscriptionQueue small = durable(store, new QueueLimits(100, 1, 3L * 21, REJECT_NEW_MESSAGES));
        put(small, store, 0, 0, 3);

        assertThat(small.reserve()).isEqualTo(Reservation.FULL);

        loops.on(0, () -> assertThat(small.moved(1, store.move(1), 1)).isTrue());
        assertThat(small.reserve()).as("one has become smaller").isEqualTo(Reservation.GRANTED);
    }

    @Test
    void shouldDiscardWhatTheStoreHoldsTooMuchOf() {
        SubscriptionQueue small = durable(store, new QueueLimits(100, 0, 10L * 21, DISCARD_OLD_MESSAGES));

        put(small, store, 0, 0, 10);
        assertThat(small.depth()).isEqualTo(10);
        put(small, store, 0, 0, 1);

        assertThat(small.depth()).isEqualTo(9);
        assertThat(small.statistics().storedBytes()).isEqualTo(9L * 21);
    }

    @Test
    void shouldKeepNoMoreInMemoryThanItsLimitAndRefuseNothingForThat() {
        // given
        FakeQueueStore generous = new FakeQueueStore(sizeBytes -> true);
        int sizeBytes = message("0").sizeBytes();
        SubscriptionQueue small = durable(generous, new QueueLimits(100, 3L * sizeBytes, REJECT_NEW_MESSAGES));

        // when
        put(small, generous, 0, 0, 10);

        // then
        assertThat(total(Counter.BUFFERED_BYTES)).isEqualTo(3L * sizeBytes);
        assertThat(small.reserve()).isEqualTo(Reservation.GRANTED);
        assertThat(drained(small, generous, 10)).isEqualTo(texts(0, 10));
    }

    @Test
    void shouldRefuseWhatIsNotStoredOnceThatFillsItsMemory() {
        int sizeBytes = message("0").sizeBytes();
        SubscriptionQueue small = durable(store, new QueueLimits(100, 2L * sizeBytes, REJECT_NEW_MESSAGES));

        loops.on(0, () -> {
            small.put(message("0"), null, loops.io(0));
            small.put(message("1"), null, loops.io(0));
        });

        assertThat(small.reserveUnstored()).isEqualTo(Reservation.FULL);
    }

    @Test
    void shouldLetPayloadsGoWhenAskedTo() {
        // given
        FakeQueueStore generous = new FakeQueueStore(sizeBytes -> true);
        SubscriptionQueue kept = durable(generous, new QueueLimits(MANY, 0, REJECT_NEW_MESSAGES));
        put(kept, generous, 0, 0, MANY - 1);
        loops.on(0, () -> {
            kept.reserve();
            kept.put(message(Integer.toString(MANY - 1)), null, loops.io(0));
        });

        // when
        loops.on(0, () -> {
            assertThat(kept.shedPayloads()).isTrue();
            assertThat(generous.keptBytes).as("after the first turn").isPositive();
            shedAll(kept);
        });

        // then
        assertThat(generous.keptBytes).isZero();
        assertThat(total(Counter.BUFFERED_BYTES))
                .as("what is nowhere else")
                .isEqualTo(message("1999").sizeBytes());
        assertThat(drained(kept, generous, MANY)).isEqualTo(texts(0, MANY));
        assertThat(total(Counter.BUFFERED_BYTES)).isZero();
    }

    @Test
    void shouldLeaveWhatAConsumerGetsNext() {
        // given
        FakeQueueStore generous = new FakeQueueStore(sizeBytes -> true);
        SubscriptionQueue kept = durable(generous, new QueueLimits(MANY, 0, REJECT_NEW_MESSAGES));
        FakeConsumer consumer = FakeConsumer.settling(0);
        loops.on(0, () -> kept.attach(consumer));
        put(kept, generous, 0, 0, MANY);

        // when
        loops.on(0, () -> shedAll(kept));
        loops.on(0, () -> consumer.makeRoom(READ_AHEAD));

        // then
        assertThat(generous.keptBytes).isZero();
        assertThat(consumer.texts()).isEqualTo(texts(0, READ_AHEAD));
    }

    private static void shedAll(SubscriptionQueue queue) {
        while (queue.shedPayloads()) {
            // in turns
        }
    }

    @Test
    void shouldTakeWhatIsStoredAsLongAsThereIsMemoryForReferences() {
        loops.memory().sample(12);
        assertThat(queue.reserve()).isEqualTo(Reservation.GRANTED);
        assertThat(queue.reserveUnstored()).isEqualTo(Reservation.FULL);

        loops.memory().sample(9);
        assertThat(queue.reserve()).isEqualTo(Reservation.FULL);

        loops.memory().sample(60);
        loops.memory().referencesFit(false);
        assertThat(queue.reserve()).isEqualTo(Reservation.FULL);
        assertThat(queue.reserveUnstored()).isEqualTo(Reservation.GRANTED);
    }

    @Test
    void shouldAbandonEverythingWhenItCloses() {
        // given in flight, waiting, in the inbox, being read, and still to come
        FakeConsumer consumer = FakeConsumer.acknowledging(1);
        attach(consumer);
        put(0, 0, 1);
        loops.on(0, () -> queue.detach(consumer));
        put(0, 1, 3);
        attach(FakeConsumer.settling(5));
        assertThat(store.reads).hasSize(1);
        put(1, 4, 1);

        // when
        loops.on(0, queue::close);
        put(2, 5, 1);
        readAll();

        // then
        assertThat(store.abandoned).isEqualTo(6);
        assertThat(queue.depth()).as("in flight").isEqualTo(1);
        loops.on(0, consumer::settleAll);
        assertThat(queue.depth()).isZero();
        assertThat(snapshot().size()).isZero();
        assertThat(total(Counter.BUFFERED_MESSAGES)).isZero();
    }

    @Test
    void shouldGiveMemoryBackWhenItCloses() {
        FakeQueueStore generous = new FakeQueueStore(sizeBytes -> true);
        SubscriptionQueue kept = durable(generous, new QueueLimits(100, 0, REJECT_NEW_MESSAGES));
        put(kept, generous, 0, 0, 10);

        loops.on(0, kept::close);

        assertThat(generous.keptBytes).isZero();
        assertThat(generous.abandoned).isEqualTo(10);
        assertThat(total(Counter.BUFFERED_BYTES)).isZero();
    }

    @Test
    void shouldLetAnotherTaskInBetweenWhenItAbandonsABacklog() {
        // given
        int messages = 30_000;
        put(0, 0, messages);
        List<Integer> abandoned = new ArrayList<>();

        // when
        loops.on(0, () -> {
            loops.io(0).execute(() -> abandoned.add(store.abandoned));
            queue.close();
        });
        assertThat(queue.depth()).as("at once").isZero();
        loops.settle();

        // then
        assertThat(abandoned.get(0)).as("before the other task").isLessThan(messages);
        assertThat(store.abandoned).isEqualTo(messages);
    }

    @Test
    void shouldTakeBackNothingThatIsNotInFlight() {
        put(0, 0, 1);

        loops.on(0, () -> queue.giveBack(List.of(new Unsettled(message("0"), 1), new Unsettled(message("?"), 99))));

        assertThat(queue.depth()).isEqualTo(1);
        FakeConsumer consumer = FakeConsumer.settling(5);
        attach(consumer);
        readAll();
        assertThat(consumer.texts()).containsExactly("0");
    }

    @Test
    void shouldPassOverWhatIsSettledTwice() {
        FakeConsumer consumer = FakeConsumer.acknowledging(5);
        attach(consumer);
        put(0, 0, 2);
        loops.on(0, consumer::settleOne);

        loops.on(0, () -> queue.settle(message("0"), 1));

        assertThat(queue.depth()).isEqualTo(1);
        assertThat(store.acknowledged).isEqualTo(1);
    }

    @Test
    void shouldDeliverWhatWasGivenBackWithItsOptions() {
        DeliveryOptions options = new DeliveryOptions(QualityOfService.AT_LEAST_ONCE, true, false, new int[] {9});
        FakeConsumer first = FakeConsumer.acknowledging(5);
        attach(first);
        put(queue, store, 0, message("0"), options);
        put(0, 1, 1);
        FakeConsumer second = FakeConsumer.settling(5);

        loops.on(0, () -> {
            queue.detach(first);
            queue.giveBack(first.giveUp());
        });
        attach(second);
        readAll();

        assertThat(second.texts()).containsExactly("0", "1");
        assertThat(second.receivedOptions()).containsExactly(options, null);
    }

    @Test
    void shouldNoteOnceThatAConsumerHasHadWhatItDoesNotSettle() {
        // given
        FakeConsumer consumer = FakeConsumer.acknowledging(3);
        attach(consumer);
        put(0, 0, 3);
        loops.on(0, consumer::settleOne);

        // when
        queue.noteDelivered(new long[] {1, 2});
        loops.settle();

        // then
        assertThat(store.delivered).containsOnly(entry(2L, 1));
        loops.on(0, () -> queue.detach(consumer));
        loops.on(
                0, () -> queue.giveBack(List.of(new Unsettled(message("1"), 2, 1), new Unsettled(message("2"), 3, 1))));
        assertThat(store.delivered).containsOnly(entry(2L, 1), entry(3L, 1));
        FakeConsumer next = FakeConsumer.acknowledging(3);
        attach(next);
        readAll();
        assertThat(next.receivedOptions())
                .extracting(options -> DeliveryOptions.standingOf(options).deliveryCount())
                .containsExactly(1, 1);
    }

    @Test
    void shouldNotCountADeliveryThatItsConsumerHasGivenBackUnseen() {
        // given
        FakeConsumer consumer = FakeConsumer.acknowledging(1);
        attach(consumer);
        put(0, 0, 1);
        queue.noteDelivered(new long[] {1});
        loops.settle();

        // when
        loops.on(0, () -> {
            queue.detach(consumer);
            queue.giveBack(List.of(new Unsettled(message("0"), 1, 0)));
        });
        FakeConsumer next = FakeConsumer.acknowledging(1);
        attach(next);
        readAll();

        // then
        assertThat(DeliveryOptions.standingOf(next.receivedOptions().get(0)).deliveryCount())
                .isZero();
    }

    @Test
    void shouldSayWhatItNeedsToBeDurable() {
        SubscriptionQueue volatileQueue = queue(QueueLimits.DEFAULT);

        assertThatIllegalStateException().isThrownBy(volatileQueue::nextReference);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> volatileQueue.makeDurable(DeliverySource.NOT_STORED, store));
    }

    private List<String> drained(SubscriptionQueue from, FakeQueueStore itsStore, int count) {
        FakeConsumer consumer = FakeConsumer.settling(count);
        loops.on(from.home().index(), () -> from.attach(consumer));
        while (itsStore.answerOne()) {
            loops.settle();
        }
        return consumer.texts();
    }

    private SubscriptionQueue durable(FakeQueueStore itsStore, QueueLimits limits) {
        SubscriptionQueue made = queue(limits);
        made.makeDurable(FakeQueueStore.QUEUE_ID, itsStore);
        return made;
    }

    private SubscriptionQueue queue(QueueLimits limits) {
        return new SubscriptionQueue("queue", loops.io(0), limits, 0);
    }

    private void attach(FakeConsumer consumer) {
        loops.on(queue.home().index(), () -> queue.attach(consumer));
    }

    private void put(int loop, int first, int count) {
        put(queue, store, loop, first, count);
    }

    private void put(int loop, int first, int count, String padding) {
        for (int i = first; i < first + count; i++) {
            put(queue, store, loop, message(i + padding), null);
        }
    }

    private void put(SubscriptionQueue into, FakeQueueStore its, int loop, int first, int count) {
        for (int i = first; i < first + count; i++) {
            put(into, its, loop, message("" + i), null);
        }
    }

    private void put(
            SubscriptionQueue into, FakeQueueStore its, int loop, Message message, @Nullable DeliveryOptions options) {
        assertThat(into.reserve()).isEqualTo(Reservation.GRANTED);
        long reference = into.nextReference();
        long position = its.write(message, reference);
        int storedBytes = FakeQueueStore.storedBytes(message);
        loops.on(loop, () -> into.putStored(message, options, reference, position, storedBytes, loops.io(loop)));
    }

    private void offer(String text) {
        loops.on(
                0,
                () -> assertThat(queue.offer(message(text), null, loops.io(0))).isTrue());
    }

    private QueueSnapshot snapshot() {
        List<QueueSnapshot> taken = new ArrayList<>();
        loops.on(0, () -> taken.add(queue.snapshot()));
        return taken.get(0);
    }

    /** Lets the store answer until nothing is asked for any more. */
    private void readAll() {
        do {
            loops.settle();
        } while (store.answerOne());
    }

    private static List<String> texts(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "" + i).toList();
    }

    private long total(Counter counter) {
        return loops.all().stream()
                .mapToLong(loop -> loop.counters().get(counter))
                .sum();
    }
}
