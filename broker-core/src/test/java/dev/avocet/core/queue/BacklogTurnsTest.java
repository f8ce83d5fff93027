package dev.avocet.core.queue;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.Standing;
import dev.avocet.testkit.ManualClock;
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
import org.junit.jupiter.api.Test;

/**
 * What one task of a loop does with a queue that has much in flight or delayed: counted, and by the bytes that it
 * allocates where it copies.
 */
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

        @Override
        public void acknowledged(long queueId, long reference, long position, int storedBytes, IoLoop caller) {}

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
