package dev.avocet.core.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.config.object.policy.FullBehavior;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.queue.room.QueueSettings;
import dev.avocet.core.queue.room.Reservation;
import dev.avocet.testkit.ManualClock;
import java.util.ArrayDeque;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** A message that waits is written again elsewhere, and a newer one of its key takes its place. */
final class LastValueMoveTest {
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final IoLoop loop = new IoLoop(0, tasks::add, () -> true, new ManualClock(), new MemoryGuard());

    @Test
    void shouldReleaseThePlaceWhereTheReplacedMessageLiesNow() {
        shouldReleaseThePlaceWhereItLiesNow(new FakeQueueStore(sizeBytes -> true));
    }

    @Test
    void shouldReleaseItWhenTheStoreGrantsNoMemory() {
        shouldReleaseThePlaceWhereItLiesNow(FakeQueueStore.onDiskOnly());
    }

    private void shouldReleaseThePlaceWhereItLiesNow(FakeQueueStore store) {
        // given a message whose place has changed since it began to wait
        RankedQueue queue = new RankedQueue(
                "prices",
                loop,
                new QueueLimits(100, 0, FullBehavior.REJECT_NEW_MESSAGES),
                new QueueSettings(true, 0, null, null, 0, 1, 0, "symbol"),
                new NoNeighbours());
        queue.makeDurable(FakeQueueStore.QUEUE_ID, store);
        Message older = price(10);
        long reference = put(queue, store, older);
        assertThat(queue.moved(reference, store.move(reference), FakeQueueStore.storedBytes(older)))
                .isTrue();

        // when the newer one arrives; the store checks which place is released
        long newer = put(queue, store, price(20));

        // then
        assertThat(store.acknowledged).isEqualTo(1);
        assertThat(store.live).containsOnlyKeys(newer);
        assertThat(queue.depth()).isEqualTo(1);
        queue.close();
        assertThat(store.live).isEmpty();
    }

    private long put(RankedQueue queue, FakeQueueStore store, Message message) {
        assertThat(queue.reserve()).isEqualTo(Reservation.GRANTED);
        long reference = queue.nextReference();
        long position = store.write(message, reference);
        queue.putStored(message, null, reference, position, FakeQueueStore.storedBytes(message), loop);
        return reference;
    }

    private static Message price(int size) {
        return new Message(
                TopicName.of("prices"),
                true,
                QualityOfService.AT_LEAST_ONCE,
                false,
                new byte[size],
                TestProperties.PLAIN.with("symbol", "IBM"),
                Message.NEVER,
                "p");
    }
}
