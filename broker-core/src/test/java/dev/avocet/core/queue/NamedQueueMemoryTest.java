package dev.avocet.core.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.config.object.policy.FullBehavior;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.Standing;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.queue.room.QueueSettings;
import dev.avocet.testkit.ManualLoops;
import dev.avocet.testkit.turn.InTurn;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What messages cost that wait on disk in a queue by name, and whether the gauge of it tells the truth. */
@InTurn
final class NamedQueueMemoryTest {
    private static final int REFERENCES = 500_000;
    private static final int MOST_BYTES = 32;

    private final ManualLoops loops = new ManualLoops(1);
    private final RankedQueue queue = new RankedQueue(
            "orders",
            loops.io(0),
            new QueueLimits(10_000_000, 0, FullBehavior.REJECT_NEW_MESSAGES),
            QueueSettings.DEFAULT,
            new NoNeighbours());
    private long before;
    private long next = 1;

    @Test
    void shouldTakeLittleForAMessageThatIsNothingSpecial() {
        assertThat(bytesEach(i -> null, Message.NEVER)).isBetween(16.0, (double) MOST_BYTES);
    }

    @Test
    void shouldTakeAsLittleWhateverTheMixOfPriorities() {
        DeliveryOptions[] options = new DeliveryOptions[10];
        for (int priority = 0; priority < options.length; priority++) {
            options[priority] = DeliveryOptions.of(Standing.of(priority));
        }

        assertThat(bytesEach(i -> options[i % 10], Message.NEVER)).isBetween(16.0, (double) MOST_BYTES);
    }

    @Test
    void shouldTakeAsLittleForMessagesThatExpire() {
        assertThat(bytesEach(i -> null, Long.MAX_VALUE / 2)).isBetween(16.0, (double) MOST_BYTES);
    }

    @Test
    void shouldTakeMoreOnlyForThoseThatHaveFailed() {
        // one in a thousand
        double bytes =
                bytesEach(i -> i % 1000 == 0 ? DeliveryOptions.of(Standing.NEW.failed(2, 0)) : null, Message.NEVER);

        assertThat(bytes).isBetween(16.0, (double) MOST_BYTES);
    }

    @Test
    void shouldStillTakeLittleWhenSomeHaveGoneFromTheMiddle() {
        // given
        double all = bytesEach(i -> null, Message.NEVER);

        // when: nine of ten are over
        loops.on(0, () -> {
            for (long number = 1; number < next; number++) {
                if (number % 10 != 0) {
                    assertThat(queue.purge(number)).isTrue();
                }
            }
        });

        // then
        assertThat(all).isLessThan(MOST_BYTES);
        assertThat(queue.depth()).isEqualTo(REFERENCES / 10);
        assertThat((double) (UsedHeap.bytes() - before) / queue.depth())
                .as("bytes for each that is left")
                .isLessThan(MOST_BYTES);
        expectTheGaugeToAgree();
    }

    private double bytesEach(IntFunction<@Nullable DeliveryOptions> options, long deadlineNs) {
        queue.makeDurable(FakeQueueStore.QUEUE_ID, new ForgetfulStore());
        before = UsedHeap.bytes();
        loops.on(0, () -> {
            for (int i = 0; i < REFERENCES; i++) {
                queue.restore(next, next * 100, 100, deadlineNs, options.apply(i));
                next++;
            }
        });
        expectTheGaugeToAgree();
        return (double) (UsedHeap.bytes() - before) / REFERENCES;
    }

    private void expectTheGaugeToAgree() {
        double used = UsedHeap.bytes() - before;
        assertThat((double) loops.io(0).counters().get(Counter.REFERENCE_BYTES))
                .as("the gauge")
                .isBetween(0.93 * used, 1.1 * used);
    }
}
