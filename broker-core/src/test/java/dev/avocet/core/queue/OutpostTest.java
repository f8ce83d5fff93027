package dev.avocet.core.queue;

import static dev.avocet.core.queue.Messages.expiring;
import static dev.avocet.core.queue.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.config.object.policy.FullBehavior;
import dev.avocet.core.message.Message;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.queue.room.Reservation;
import dev.avocet.testkit.ManualLoops;
import dev.avocet.testkit.RandomSuite;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class OutpostTest {
    private static final int WINDOW = 256;

    private final ManualLoops loops = new ManualLoops(2);
    private final SubscriptionQueue queue =
            new SubscriptionQueue("shared", loops.io(0), new QueueLimits(2000, 0, FullBehavior.REJECT_NEW_MESSAGES), 0);

    @Test
    void shouldSendNoMoreThanItsWindowBeforeCreditComesBack() {
        // given
        FakeConsumer consumer = FakeConsumer.acknowledging(0);
        Outpost outpost = open(consumer);

        // when
        put(0, 1000);
        loops.settle();

        // then what did not cross waits for another consumer
        FakeConsumer other = FakeConsumer.settling(5000);
        loops.on(0, () -> queue.attach(other));
        assertThat(other.texts()).hasSize(1000 - WINDOW).startsWith("" + WINDOW);
        loops.on(1, () -> consumer.makeRoom(5000));
        loops.settle();
        assertThat(consumer.texts()).hasSize(WINDOW);
        consumer.settleAll();
        assertThat(queue.depth()).isZero();
        loops.on(1, () -> outpost.close(List.of()));
    }

    @Test
    void shouldGoOnInOrderWhenCreditComesBack() {
        FakeConsumer consumer = FakeConsumer.settling(5000);
        open(consumer);

        put(0, 1000);
        loops.settle();

        assertThat(consumer.texts()).isEqualTo(texts(0, 1000));
        assertThat(queue.depth()).isZero();
    }

    @Test
    void shouldCrossInOneTaskPerBatch() {
        FakeConsumer consumer = FakeConsumer.settling(5000);
        open(consumer);
        put(0, 100);

        loops.get(0).runAll();

        assertThat(loops.get(1).runOne()).isTrue();
        assertThat(consumer.texts()).hasSize(100);
    }

    @Test
    void shouldGiveAllBackInOrderWhenItIsClosedWithMessagesOnTheirWay() {
        // given three messages at the client, some in the outpost and some on their way
        FakeConsumer consumer = FakeConsumer.acknowledging(3);
        Outpost outpost = open(consumer);
        put(0, 10);
        loops.settle();
        put(10, 10);
        loops.get(0).runAll();
        put(20, 10);

        // when
        loops.on(1, () -> outpost.close(consumer.giveUp()));
        loops.settle();

        // then
        FakeConsumer other = FakeConsumer.settling(5000);
        loops.on(0, () -> queue.attach(other));
        assertThat(other.texts()).isEqualTo(texts(0, 30));
        assertThat(queue.depth()).isZero();
    }

    @Test
    void shouldLoseAndDuplicateNothingHoweverTheLoopsAreInterleaved() {
        for (long seed : RandomSuite.seeds(500)) {
            Random chance = new Random(seed);
            List<String> settled = new ArrayList<>();
            ManualLoops many = new ManualLoops(3);
            SubscriptionQueue shared = new SubscriptionQueue(
                    "shared", many.io(0), new QueueLimits(5000, 0, FullBehavior.REJECT_NEW_MESSAGES), 0);
            int sent = 0;
            for (int round = 0; round < 4; round++) {
                int loop = 1 + chance.nextInt(2);
                FakeConsumer consumer = FakeConsumer.acknowledging(chance.nextInt(400));
                Outpost outpost = new Outpost(shared, consumer, many.io(loop));
                many.on(loop, outpost::open);
                for (int step = 0; step < 40; step++) {
                    int first = sent;
                    int count = chance.nextInt(10);
                    sent += count;
                    many.on(0, () -> {
                        for (int i = first; i < first + count; i++) {
                            assertThat(shared.reserve()).isEqualTo(Reservation.GRANTED);
                            shared.put(message("" + i), null, many.io(0));
                        }
                    });
                    many.step(chance);
                    many.step(chance);
                    many.on(loop, () -> consumer.makeRoom(chance.nextInt(10)));
                }
                consumer.settleOne();
                many.on(loop, () -> outpost.close(consumer.giveUp()));
                settled.addAll(consumer.texts());
            }
            many.settle(chance);
            FakeConsumer last = FakeConsumer.settling(10_000);
            many.on(0, () -> shared.attach(last));
            settled.addAll(last.texts());

            assertThat(settled).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(texts(0, sent));
            assertThat(shared.depth()).as("seed %d", seed).isZero();
        }
    }

    @Test
    void shouldNotDeliverWhatExpiresWhileItWaitsForTheClient() {
        FakeConsumer consumer = FakeConsumer.settling(0);
        open(consumer);
        Message message = expiring(
                "late", loops.clock().nanoTime() + Duration.ofSeconds(1).toNanos());
        assertThat(queue.reserve()).isEqualTo(Reservation.GRANTED);
        loops.on(0, () -> queue.put(message, null, loops.io(0)));
        loops.settle();
        loops.clock().advance(Duration.ofSeconds(2));

        loops.on(1, () -> consumer.makeRoom(10));
        loops.settle();

        assertThat(consumer.texts()).isEmpty();
        assertThat(queue.depth()).isZero();
        assertThat(loops.io(1).counters().get(Counter.MESSAGES_EXPIRED)).isEqualTo(1);
    }

    private Outpost open(FakeConsumer consumer) {
        Outpost outpost = new Outpost(queue, consumer, loops.io(1));
        loops.on(1, outpost::open);
        loops.settle();
        return outpost;
    }

    private void put(int first, int count) {
        loops.on(0, () -> {
            for (int i = first; i < first + count; i++) {
                assertThat(queue.reserve()).isEqualTo(Reservation.GRANTED);
                queue.put(message("" + i), null, loops.io(0));
            }
        });
    }

    private static List<String> texts(int from, int to) {
        List<String> texts = new ArrayList<>();
        for (int i = from; i < to; i++) {
            texts.add("" + i);
        }
        return texts;
    }
}
