package dev.avocet.core.queue;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.avocet.core.config.object.policy.FullBehavior;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.Standing;
import dev.avocet.core.queue.receiver.ReceiverOptions;
import dev.avocet.core.queue.receiver.Settlement;
import dev.avocet.core.queue.reference.QueueSnapshot;
import dev.avocet.core.queue.reference.QueueStore;
import dev.avocet.core.queue.reference.ReferenceSearch;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.queue.room.QueueSettings;
import dev.avocet.core.queue.room.Reservation;
import dev.avocet.testkit.ManualClock;
import dev.avocet.testkit.turn.InTurn;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;

/**
 * What one task of a loop does with a queue that has much in flight or delayed: counted, and by the bytes that it
 * allocates where it copies.
 */
@InTurn
final class BacklogTurnsTest {
    private static final int BACKLOG = 300_000;
    /** A list of the pages of the backlog, or some hundred entries; the backlog itself takes more than 10 MB. */
    private static final long MOST_BYTES = 256 << 10;

    private static final int MOST_STEPS = 5_000;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final ManualClock clock = new ManualClock();
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final IoLoop loop = new IoLoop(0, tasks::add, () -> true, clock, new MemoryGuard());
    private final CountingStore store = new CountingStore();

    @Test
    void shouldCopyLittleForAViewOfWhatIsInFlightToASubscription() {
        // given
        SubscriptionQueue queue = new SubscriptionQueue("all", loop, limits(), 16);
        queue.makeDurable(1, store);
        long mostForOne = 0;
        for (int i = 1; i <= BACKLOG; i++) {
            int reference = i;
            mostForOne = Math.max(
                    mostForOne, allocatedBy(() -> queue.restoreInFlight(reference, placeOf(reference), 1, 0, null)));
        }
        QueueSnapshot[] snapshot = new QueueSnapshot[1];

        // when
        long forTheView = allocatedBy(() -> snapshot[0] = queue.snapshot());
        long forAChange = allocatedBy(() -> queue.moved(BACKLOG / 2, Long.MAX_VALUE, 1));

        // then
        assertThat(mostForOne).isLessThan(MOST_BYTES);
        assertThat(forTheView).isLessThan(MOST_BYTES);
        assertThat(forAChange).isLessThan(MOST_BYTES);
        assertThat(snapshot[0].size()).isEqualTo(BACKLOG);
        int[] next = {1};
        snapshot[0].forEach((reference, position, storedBytes, deadlineNs, options) -> {
            assertThat(reference).isEqualTo(next[0]++);
            assertThat(position).isEqualTo(placeOf(reference));
        });
    }

    @Test
    void shouldCopyLittleForAViewOfAQueueByName() {
        // given
        RankedQueue queue = queue();
        long mostForOne = 0;
        for (int i = 1; i <= BACKLOG; i++) {
            int reference = i;
            mostForOne = Math.max(
                    mostForOne, allocatedBy(() -> queue.restoreInFlight(reference, placeOf(reference), 1, 0, null)));
        }

        // when
        QueueSnapshot[] snapshot = new QueueSnapshot[1];
        long most = allocatedBy(() -> snapshot[0] = queue.snapshot());
        boolean[] more = {true};
        while (more[0]) {
            most = Math.max(most, allocatedBy(() -> more[0] = snapshot[0].gather()));
        }

        // then
        assertThat(mostForOne).isLessThan(MOST_BYTES);
        assertThat(most).isLessThan(MOST_BYTES);
        assertThat(snapshot[0].size()).isEqualTo(BACKLOG);
    }

    @Test
    void shouldShowWhatAQueueByNameHeldAtOneMomentThoughItGoesOn() {
        for (int seed = 0; seed < 20; seed++) {
            Random chance = new Random(seed);
            RankedQueue queue = queue();
            Map<Long, Long> inFlight = new HashMap<>();
            Set<Long> waiting = new HashSet<>();
            long next = 1;
            for (int i = 0; i < 10_000; i++, next++) {
                if (chance.nextInt(4) == 0) {
                    queue.restore(next, placeOf(next), 1, Message.NEVER, null);
                    waiting.add(next);
                } else {
                    queue.restoreInFlight(next, placeOf(next), 1, Message.NEVER, null);
                    inFlight.put(next, placeOf(next));
                }
            }
            Set<Long> held = new HashSet<>(waiting);
            held.addAll(inFlight.keySet());
            List<Long> order = new ArrayList<>(inFlight.keySet());

            // when
            QueueSnapshot snapshot = queue.snapshot();
            do {
                for (int i = 0; i < 300; i++) {
                    long one = order.get(chance.nextInt(order.size()));
                    switch (chance.nextInt(4)) {
                        case 0 -> queue.settleStored(one);
                        case 1 -> queue.giveBackReferences(new long[] {one});
                        case 2 -> queue.moved(one, placeOf(one) + (1L << 40), 1);
                        default -> queue.restoreInFlight(++next, placeOf(next), 1, Message.NEVER, null);
                    }
                }
            } while (snapshot.gather());

            // then
            List<Long> shown = new ArrayList<>();
            snapshot.forEach((reference, position, storedBytes, deadlineNs, options) -> {
                shown.add(reference);
                assertThat(position).isIn(placeOf(reference), placeOf(reference) + (1L << 40));
            });
            assertThat(shown).as("seed %d", seed).doesNotHaveDuplicates().hasSize(snapshot.size());
            assertThat(new HashSet<>(shown)).as("seed %d", seed).isEqualTo(held);
        }
    }

    @Test
    void shouldShedDelayedPayloadsInTurns() {
        // given
        RankedQueue queue = queue();
        DeliveryOptions later = DeliveryOptions.of(
                new Standing(4, 0, clock.wallTimeMs() + Duration.ofHours(1).toMillis(), null));
        for (int i = 0; i < BACKLOG; i++) {
            assertThat(queue.reserve()).isEqualTo(Reservation.GRANTED);
            long reference = queue.nextReference();
            queue.putStored(Messages.message("later"), later, reference, placeOf(reference), 100, loop);
        }
        assertThat(store.kept).isEqualTo(BACKLOG);

        // when
        int most = 0;
        boolean more = true;
        while (more) {
            int before = store.kept;
            more = queue.shedPayloads();
            most = Math.max(most, before - store.kept);
        }

        // then
        assertThat(store.kept).isZero();
        assertThat(most).isPositive().isLessThan(MOST_STEPS);
    }

    @Test
    void shouldEndInTurnsWithMuchInFlight() {
        // given
        RankedQueue queue = queue();
        for (int i = 1; i <= BACKLOG; i++) {
            queue.restoreInFlight(i, placeOf(i), 1, 0, null);
        }
        tasks.clear();

        // when
        tasks.add(queue::close);
        int most = 0;
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            int before = store.abandoned;
            long bytes = allocatedBy(task);
            most = Math.max(most, store.abandoned - before);
            assertThat(bytes).isLessThan(MOST_BYTES);
        }

        // then
        assertThat(store.abandoned).isEqualTo(BACKLOG);
        assertThat(most).isLessThan(MOST_STEPS);
    }

    @Test
    void shouldEndWhatHasExpiredInTurns() {
        // given
        long deadlineNs = clock.nanoTime() + Duration.ofSeconds(10).toNanos();
        DeliveryOptions later = later(Duration.ofHours(1));
        RankedQueue delayedInAQueue = queue();
        SubscriptionQueue waiting = subscription();
        SubscriptionQueue delayed = subscription();
        for (int i = 1; i <= BACKLOG; i++) {
            delayedInAQueue.restore(i, placeOf(i), 1, deadlineNs, later);
            waiting.restore(i, placeOf(i), 1, i % 3 == 0 ? Message.NEVER : deadlineNs, null);
            delayed.restore(i, placeOf(i), 1, i % 3 == 0 ? Message.NEVER : deadlineNs, later);
        }
        tasks.clear();

        // when
        clock.advance(Duration.ofSeconds(20));
        tasks.add(loop::tick);
        int most = mostOfATask(() -> store.acknowledged);

        // then
        assertThat(delayedInAQueue.depth()).isZero();
        assertThat(waiting.depth()).isEqualTo(BACKLOG / 3);
        assertThat(delayed.depth()).isEqualTo(BACKLOG / 3);
        assertThat(most).isPositive().isLessThan(MOST_STEPS);
    }

    @Test
    void shouldEndAllThatHasExpiredAndNothingElseWhateverHappensMeanwhile() {
        for (int seed = 0; seed < 10; seed++) {
            Random chance = new Random(seed);
            long deadlineNs = clock.nanoTime() + Duration.ofSeconds(10).toNanos();
            SubscriptionQueue queue = subscription();
            List<Long> expected = new ArrayList<>();
            List<Long> front = new ArrayList<>();
            for (long i = 1; i <= 5_000; i++) {
                queue.restoreInFlight(i, placeOf(i), 1, i % 2 == 0 ? Message.NEVER : deadlineNs, null);
                front.add(i);
            }
            for (long i = 5_001; i <= 20_000; i++) {
                boolean stays = chance.nextInt(4) == 0 || i / 3_000 == 3;
                queue.restore(i, placeOf(i), 1, stays ? Message.NEVER : deadlineNs, null);
                if (stays) {
                    expected.add(i);
                }
            }
            clock.advance(Duration.ofSeconds(20));
            tasks.add(loop::tick);
            long next = 20_000;

            // when
            for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                task.run();
                int some = Math.min(front.size(), chance.nextInt(600));
                if (some > 0 && chance.nextBoolean()) {
                    List<Long> back = front.subList(front.size() - some, front.size());
                    queue.giveBackReferences(
                            back.stream().mapToLong(Long::longValue).toArray());
                    expected.addAll(0, back);
                    back.clear();
                }
                queue.restore(++next, placeOf(next), 1, Message.NEVER, null);
                expected.add(next);
                long damaged = expected.get(chance.nextInt(expected.size()));
                if (queue.lose(damaged, placeOf(damaged))) {
                    expected.remove(damaged);
                }
            }
            clock.advance(Duration.ofSeconds(20));
            loop.tick();
            runAll();

            // then
            Set<Long> left = new HashSet<>(expected);
            left.removeIf(number -> number <= 5_000 && number % 2 != 0);
            left.addAll(front);
            assertThat(new HashSet<>(shown(queue))).as("seed %d", seed).isEqualTo(left);
            assertThat(queue.depth()).as("seed %d", seed).isEqualTo(left.size());
        }
    }

    @Test
    void shouldDeliverInTurnsWhatBecomesDueAtOnce() {
        // given
        int due = 60_000;
        RankedQueue queue = queue();
        SubscriptionQueue subscription = subscription();
        DeliveryOptions later = later(Duration.ofMinutes(1));
        for (int i = 1; i <= due; i++) {
            queue.restore(i, placeOf(i), 1, Message.NEVER, later);
            subscription.restore(i, placeOf(i), 1, Message.NEVER, later);
        }
        tasks.clear();

        // when
        clock.advance(Duration.ofMinutes(2));
        tasks.add(loop::tick);
        long most = 0;
        int count = 0;
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            most = Math.max(most, allocatedBy(task));
            count++;
        }

        // then
        assertThat(most).isLessThan(4 * MOST_BYTES);
        assertThat(count).isGreaterThan(due / MOST_STEPS);
        assertThat(queue.purge()).isEqualTo(due);
    }

    @Test
    void shouldTakeBackInTurnsWhatAReceiverHeld() {
        // given
        RankedQueue queue = queue();
        for (int i = 1; i <= BACKLOG; i++) {
            assertThat(queue.reserve()).isEqualTo(Reservation.GRANTED);
            queue.put(Messages.message("" + i), null, loop);
        }
        FakeReceiver first = new FakeReceiver(loop).open(queue, ReceiverOptions.DEFAULT);
        first.port().grant(BACKLOG);
        runAll();
        assertThat(first.got).hasSize(BACKLOG);
        FakeReceiver second = new FakeReceiver(loop).open(queue, ReceiverOptions.DEFAULT);
        second.port().grant(BACKLOG + 1);
        assertThat(queue.reserve()).isEqualTo(Reservation.GRANTED);
        runAll();

        // when
        first.port().close(Settlement.RELEASED);
        boolean put = false;
        int count = 0;
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
            count++;
            if (!put && count > 10) {
                put = true;
                queue.put(Messages.message("last"), null, loop); // comes while the others are on their way back
            }
        }

        // then
        assertThat(put).isTrue();
        assertThat(count).isGreaterThan(BACKLOG / MOST_STEPS);
        assertThat(second.got).hasSize(BACKLOG + 1);
        assertThat(second.texts()).startsWith("1", "2", "3").endsWith("" + BACKLOG, "last");
    }

    @Test
    void shouldEndWhileWhatAReceiverHeldIsOnItsWayBack() {
        // given
        RankedQueue queue = queue();
        for (int i = 1; i <= 5_000; i++) {
            assertThat(queue.reserve()).isEqualTo(Reservation.GRANTED);
            queue.put(Messages.message("" + i), null, loop);
        }
        FakeReceiver going = new FakeReceiver(loop).open(queue, ReceiverOptions.DEFAULT);
        going.port().grant(4_000);
        runAll();

        // when
        going.port().close(Settlement.RELEASED);
        for (int i = 0; i < 4; i++) {
            tasks.remove().run();
        }
        queue.close();
        runAll();

        // then
        assertThat(queue.depth()).isZero();
    }

    @Test
    void shouldFindInStepsWhereMessagesLie() {
        // given
        RankedQueue queue = queue();
        SubscriptionQueue subscription = subscription();
        for (int i = 1; i <= BACKLOG; i++) {
            if (i % 2 == 0) {
                queue.restore(i, placeOf(i), 1, Message.NEVER, null);
                subscription.restore(i, placeOf(i), 1, Message.NEVER, null);
            } else {
                queue.restoreInFlight(i, placeOf(i), 1, Message.NEVER, null);
                subscription.restoreInFlight(i, placeOf(i), 1, Message.NEVER, null);
            }
        }

        // when
        ReferenceSearch inQueue = queue.search(placeOf(1_000), placeOf(BACKLOG - 1_000));
        ReferenceSearch inSubscription = subscription.search(placeOf(1_000), placeOf(BACKLOG - 1_000));
        queue.giveBackReferences(new long[] {4_001}); // after the moment
        subscription.settleStored(4_001);

        // then
        for (ReferenceSearch search : List.of(inQueue, inSubscription)) {
            Set<Long> found = new HashSet<>();
            boolean more = true;
            while (more) {
                int before = found.size();
                more = search.step((reference, position, storedBytes, deadlineNs, options) -> found.add(reference));
                assertThat(found.size() - before).isLessThan(MOST_STEPS);
            }
            assertThat(found).hasSize(BACKLOG - 2_000).contains(1_000L, 4_001L).doesNotContain(BACKLOG - 1_000L);
        }
    }

    private DeliveryOptions later(Duration delay) {
        return DeliveryOptions.of(new Standing(4, 0, clock.wallTimeMs() + delay.toMillis(), null));
    }

    private SubscriptionQueue subscription() {
        SubscriptionQueue queue = new SubscriptionQueue("all", loop, limits(), 16);
        queue.makeDurable(2, store);
        return queue;
    }

    private static List<Long> shown(SubscriptionQueue queue) {
        List<Long> shown = new ArrayList<>();
        queue.snapshot().forEach((reference, position, storedBytes, deadlineNs, options) -> shown.add(reference));
        return shown;
    }

    private void runAll() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    private int mostOfATask(IntSupplier counter) {
        int most = 0;
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            int before = counter.getAsInt();
            task.run();
            most = Math.max(most, counter.getAsInt() - before);
        }
        return most;
    }

    private static long placeOf(long reference) {
        return reference * 100;
    }

    private RankedQueue queue() {
        RankedQueue queue = new RankedQueue("orders", loop, limits(), QueueSettings.DEFAULT, new NoNeighbours());
        queue.makeDurable(1, store);
        return queue;
    }

    private static QueueLimits limits() {
        return new QueueLimits(20_000_000, 0, FullBehavior.REJECT_NEW_MESSAGES);
    }

    private static long allocatedBy(Runnable task) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        task.run();
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }

    /** Has room in memory for everything, and counts. */
    private static final class CountingStore implements QueueStore {
        private int kept;
        private int abandoned;
        private int acknowledged;

        @Override
        public void acknowledged(long queueId, long reference, long position, int storedBytes, IoLoop caller) {
            acknowledged++;
        }

        @Override
        public void delivered(long queueId, int count, long[] references, IoLoop caller) {}

        @Override
        public void abandoned(long position, int storedBytes) {
            abandoned++;
        }

        @Override
        public void fetch(long[] positions, int[] storedBytes, int count, IoLoop loop, Fetched then) {}

        @Override
        public void lost(String queue, long position) {}

        @Override
        public boolean keepInMemory(int sizeBytes) {
            kept++;
            return true;
        }

        @Override
        public void letGo(int sizeBytes) {
            kept--;
        }
    }
}
