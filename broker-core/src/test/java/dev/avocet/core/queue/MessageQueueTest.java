package dev.avocet.core.queue;

import static dev.avocet.core.config.object.policy.FullBehavior.BACKPRESSURE;
import static dev.avocet.core.config.object.policy.FullBehavior.DISCARD_OLD_MESSAGES;
import static dev.avocet.core.config.object.policy.FullBehavior.REJECT_NEW_MESSAGES;
import static dev.avocet.core.queue.Messages.expiring;
import static dev.avocet.core.queue.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.config.object.policy.FullBehavior;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.queue.room.QueueStatistics;
import dev.avocet.core.queue.room.Reservation;
import dev.avocet.core.queue.room.RoomWaiter;
import dev.avocet.testkit.ManualLoops;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MessageQueueTest {
    private static final int NEVER_ACKNOWLEDGING = 2;

    private final ManualLoops loops = new ManualLoops(3);

    @Test
    void shouldHandAMessageStraightToAReadyConsumer() {
        // given
        SubscriptionQueue queue = queue(10, 0, REJECT_NEW_MESSAGES);
        FakeConsumer consumer = FakeConsumer.acknowledging(5);
        attach(queue, consumer);

        // when
        assertThat(put(queue, 0, "one")).isEqualTo(Reservation.GRANTED);

        // then
        assertThat(consumer.texts()).containsExactly("one");
        assertThat(queue.depth()).as("in flight").isEqualTo(1);
        consumer.settleAll();
        assertThat(queue.depth()).isZero();
        assertThat(loops.isIdle()).as("nobody had to be woken").isTrue();
    }

    @Test
    void shouldForgetASettledDeliveryAtOnce() {
        SubscriptionQueue queue = queue(10, 0, REJECT_NEW_MESSAGES);
        FakeConsumer consumer = FakeConsumer.settling(5);
        attach(queue, consumer);

        put(queue, 0, "direct");
        put(queue, 1, "by inbox");
        offer(queue, 0, "offered");
        offer(queue, 2, "offered by inbox");
        loops.settle();

        assertThat(consumer.texts()).containsExactly("direct", "by inbox", "offered", "offered by inbox");
        assertThat(queue.depth()).isZero();
    }

    @Test
    void shouldBufferInOrderUntilSomebodyCanTakeIt() {
        // given
        SubscriptionQueue queue = queue(10, 0, REJECT_NEW_MESSAGES);
        put(queue, 0, "1");
        put(queue, 1, "2");
        loops.settle();
        put(queue, 0, "3");
        FakeConsumer consumer = FakeConsumer.acknowledging(2);

        // when
        attach(queue, consumer);

        // then
        assertThat(consumer.texts()).containsExactly("1", "2");
        put(queue, 0, "4");
        loops.on(0, () -> consumer.makeRoom(10));
        assertThat(consumer.texts()).containsExactly("1", "2", "3", "4");
        consumer.settleAll();
        assertThat(queue.depth()).isZero();
        assertThat(total(Counter.BUFFERED_MESSAGES)).isZero();
        assertThat(total(Counter.BUFFERED_BYTES)).isZero();
    }

    @Test
    void shouldTakeWhatOtherLoopsHavePutBeforeWhatItsOwnPutsNow() {
        SubscriptionQueue queue = queue(10, 0, REJECT_NEW_MESSAGES);
        FakeConsumer consumer = FakeConsumer.settling(10);
        attach(queue, consumer);
        put(queue, 1, "other");

        put(queue, 0, "own");

        assertThat(consumer.texts()).containsExactly("other", "own");
    }

    @Test
    void shouldWakeItsHomeOncePerBatch() {
        SubscriptionQueue queue = queue(100, 0, REJECT_NEW_MESSAGES);
        FakeConsumer consumer = FakeConsumer.settling(100);
        attach(queue, consumer);

        loops.on(1, () -> {
            for (int i = 0; i < 50; i++) {
                assertThat(queue.reserve()).isEqualTo(Reservation.GRANTED);
                queue.put(message("" + i), null, loops.io(1));
            }
        });

        loops.get(1).runAll();
        assertThat(loops.get(0).runOne()).isTrue();
        assertThat(loops.get(0).runOne()).as("a second task").isFalse();
        assertThat(consumer.texts()).hasSize(50);
    }

    @Test
    void shouldRefuseWhenFullAndTakeAgainWhenSettled() {
        // given
        SubscriptionQueue queue = queue(2, 0, REJECT_NEW_MESSAGES);
        FakeConsumer consumer = FakeConsumer.acknowledging(10);
        attach(queue, consumer);
        put(queue, 0, "1");
        put(queue, 1, "2");
        loops.settle();

        // then
        assertThat(queue.reserve()).as("two in flight are full").isEqualTo(Reservation.FULL);
        assertThat(queue.depth()).isEqualTo(2);
        consumer.settleOne();
        assertThat(put(queue, 0, "3")).isEqualTo(Reservation.GRANTED);
    }

    @Test
    void shouldAskToWaitWhenFullWithBackpressure() {
        SubscriptionQueue queue = queue(1, 0, BACKPRESSURE);
        put(queue, 0, "1");

        assertThat(queue.reserve()).isEqualTo(Reservation.WAIT);

        queue.limits(new QueueLimits(1, 0, REJECT_NEW_MESSAGES));
        assertThat(queue.reserve()).isEqualTo(Reservation.FULL);
    }

    @Test
    void shouldDiscardTheOldestDownToTheTarget() {
        SubscriptionQueue queue = queue(100, 0, DISCARD_OLD_MESSAGES);

        for (int i = 0; i < 101; i++) {
            assertThat(put(queue, i % 2, "" + i)).isEqualTo(Reservation.GRANTED);
            loops.settle();
        }

        assertThat(queue.depth()).isEqualTo(95);
        assertThat(queue.statistics().discarded()).isEqualTo(6);
        assertThat(total(Counter.MESSAGES_DISCARDED)).isEqualTo(6);
        FakeConsumer consumer = FakeConsumer.settling(200);
        attach(queue, consumer);
        assertThat(consumer.texts()).hasSize(95).startsWith("6").endsWith("100");
    }

    @Test
    void shouldRefuseAfterAllWhenTooManyAreOnTheirWayToAQueueThatDiscards() {
        SubscriptionQueue queue = queue(1, 0, DISCARD_OLD_MESSAGES);
        int granted = 0;
        while (queue.reserve() == Reservation.GRANTED) {
            granted++;
        }
        assertThat(granted).isEqualTo(103);
    }

    @Test
    void shouldHoldItsBytesToTheLimit() {
        int sizeBytes = message("1").sizeBytes();
        SubscriptionQueue queue = queue(100, 3L * sizeBytes, REJECT_NEW_MESSAGES);
        for (int i = 0; i < 3; i++) {
            assertThat(put(queue, 0, "" + i)).isEqualTo(Reservation.GRANTED);
        }

        assertThat(queue.reserve()).isEqualTo(Reservation.FULL);

        attach(queue, FakeConsumer.acknowledging(1));
        assertThat(queue.reserve()).as("only what waits has bytes").isEqualTo(Reservation.GRANTED);
    }

    @Test
    void shouldDiscardTheOldestWhenItsBytesAreFull() {
        int sizeBytes = message("1").sizeBytes();
        SubscriptionQueue queue = queue(1000, 20L * sizeBytes, DISCARD_OLD_MESSAGES);

        for (int i = 0; i < 100; i++) {
            assertThat(put(queue, 0, "" + i % 10)).isEqualTo(Reservation.GRANTED);
        }

        assertThat(total(Counter.BUFFERED_BYTES)).isLessThanOrEqualTo(20L * sizeBytes);
        assertThat(queue.depth()).isBetween(18, 20);
    }

    @Test
    void shouldWakeAWaiterWhenBytesBecomeFreeBeforeAnythingIsSettled() {
        int sizeBytes = message("1").sizeBytes();
        SubscriptionQueue queue = queue(100, sizeBytes, BACKPRESSURE);
        put(queue, 0, "1");
        AtomicInteger woken = new AtomicInteger();
        queue.awaitRoom(new RoomWaiter(woken::incrementAndGet));
        assertThat(woken).hasValue(0);

        attach(queue, FakeConsumer.acknowledging(1));

        assertThat(woken).hasValue(1);
    }

    @Test
    void shouldRefuseWhenMemoryIsShortWhateverItsBehaviour() {
        loops.memory().sample(12);
        for (FullBehavior behavior : FullBehavior.values()) {
            SubscriptionQueue queue = queue(100, 0, behavior);
            assertThat(queue.reserve()).as(behavior.name()).isEqualTo(Reservation.FULL);
            assertThat(queue.depth()).isZero();
        }
    }

    @Test
    void shouldLeaveOutWhatNobodyIsThereForWhenItMayBeLost() {
        SubscriptionQueue queue = queue(10, 0, REJECT_NEW_MESSAGES);

        assertThat(offer(queue, 0, "from home")).isFalse();
        assertThat(offer(queue, 1, "from elsewhere")).isFalse();
        loops.settle();

        assertThat(queue.depth()).isZero();
        assertThat(queue.statistics().rejected()).as("nobody was full").isZero();
    }

    @Test
    void shouldKeepAnOfferForABusyConsumerWhileThereIsRoom() {
        SubscriptionQueue queue = queue(2, 0, REJECT_NEW_MESSAGES);
        FakeConsumer consumer = FakeConsumer.settling(0);
        attach(queue, consumer);

        assertThat(offer(queue, 0, "1")).isTrue();
        assertThat(offer(queue, 1, "2")).isTrue();
        assertThat(offer(queue, 0, "3")).isFalse();
        assertThat(offer(queue, 1, "4")).isFalse();
        loops.settle();

        assertThat(queue.statistics().rejected()).isEqualTo(2);
        assertThat(total(Counter.MESSAGES_REJECTED)).isEqualTo(2);
        loops.on(0, () -> consumer.makeRoom(10));
        assertThat(consumer.texts()).containsExactly("1", "2");
        assertThat(queue.depth()).isZero();
    }

    @Test
    void shouldKeepThePublishersOrderWhileItMovesWithMessagesOnTheirWay() {
        // given messages in the ring, in the inbox and behind a wake-up that goes to the old home
        SubscriptionQueue queue = queue(100, 0, REJECT_NEW_MESSAGES);
        put(queue, 0, "ring");
        put(queue, 1, "inbox 1");
        put(queue, 2, "inbox 2");

        // when
        loops.on(0, () -> queue.moveTo(loops.io(1)));
        put(queue, 1, "home 1");
        put(queue, 0, "from the old home");
        FakeConsumer consumer = FakeConsumer.settling(100);
        loops.on(1, () -> queue.attach(consumer));
        loops.settle();

        // then
        assertThat(consumer.texts()).containsExactly("ring", "inbox 1", "inbox 2", "home 1", "from the old home");
        assertThat(queue.depth()).isZero();
        assertThat(total(Counter.BUFFERED_MESSAGES)).isZero();
    }

    @Test
    void shouldWakeTheNewHomeForWhatCameBeforeTheMove() {
        SubscriptionQueue queue = queue(100, 0, REJECT_NEW_MESSAGES);
        put(queue, 2, "late");
        loops.on(0, () -> queue.moveTo(loops.io(1)));
        FakeConsumer consumer = FakeConsumer.settling(100);
        loops.get(1).runAll();
        loops.on(1, () -> queue.attach(consumer));

        loops.settle();

        assertThat(consumer.texts()).containsExactly("late");
    }

    @Test
    void shouldServeSeveralConsumersInTurn() {
        SubscriptionQueue queue = queue(100, 0, REJECT_NEW_MESSAGES);
        List<FakeConsumer> consumers =
                List.of(FakeConsumer.settling(100), FakeConsumer.settling(100), FakeConsumer.settling(100));
        consumers.forEach(consumer -> attach(queue, consumer));

        for (int i = 0; i < 30; i++) {
            put(queue, i % 3, "" + i);
        }
        loops.settle();

        assertThat(consumers)
                .allSatisfy(consumer -> assertThat(consumer.texts()).hasSize(10));
    }

    @Test
    void shouldPassOverABusyConsumerUntilItResumes() {
        SubscriptionQueue queue = queue(100, 0, REJECT_NEW_MESSAGES);
        FakeConsumer slow = FakeConsumer.settling(1);
        FakeConsumer fast = FakeConsumer.settling(100);
        attach(queue, slow);
        attach(queue, fast);

        for (int i = 0; i < 10; i++) {
            put(queue, 0, "" + i);
        }
        assertThat(slow.texts()).hasSize(1);
        assertThat(fast.texts()).hasSize(9);
        loops.on(0, () -> slow.makeRoom(100));
        for (int i = 10; i < 20; i++) {
            put(queue, 0, "" + i);
        }

        assertThat(slow.texts()).hasSize(6);
        assertThat(fast.texts()).hasSize(14);
    }

    @Test
    void shouldServeTheOthersWhenOneIsDetached() {
        SubscriptionQueue queue = queue(100, 0, REJECT_NEW_MESSAGES);
        FakeConsumer busy = FakeConsumer.settling(0);
        FakeConsumer ready = FakeConsumer.settling(100);
        attach(queue, busy);
        attach(queue, ready);
        put(queue, 0, "1");
        put(queue, 0, "2");

        loops.on(0, () -> queue.detach(busy));
        put(queue, 0, "3");
        loops.on(0, () -> queue.detach(ready));
        put(queue, 0, "4");

        assertThat(ready.texts()).containsExactly("1", "2", "3");
        assertThat(queue.depth()).isEqualTo(1);
        assertThat(queue.statistics().consumers()).isZero();
    }

    @Test
    void shouldPutWhatIsGivenBackToTheFrontInItsOrder() {
        SubscriptionQueue queue = queue(100, 0, REJECT_NEW_MESSAGES);
        FakeConsumer first = FakeConsumer.acknowledging(3);
        attach(queue, first);
        for (int i = 0; i < 5; i++) {
            put(queue, 0, "" + i);
        }
        first.settleOne();

        loops.on(0, () -> {
            queue.detach(first);
            queue.giveBack(first.giveUp());
        });
        assertThat(queue.depth()).isEqualTo(4);
        FakeConsumer second = FakeConsumer.settling(100);
        attach(queue, second);

        assertThat(second.texts()).containsExactly("1", "2", "3", "4");
        assertThat(queue.depth()).isZero();
    }

    @Test
    void shouldSweepExpiredMessagesThoughNobodyConsumes() {
        // given
        SubscriptionQueue queue = queue(100, 0, REJECT_NEW_MESSAGES);
        put(queue, 0, "stays");
        putExpiring(queue, 0, "2 s", 2);
        putExpiring(queue, 1, "5 s", 5);
        loops.settle();

        // when, then
        loops.advance(Duration.ofMillis(2100));
        assertThat(queue.depth()).isEqualTo(2);
        loops.advance(Duration.ofSeconds(3));
        assertThat(queue.depth()).isEqualTo(1);
        assertThat(queue.statistics().expired()).isEqualTo(2);
        assertThat(total(Counter.MESSAGES_EXPIRED)).isEqualTo(2);
        assertThat(loops.io(0).timers().size())
                .as("timers when nothing can expire")
                .isZero();
        FakeConsumer consumer = FakeConsumer.settling(10);
        attach(queue, consumer);
        assertThat(consumer.texts()).containsExactly("stays");
    }

    @Test
    void shouldSweepAlsoAfterItHasMoved() {
        SubscriptionQueue queue = queue(100, 0, REJECT_NEW_MESSAGES);
        putExpiring(queue, 0, "2 s", 2);
        loops.on(0, () -> queue.moveTo(loops.io(2)));

        loops.advance(Duration.ofSeconds(3));
        loops.settle();

        assertThat(queue.depth()).isZero();
    }

    @Test
    void shouldLeaveNoTimerBehindWhenItMovesOrCloses() {
        // given
        int timersBefore = loops.io(0).timers().size();
        int timersElsewhereBefore = loops.io(2).timers().size();
        SubscriptionQueue queue = queue(100, 0, REJECT_NEW_MESSAGES);
        putExpiring(queue, 0, "a year", 365L * 24 * 3600);

        // when
        loops.on(0, () -> queue.moveTo(loops.io(2)));
        loops.settle();
        assertThat(loops.io(0).timers().size()).isEqualTo(timersBefore);
        assertThat(loops.io(2).timers().size()).isEqualTo(timersElsewhereBefore + 1);
        loops.on(2, queue::close);

        // then
        assertThat(loops.io(2).timers().size()).isEqualTo(timersElsewhereBefore);
    }

    @Test
    void shouldSweepWhatWasGivenBack() {
        SubscriptionQueue queue = queue(100, 0, REJECT_NEW_MESSAGES);
        FakeConsumer consumer = FakeConsumer.acknowledging(10);
        attach(queue, consumer);
        putExpiring(queue, 0, "2 s", 2);
        loops.on(0, () -> {
            queue.detach(consumer);
            queue.giveBack(consumer.giveUp());
        });

        loops.advance(Duration.ofSeconds(3));

        assertThat(queue.depth()).isZero();
    }

    @Test
    void shouldNotDeliverWhatHasExpired() {
        SubscriptionQueue queue = queue(100, 0, REJECT_NEW_MESSAGES);
        putExpiring(queue, 0, "expired", 2);
        put(queue, 0, "good");
        loops.clock().advance(Duration.ofSeconds(2));
        FakeConsumer consumer = FakeConsumer.settling(10);

        attach(queue, consumer);

        assertThat(consumer.texts()).containsExactly("good");
        assertThat(queue.depth()).isZero();
    }

    @Test
    void shouldDropAllWhenClosedAndCountNothingAnyLonger() {
        // given messages waiting, in flight, in the inbox, and reserved
        SubscriptionQueue queue = queue(100, 0, REJECT_NEW_MESSAGES);
        FakeConsumer consumer = FakeConsumer.acknowledging(1);
        attach(queue, consumer);
        put(queue, 0, "in flight");
        put(queue, 0, "waits");
        put(queue, 1, "in the inbox");
        assertThat(queue.reserve()).isEqualTo(Reservation.GRANTED);

        // when
        loops.on(0, queue::close);
        loops.on(2, () -> queue.put(message("after"), null, loops.io(2)));
        assertThat(put(queue, 0, "goes nowhere")).isEqualTo(Reservation.GRANTED);
        loops.settle();
        consumer.settleAll();

        // then
        assertThat(queue.depth()).isZero();
        assertThat(consumer.texts()).containsExactly("in flight");
        assertThat(total(Counter.BUFFERED_MESSAGES)).isZero();
        assertThat(offer(queue, 0, "offered")).isFalse();
    }

    @Test
    void shouldReleaseWhatIsGivenBackToAClosedQueue() {
        SubscriptionQueue queue = queue(100, 0, REJECT_NEW_MESSAGES);
        FakeConsumer consumer = FakeConsumer.acknowledging(5);
        attach(queue, consumer);
        put(queue, 0, "1");
        loops.on(0, queue::close);

        loops.on(0, () -> queue.giveBack(consumer.giveUp()));

        assertThat(queue.depth()).isZero();
    }

    @Test
    void shouldWakeAsManyWaitersAsThereIsRoomForInTheirOrder() {
        // given
        SubscriptionQueue queue = queue(1, 0, BACKPRESSURE);
        FakeConsumer consumer = FakeConsumer.acknowledging(5);
        attach(queue, consumer);
        put(queue, 0, "1");
        List<String> woken = new ArrayList<>();
        RoomWaiter first = new RoomWaiter(() -> woken.add("first"));
        RoomWaiter second = new RoomWaiter(() -> woken.add("second"));
        queue.awaitRoom(first);
        queue.awaitRoom(second);
        assertThat(woken).isEmpty();

        // when: there is room for one
        consumer.settleAll();

        // then
        assertThat(woken).containsExactly("first");
        queue.awaitRoom(first); // others were faster
        assertThat(woken).as("keeps its place").containsExactly("first", "first");
        queue.stopAwaitingRoom(first);
        assertThat(woken).containsExactly("first", "first", "second");
        queue.stopAwaitingRoom(second);
        queue.awaitRoom(new RoomWaiter(() -> woken.add("third")));
        assertThat(woken).as("at once when there is room").endsWith("third");
    }

    @Test
    void shouldNotWakeAThousandWaitersForEachPlace() {
        // given
        int most = 1_000;
        SubscriptionQueue queue = queue(most, 0, BACKPRESSURE);
        FakeConsumer consumer = FakeConsumer.acknowledging(most);
        attach(queue, consumer);
        for (int i = 0; i < most; i++) {
            put(queue, 0, "1");
        }
        List<Integer> woken = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            int waiter = i;
            queue.awaitRoom(new RoomWaiter(() -> woken.add(waiter)));
        }

        // when
        for (int i = 0; i < most / 20 - 1; i++) {
            loops.on(0, () -> queue.release());
        }
        assertThat(woken).as("below the low-water mark").isEmpty();
        loops.on(0, () -> queue.release());

        // then
        assertThat(woken).hasSize(most / 20).isSorted().startsWith(0, 1, 2);
    }

    @Test
    void shouldWakeWaitersWhenTheLimitsChangeAndWhenItCloses() {
        SubscriptionQueue queue = queue(1, 0, BACKPRESSURE);
        put(queue, 0, "1");
        AtomicInteger woken = new AtomicInteger();
        queue.awaitRoom(new RoomWaiter(woken::incrementAndGet));
        queue.limits(new QueueLimits(2, 0, BACKPRESSURE));
        assertThat(woken).hasValue(1);
        put(queue, 0, "2");
        queue.awaitRoom(new RoomWaiter(woken::incrementAndGet));

        loops.on(0, queue::close);

        assertThat(woken).hasValue(2);
    }

    @Test
    void shouldDisconnectAConsumerThatNeverAcknowledges() {
        SubscriptionQueue queue = queue(2, 0, REJECT_NEW_MESSAGES);
        FakeConsumer consumer = FakeConsumer.acknowledging(1);
        attach(queue, consumer);
        put(queue, 0, "1");
        put(queue, 0, "2");

        for (int i = 0; i < 4; i++) {
            assertThat(put(queue, 1, "lost")).isEqualTo(Reservation.FULL);
            queue.countRejected(loops.io(1));
        }
        loops.settle();
        assertThat(consumer.neverAcknowledging())
                .as("exactly the multiple is tolerated")
                .isZero();
        queue.countRejected(loops.io(1));
        loops.settle();

        assertThat(consumer.neverAcknowledging()).isEqualTo(1);
    }

    @Test
    void shouldTolerateAConsumerThatAcknowledgesNowAndThen() {
        SubscriptionQueue queue = queue(2, 0, REJECT_NEW_MESSAGES);
        FakeConsumer consumer = FakeConsumer.acknowledging(100);
        attach(queue, consumer);
        for (int i = 0; i < 100; i++) {
            if (put(queue, 0, "" + i) != Reservation.GRANTED) {
                queue.countRejected(loops.io(0));
            }
            if (i % 4 == 0) {
                consumer.settleOne();
            }
        }
        loops.settle();

        assertThat(consumer.neverAcknowledging()).isZero();
    }

    @Test
    void shouldDisconnectAConsumerThatNeverAcknowledgesAlsoWhenTheQueueDiscards() {
        SubscriptionQueue queue = queue(40, 0, DISCARD_OLD_MESSAGES);
        FakeConsumer consumer = FakeConsumer.acknowledging(1);
        attach(queue, consumer);

        for (int i = 0; i < 40 + 4 * 40; i++) {
            put(queue, 0, "" + i);
        }
        loops.settle();

        assertThat(consumer.neverAcknowledging()).isEqualTo(1);
    }

    @Test
    void shouldNotHoldAgainstANewConsumerWhatWasLostBefore() {
        SubscriptionQueue queue = queue(2, 0, REJECT_NEW_MESSAGES);
        for (int i = 0; i < 5; i++) {
            queue.countRejected(loops.io(0));
        }
        loops.settle();
        FakeConsumer consumer = FakeConsumer.acknowledging(1);
        attach(queue, consumer);
        put(queue, 0, "1");
        for (int i = 0; i < 5; i++) {
            queue.countRejected(loops.io(0));
        }
        loops.settle();

        assertThat(consumer.neverAcknowledging()).isEqualTo(1);
    }

    @Test
    void shouldDeliverWithTheOptionsItWasGiven() {
        SubscriptionQueue queue = queue(10, 0, REJECT_NEW_MESSAGES);
        DeliveryOptions options = new DeliveryOptions(QualityOfService.EXACTLY_ONCE, true, false, new int[] {7});
        put(queue, 0, "1", options);
        put(queue, 1, "2", options);
        put(queue, 0, "3", null);
        FakeConsumer consumer = FakeConsumer.settling(10);

        attach(queue, consumer);

        assertThat(consumer.texts()).containsExactly("1", "2", "3");
        assertThat(consumer.receivedOptions()).containsExactly(options, options, null);
    }

    @Test
    void shouldCountWhatHappened() {
        SubscriptionQueue queue = queue(3, 0, REJECT_NEW_MESSAGES);
        for (int i = 0; i < 3; i++) {
            put(queue, 0, "" + i);
        }
        queue.countRejected(loops.io(1));
        FakeConsumer consumer = FakeConsumer.acknowledging(2);
        attach(queue, consumer);
        consumer.settleOne();

        assertThat(queue.statistics()).isEqualTo(new QueueStatistics(3, 2, 0, 3, 1, 0, 0, 1));
    }

    private SubscriptionQueue queue(int maxMessages, long maxBytes, FullBehavior behavior) {
        return new SubscriptionQueue(
                "queue", loops.io(0), new QueueLimits(maxMessages, maxBytes, behavior), NEVER_ACKNOWLEDGING);
    }

    private void attach(SubscriptionQueue queue, FakeConsumer consumer) {
        loops.on(queue.home().index(), () -> queue.attach(consumer));
    }

    private Reservation put(SubscriptionQueue queue, int loop, String text) {
        return put(queue, loop, text, null);
    }

    private Reservation put(SubscriptionQueue queue, int loop, String text, @Nullable DeliveryOptions options) {
        Reservation reservation = queue.reserve();
        if (reservation == Reservation.GRANTED) {
            loops.on(loop, () -> queue.put(message(text), options, loops.io(loop)));
        }
        return reservation;
    }

    private void putExpiring(SubscriptionQueue queue, int loop, String text, long seconds) {
        long deadlineNs = loops.clock().nanoTime() + seconds * 1_000_000_000L;
        assertThat(queue.reserve()).isEqualTo(Reservation.GRANTED);
        loops.on(loop, () -> queue.put(expiring(text, deadlineNs), null, loops.io(loop)));
    }

    private boolean offer(SubscriptionQueue queue, int loop, String text) {
        boolean[] taken = new boolean[1];
        loops.on(loop, () -> taken[0] = queue.offer(message(text), null, loops.io(loop)));
        return taken[0];
    }

    private long total(Counter counter) {
        return loops.all().stream()
                .mapToLong(loop -> loop.counters().get(counter))
                .sum();
    }
}
