package dev.avocet.core.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.message.Message;
import dev.avocet.testkit.ManualLoops;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What references cost that wait in millions. */
class DurableQueueMemoryTest {
    private static final int REFERENCES = 1_000_000;
    private static final int BYTES_PER_REFERENCE = 20;
    private static final int QUEUES = 10_000;

    private final ManualLoops loops = new ManualLoops(1);

    @Test
    void shouldHoldReferencesInFewBytesEach() {
        // given
        SubscriptionQueue queue = durable();
        long before = UsedHeap.bytes();

        // when
        loops.on(0, () -> {
            for (int i = 1; i <= REFERENCES; i++) {
                queue.restore(i, i * 100L, 100, Message.NEVER, null);
            }
        });

        // then
        assertThat((double) (UsedHeap.bytes() - before) / REFERENCES)
                .as("bytes per reference")
                .isBetween(12.0, (double) BYTES_PER_REFERENCE); // less where garbage of other tests goes meanwhile
        assertThat(queue.depth()).isEqualTo(REFERENCES);
    }

    @Test
    void shouldTakeLittleForAQueueOfOneReference() {
        // given
        List<SubscriptionQueue> queues = new ArrayList<>();
        for (int i = 0; i < QUEUES; i++) {
            queues.add(durable());
        }
        long before = UsedHeap.bytes();

        // when
        loops.on(0, () -> queues.forEach(queue -> queue.restore(1, 100, 100, Message.NEVER, null)));

        // then
        assertThat((UsedHeap.bytes() - before) / QUEUES).as("bytes per queue").isLessThan(700);
        assertThat(queues).allSatisfy(queue -> assertThat(queue.depth()).isEqualTo(1));
    }

    private SubscriptionQueue durable() {
        SubscriptionQueue queue = new SubscriptionQueue("queue", loops.io(0), QueueLimits.DEFAULT, 0);
        queue.makeDurable(FakeQueueStore.QUEUE_ID, FakeQueueStore.onDiskOnly());
        return queue;
    }
}
