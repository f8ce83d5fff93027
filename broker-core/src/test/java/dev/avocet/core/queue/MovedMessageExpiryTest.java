package dev.avocet.core.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.config.object.policy.FullBehavior;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.queue.room.QueueSettings;
import dev.avocet.core.queue.room.Reservation;
import dev.avocet.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A message that an administrator moves to another queue expires there when it would have expired. */
final class MovedMessageExpiryTest {
    private final ManualClock clock = new ManualClock();
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final IoLoop loop = new IoLoop(0, tasks::add, () -> true, clock, new MemoryGuard());
    /** The deadlines of references that went to another queue, as the store has them. */
    private final Map<Long, Long> stored = new HashMap<>();

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldKeepItsDeadlineInTheQueueAndInTheStore(boolean inMemory) {
        // given
        RankedQueue from = queue(1);
        RankedQueue to = queue(2);
        long deadlineNs = clock.nanoTime() + Duration.ofSeconds(10).toNanos();
        if (inMemory) {
            assertThat(from.reserve()).isEqualTo(Reservation.GRANTED);
            from.putStored(Messages.expiring("x", deadlineNs), null, 1, 100, 10, loop);
        } else {
            from.restore(1, 100, 10, deadlineNs, null);
        }

        // when
        int moved = from.moveMessagesTo(to, 10);
        runAll();

        // then
        assertThat(moved).isEqualTo(1);
        assertThat(stored).containsValue(deadlineNs);
        assertThat(to.depth()).isEqualTo(1);
        clock.advance(Duration.ofSeconds(12));
        loop.tick();
        runAll();
        assertThat(to.depth()).isZero();
        assertThat(to.statistics().expired()).isEqualTo(1);
    }

    private RankedQueue queue(long id) {
        RankedQueue queue = new RankedQueue(
                "queue " + id,
                loop,
                new QueueLimits(100, 0, FullBehavior.REJECT_NEW_MESSAGES),
                QueueSettings.DEFAULT,
                new Storing());
        queue.makeDurable(id, new Keeping());
        return queue;
    }

    private void runAll() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    /** Notes what goes to another queue, and has it durable at once. */
    private final class Storing extends NoNeighbours {
        @Override
        public void transferred(
                long fromQueueId,
                long fromReference,
                long toQueueId,
                long toReference,
                long position,
                int storedBytes,
                long expiryDeadlineNs,
                @Nullable DeliveryOptions options,
                IoLoop caller,
                Runnable then) {
            stored.put(toReference, expiryDeadlineNs);
            caller.execute(then);
        }
    }

    /** Has room in memory for everything. */
    private static final class Keeping extends ForgetfulStore {
        @Override
        public boolean keepInMemory(int sizeBytes) {
            return true;
        }
    }
}
