package dev.avocet.core.queue;

import static dev.avocet.core.queue.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.config.object.policy.FullBehavior;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Standing;
import dev.avocet.core.queue.line.UnstoredSnapshot;
import dev.avocet.core.queue.line.UnstoredVisitor;
import dev.avocet.core.queue.reference.QueueStore;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.queue.room.Reservation;
import dev.avocet.testkit.ManualClock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a subscription shows of its messages that are in memory alone stays as it was. */
final class UnstoredSnapshotTest {
    private static final int MESSAGES = 5_000;

    private final ManualClock clock = new ManualClock();
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final IoLoop loop = new IoLoop(0, tasks::add, () -> true, clock, new MemoryGuard());

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldShowEachMessageInItsPlaceWhateverComesAndGoesMeanwhile(boolean storedAreInMemory) {
        // given
        SubscriptionQueue queue = queue(storedAreInMemory ? new AnsweringStore(null) : new ForgetfulStore());
        Random random = new Random(1);
        List<String> expected = new ArrayList<>();
        List<String> ahead = new ArrayList<>();
        for (int i = 0; i < MESSAGES; i++) {
            // runs of stored ones fill chunks of their own
            if (random.nextInt(100) < 30 && i % 3_000 < 1_500) {
                putUnstored(queue, "m" + i, null);
                ahead.add("m" + i);
            } else {
                long reference = putStored(queue);
                ahead.forEach(text -> expected.add(reference + " " + text));
                ahead.clear();
            }
        }
        putUnstored(queue, "last", null);
        expected.add(UnstoredVisitor.AT_END + " last");

        // when
        UnstoredSnapshot snapshot = queue.unstored();
        putUnstored(queue, "later", null);
        if (storedAreInMemory) {
            queue.attach(FakeConsumer.settling(MESSAGES / 2));
            runAll();
        }
        queue.close();
        runAll();

        // then
        assertThat(shown(snapshot)).containsExactlyElementsOf(expected);
    }

    @Test
    void shouldShowWhatWaitsForItsTimeBehindTheOthersAsItCame() {
        // given
        SubscriptionQueue queue = queue(new AnsweringStore(null));
        putUnstored(queue, "third", delayedBy(3_000));
        putUnstored(queue, "first", delayedBy(1_000));
        putUnstored(queue, "waits", null);

        // when
        UnstoredSnapshot snapshot = queue.unstored();
        queue.close();
        runAll();

        // then
        assertThat(shown(snapshot))
                .containsExactly(
                        UnstoredVisitor.AT_END + " waits",
                        UnstoredVisitor.AT_END + " third",
                        UnstoredVisitor.AT_END + " first");
    }

    private DeliveryOptions delayedBy(long ms) {
        return DeliveryOptions.of(null, new Standing(4, 0, clock.wallTimeMs() + ms, null));
    }

    private SubscriptionQueue queue(QueueStore store) {
        SubscriptionQueue made = new SubscriptionQueue(
                "subscription", loop, new QueueLimits(2 * MESSAGES, 0, FullBehavior.REJECT_NEW_MESSAGES), 0);
        made.makeDurable(1, store);
        return made;
    }

    private void putUnstored(SubscriptionQueue queue, String text, @Nullable DeliveryOptions options) {
        assertThat(queue.reserveUnstored()).isEqualTo(Reservation.GRANTED);
        queue.put(message(text), options, loop);
    }

    private long putStored(SubscriptionQueue queue) {
        long reference = queue.nextReference();
        assertThat(queue.reserve()).isEqualTo(Reservation.GRANTED);
        queue.putStored(AnsweringStore.MESSAGE, null, reference, reference * 100, 100, loop);
        return reference;
    }

    private static List<String> shown(UnstoredSnapshot snapshot) {
        List<String> shown = new ArrayList<>();
        snapshot.forEach((before, message, options) -> shown.add(before + " " + Messages.text(message)));
        return shown;
    }

    private void runAll() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }
}
