package dev.avocet.core.queue;

import static dev.avocet.core.config.object.policy.FullBehavior.REJECT_NEW_MESSAGES;
import static dev.avocet.core.queue.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.message.Message;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.queue.room.QueueSettings;
import dev.avocet.testkit.ManualClock;
import java.util.ArrayDeque;
import java.util.Queue;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The store may write the message of one reference again more than once before the queue hears of it: it looks for what
 * keeps a segment alive while queues change loops, and again when loops have not answered in time. Each place is given
 * back once, but for the one where recovery finds the reference: the latest.
 */
final class MessageWrittenAgainTest {
    private static final Message MESSAGE = message("again");
    private static final int BYTES = FakeQueueStore.storedBytes(MESSAGE);

    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final IoLoop loop = new IoLoop(0, tasks::add, () -> true, new ManualClock(), new MemoryGuard());
    private final FakeQueueStore store = FakeQueueStore.onDiskOnly();

    @ParameterizedTest
    @EnumSource
    void shouldLieAtTheLaterOfTwoPlaces(Holding holding) {
        // given
        MessageQueue queue = holding.queue(this);
        long first = store.move(1);
        long second = store.move(1);

        // when
        boolean movedFirst = queue.moved(1, first, BYTES);
        boolean movedAgain = queue.moved(1, second, BYTES);

        // then
        assertThat(movedFirst).isTrue();
        assertThat(movedAgain).isTrue();
        shouldLieAt(queue, second);
    }

    @ParameterizedTest
    @EnumSource
    void shouldStayAtTheLaterPlaceWhenTheEarlierOneIsHeardOfLast(Holding holding) {
        // given
        MessageQueue queue = holding.queue(this);
        long first = store.move(1);
        long second = store.move(1);

        // when
        boolean movedToSecond = queue.moved(1, second, BYTES);
        boolean movedBack = queue.moved(1, first, BYTES);

        // then
        assertThat(movedToSecond).isTrue();
        assertThat(movedBack).isFalse();
        shouldLieAt(queue, second);
    }

    @ParameterizedTest
    @EnumSource
    void shouldGiveANewPlaceBackWhenTheQueueHasEnded(Holding holding) {
        // given
        MessageQueue queue = holding.queue(this);
        long place = store.move(1);
        queue.close();

        // when
        boolean moved = queue.moved(1, place, BYTES);

        // then
        assertThat(moved).isFalse();
        assertThat(store.live).isEmpty();
        assertThat(store.copies).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"SUBSCRIPTION_WAITING", "NAMED_WAITING"})
    void shouldNotLoseForDamageWhereItLaySoundlyElsewhereByNow(Holding holding) {
        // given
        MessageQueue queue = holding.queue(this);
        long before = store.live.get(1L);
        store.damage(1);
        long place = store.move(1);
        queue.moved(1, place, BYTES);

        // when
        boolean lost = queue.lose(1, before);

        // then
        assertThat(lost).isFalse();
        assertThat(queue.depth()).isEqualTo(1);
        shouldLieAt(queue, place);
    }

    private void shouldLieAt(MessageQueue queue, long place) {
        assertThat(store.live).containsEntry(1L, place).hasSize(1);
        assertThat(store.copies).isEmpty();
        int[] seen = new int[1];
        queue.snapshot().forEach((reference, position, storedBytes, deadlineNs, options) -> {
            assertThat(position).isEqualTo(place);
            seen[0]++;
        });
        assertThat(seen[0]).isEqualTo(1);
    }

    private void restore(MessageQueue queue, boolean inFlight) {
        long position = store.write(MESSAGE, 1);
        if (inFlight) {
            queue.restoreInFlight(1, position, BYTES, Message.NEVER, null);
        } else {
            queue.restore(1, position, BYTES, Message.NEVER, null);
        }
    }

    /** Which queue has the reference, and where in it. */
    private enum Holding {
        SUBSCRIPTION_WAITING,
        SUBSCRIPTION_IN_FLIGHT,
        NAMED_WAITING,
        NAMED_IN_FLIGHT;

        MessageQueue queue(MessageWrittenAgainTest test) {
            QueueLimits limits = new QueueLimits(100, 0, REJECT_NEW_MESSAGES);
            boolean named = this == NAMED_WAITING || this == NAMED_IN_FLIGHT;
            MessageQueue made = named
                    ? new RankedQueue("orders", test.loop, limits, QueueSettings.DEFAULT, new NoNeighbours())
                    : new SubscriptionQueue("c/a", test.loop, limits, 0);
            made.makeDurable(FakeQueueStore.QUEUE_ID, test.store);
            test.restore(made, this == SUBSCRIPTION_IN_FLIGHT || this == NAMED_IN_FLIGHT);
            return made;
        }
    }
}
