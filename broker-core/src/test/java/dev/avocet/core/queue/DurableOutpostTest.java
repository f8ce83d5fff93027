package dev.avocet.core.queue;

import static dev.avocet.core.queue.Messages.expiring;
import static dev.avocet.core.queue.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.config.object.policy.FullBehavior;
import dev.avocet.core.message.Message;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.queue.room.Reservation;
import dev.avocet.testkit.ManualLoops;
import dev.avocet.testkit.RandomSuite;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Consumers of a durable queue on other loops than its own. */
class DurableOutpostTest {
    private static final int HOME = 0;

    private final ManualLoops loops = new ManualLoops(3);
    private final FakeQueueStore store = FakeQueueStore.onDiskOnly();
    private final SubscriptionQueue queue = queue(loops, store);

    @Test
    void shouldTellTheQueueOfABatchOfAcknowledgementsAtOnce() {
        // given
        FakeConsumer consumer = FakeConsumer.acknowledging(100);
        open(consumer, 1);
        put(queue, loops, store, 0, 100);
        loops.settle();

        // when
        loops.on(1, consumer::settleAll);
        loops.get(1).runAll();

        // then
        assertThat(store.acknowledged).as("before the queue hears of it").isZero();
        assertThat(loops.get(HOME).runOne()).isTrue();
        assertThat(store.acknowledged).isEqualTo(100);
        assertThat(queue.depth()).isZero();
        assertThat(loops.isIdle()).isTrue();
    }

    @Test
    void shouldAcknowledgeWhatIsOverOnceItIsSentOrExpired() {
        FakeConsumer consumer = FakeConsumer.settling(0);
        open(consumer, 1);
        Message late = expiring("late", loops.clock().nanoTime() + 1_000_000_000);
        put(queue, loops, store, late);
        put(queue, loops, store, 1, 2);
        loops.settle();
        loops.clock().advance(Duration.ofSeconds(2));

        loops.on(1, () -> consumer.makeRoom(10));
        loops.settle();

        assertThat(consumer.texts()).containsExactly("1", "2");
        assertThat(store.live).isEmpty();
        assertThat(queue.depth()).isZero();
    }

    @Test
    void shouldTakeAcknowledgementsFromASessionThatHasMovedOn() {
        FakeConsumer consumer = FakeConsumer.acknowledging(10);
        Outpost outpost = open(consumer, 1);
        put(queue, loops, store, 0, 2);
        loops.settle();
        loops.on(1, () -> outpost.close(List.of()));
        loops.settle();

        loops.on(2, consumer::settleOne);
        loops.on(HOME, consumer::settleOne);
        loops.settle();

        assertThat(store.live).isEmpty();
        assertThat(queue.depth()).isZero();
    }

    @Test
    void shouldLoseAndDuplicateNothingHoweverTheLoopsAreInterleaved() {
        for (long seed : RandomSuite.seeds(500)) {
            play(seed);
        }
    }

    private static void play(long seed) {
        Random chance = new Random(seed);
        ManualLoops many = new ManualLoops(3);
        FakeQueueStore its = new FakeQueueStore(sizeBytes -> chance.nextInt(10) == 0);
        SubscriptionQueue shared = queue(many, its);
        List<String> settled = new ArrayList<>();
        int sent = 0;
        for (int round = 0; round < 4; round++) {
            int loop = 1 + chance.nextInt(2);
            FakeConsumer consumer = FakeConsumer.acknowledging(chance.nextInt(400));
            Outpost outpost = new Outpost(shared, consumer, many.io(loop));
            many.on(loop, outpost::open);
            for (int step = 0; step < 40; step++) {
                int count = chance.nextInt(10);
                put(shared, many, its, sent, count);
                sent += count;
                many.step(chance);
                many.step(chance);
                if (chance.nextBoolean()) {
                    its.answerOne();
                }
                many.on(loop, () -> consumer.makeRoom(chance.nextInt(10)));
                if (chance.nextInt(4) == 0) {
                    many.on(loop, consumer::settleOne);
                }
            }
            many.on(loop, () -> outpost.close(consumer.giveUp()));
            settled.addAll(consumer.texts());
        }
        do {
            many.settle(chance);
        } while (its.answerOne());
        FakeConsumer last = FakeConsumer.settling(10_000);
        many.on(HOME, () -> shared.attach(last));
        do {
            many.settle(chance);
        } while (its.answerOne());
        settled.addAll(last.texts());

        assertThat(settled)
                .as("seed %d", seed)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, sent).mapToObj(i -> "" + i).toList());
        assertThat(its.live).as("seed %d", seed).isEmpty();
        assertThat(its.acknowledged).as("seed %d", seed).isEqualTo(sent);
        assertThat(its.keptBytes).as("seed %d", seed).isZero();
        assertThat(shared.depth()).as("seed %d", seed).isZero();
    }

    private Outpost open(FakeConsumer consumer, int loop) {
        Outpost outpost = new Outpost(queue, consumer, loops.io(loop));
        loops.on(loop, outpost::open);
        loops.settle();
        return outpost;
    }

    private static SubscriptionQueue queue(ManualLoops loops, FakeQueueStore store) {
        SubscriptionQueue queue = new SubscriptionQueue(
                "shared", loops.io(HOME), new QueueLimits(5000, 0, FullBehavior.REJECT_NEW_MESSAGES), 0);
        queue.makeDurable(FakeQueueStore.QUEUE_ID, store);
        return queue;
    }

    private static void put(SubscriptionQueue queue, ManualLoops loops, FakeQueueStore store, int first, int count) {
        for (int i = first; i < first + count; i++) {
            put(queue, loops, store, message("" + i));
        }
    }

    private static void put(SubscriptionQueue queue, ManualLoops loops, FakeQueueStore store, Message message) {
        assertThat(queue.reserve()).isEqualTo(Reservation.GRANTED);
        long reference = queue.nextReference();
        long position = store.write(message, reference);
        int storedBytes = FakeQueueStore.storedBytes(message);
        loops.on(HOME, () -> queue.putStored(message, null, reference, position, storedBytes, loops.io(HOME)));
    }
}
