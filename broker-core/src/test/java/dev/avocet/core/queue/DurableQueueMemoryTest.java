package dev.avocet.core.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.config.object.policy.FullBehavior;
import dev.avocet.core.message.Message;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.queue.reference.QueueStore;
import dev.avocet.core.queue.reference.ReferencePages;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.testkit.ManualLoops;
import dev.avocet.testkit.turn.InTurn;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What references cost that wait in millions. */
@InTurn
class DurableQueueMemoryTest {
    private static final int REFERENCES = 1_000_000;
    private static final int BYTES_PER_REFERENCE = 20;
    private static final int QUEUES = 10_000;
    private static final int HEAP_LIMIT_BYTES = 2 << 20;

    @TempDir
    private Path directory;

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

    @Test
    void shouldHoldWhatTheHeapHasNoRoomForInTheFile() {
        // given
        try (ReferencePages pages = new ReferencePages(directory.resolve("references"), HEAP_LIMIT_BYTES)) {
            List<SubscriptionQueue> queues = new ArrayList<>();
            ForgetfulStore store = storeWith(pages);
            for (int i = 0; i < 200; i++) {
                queues.add(durable(store));
            }
            long before = UsedHeap.bytes();

            // when
            loops.on(0, () -> {
                for (int i = 1; i <= REFERENCES / queues.size(); i++) {
                    for (SubscriptionQueue queue : queues) {
                        queue.restore(i, i * 100L, 100, Message.NEVER, null);
                    }
                }
            });

            // then: 16 MB of references
            long used = UsedHeap.bytes() - before;
            assertThat(used).isLessThan(2 * HEAP_LIMIT_BYTES);
            assertThat((double) loops.io(0).counters().get(Counter.REFERENCE_BYTES))
                    .as("the gauge")
                    .isBetween(0.9 * used, 1.1 * used);
            loops.on(0, () -> queues.forEach(SubscriptionQueue::close));
            loops.settle(new Random(0));
            assertThat(loops.io(0).counters().get(Counter.REFERENCE_BYTES)).isZero();
        }
    }

    private static ForgetfulStore storeWith(ReferencePages pages) {
        return new ForgetfulStore() {
            @Override
            public ReferencePages pages() {
                return pages;
            }
        };
    }

    private SubscriptionQueue durable() {
        return durable(FakeQueueStore.onDiskOnly());
    }

    private SubscriptionQueue durable(QueueStore store) {
        SubscriptionQueue queue = new SubscriptionQueue(
                "queue", loops.io(0), new QueueLimits(REFERENCES, 0, FullBehavior.BACKPRESSURE), 0);
        queue.makeDurable(FakeQueueStore.QUEUE_ID, store);
        return queue;
    }
}
