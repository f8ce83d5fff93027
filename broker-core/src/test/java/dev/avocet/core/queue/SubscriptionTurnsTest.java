package dev.avocet.core.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.config.object.policy.FullBehavior;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.queue.reference.ReferencePages;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.queue.room.Reservation;
import dev.avocet.testkit.ManualClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How long the tasks of a loop take where a subscription has a backlog, in processor time of the loop's thread, with
 * the references on the heap and in the file.
 */
final class SubscriptionTurnsTest {
    private static final int WARM = 20_000;
    private static final int BACKLOG = 300_000;
    private static final int BACKLOG_NIGHTLY = 5_000_000;
    private static final double MOST_MS = 5;

    /** A task that grows with the backlog is long in each of them; one that the JVM interrupted is long in one. */
    private static final int TRIES = 4;

    @TempDir
    private Path directory;

    @Test
    void shouldTakeShortTurnsWithABacklog() {
        shouldTakeShortTurns(BACKLOG, null);
    }

    @Test
    void shouldTakeShortTurnsWithABacklogInTheFile() {
        try (ReferencePages pages = new ReferencePages(directory.resolve("references"), 0)) {
            shouldTakeShortTurns(BACKLOG, pages);
            assertThat(pages.fileBytes()).isPositive();
        }
    }

    @Test
    @Tag("nightly")
    void shouldTakeShortTurnsWithFiveMillionMessages() {
        shouldTakeShortTurns(BACKLOG_NIGHTLY, null);
    }

    private static void shouldTakeShortTurns(int messages, @Nullable ReferencePages pages) {
        for (int round = 0; round < 3; round++) {
            new Backlog(WARM, pages).run();
        }

        List<Turns> turns = new Backlog(messages, pages).run();
        for (int tries = 1; tries < TRIES && turns.stream().anyMatch(one -> one.maxMs() >= MOST_MS); tries++) {
            turns = Turns.shorter(turns, new Backlog(messages, pages).run());
        }

        turns.forEach(System.out::println);
        assertThat(turns)
                .allSatisfy(one -> assertThat(one.maxMs()).as(one.toString()).isLessThan(MOST_MS));
    }

    /** A subscription with messages of all kinds, and what is done with it. */
    private static final class Backlog {
        private static final int EACH = 40;
        private static final int KEPT_PART = 10;
        private static final Duration STEP = Duration.ofSeconds(10);
        private static final int HOUR_IN_STEPS = 360;
        private static final DeliveryOptions OPTIONS =
                new DeliveryOptions(QualityOfService.AT_LEAST_ONCE, false, false, new int[] {3});

        private final ManualClock clock = new ManualClock();
        private final Queue<Runnable> tasks = new ArrayDeque<>();
        private final IoLoop loop = new IoLoop(0, tasks::add, () -> true, clock, new MemoryGuard());
        private final AnsweringStore store;
        private final int messages;
        private final SubscriptionQueue queue;
        private final List<Turns> all = new ArrayList<>();
        private int moves;

        Backlog(int messages, @Nullable ReferencePages pages) {
            this.messages = messages;
            this.store = new AnsweringStore(pages);
            this.queue = queue("subscription", 1);
        }

        private SubscriptionQueue queue(String name, long id) {
            SubscriptionQueue made = new SubscriptionQueue(
                    name, loop, new QueueLimits(20_000_000, 0, FullBehavior.REJECT_NEW_MESSAGES), 0);
            made.makeDurable(id, store);
            return made;
        }

        List<Turns> run() {
            fill();
            measure("view", EACH, () -> queue.snapshot().size());
            measure("search", EACH, () -> queue.search(0, 200).step((reference, position, bytes, deadline, its) -> {}));
            measure("unstored", EACH, queue::unstored);
            measure("consumer", EACH, () -> comeAndGo(10));
            measure("holder", 1, () -> comeAndGo(1_000));
            measure("move", EACH, () -> queue.moved(messages / 2, (1L << 40) + moves++, 100));
            measure("shedding", 1, this::shed);
            measure("expiry", HOUR_IN_STEPS + EACH, () -> {
                clock.advance(STEP);
                loop.tick();
            });
            measure("end", 1, queue::close);
            SubscriptionQueue held = queue("held", 2);
            holdAll(held);
            measure("view of held", EACH, () -> held.snapshot().size());
            measure("end of held", 1, held::close);
            return all;
        }

        /** A consumer of an earlier life has all messages. */
        private void holdAll(SubscriptionQueue held) {
            for (int i = 1; i <= messages; i++) {
                held.restoreInFlight(i, i * 100L, 100, Message.NEVER, null);
            }
        }

        private void fill() {
            long expiresNs = clock.nanoTime() + TimeUnit.HOURS.toNanos(1);
            int kept = messages / KEPT_PART;
            for (int i = 1; i <= messages - kept; i++) {
                queue.restore(i, i * 100L, 100, i % 50 == 0 ? expiresNs : Message.NEVER, i % 7 == 0 ? OPTIONS : null);
            }
            for (int i = 0; i < kept; i++) {
                long reference = queue.nextReference();
                assertThat(queue.reserve()).isEqualTo(Reservation.GRANTED);
                queue.putStored(AnsweringStore.MESSAGE, null, reference, reference * 100, 100, loop);
            }
            for (int i = 0; i < kept; i++) {
                assertThat(queue.reserveUnstored()).isEqualTo(Reservation.GRANTED);
                queue.put(AnsweringStore.MESSAGE, null, loop);
            }
            new Turns("filling").runAll(tasks);
        }

        /** A consumer that takes some messages, and goes without having settled them. */
        private void comeAndGo(int most) {
            FakeConsumer consumer = FakeConsumer.acknowledging(most);
            queue.attach(consumer);
            loop.execute(() -> leave(consumer, most));
        }

        private void leave(FakeConsumer consumer, int most) {
            if (consumer.unsettled() < most) {
                loop.execute(() -> leave(consumer, most)); // more is being read
                return;
            }
            queue.detach(consumer);
            queue.giveBack(consumer.giveUp());
        }

        private void shed() {
            if (queue.shedPayloads()) {
                loop.executeAfterInput(this::shed);
            }
        }

        private void measure(String what, int times, Runnable action) {
            Turns turns = new Turns(what);
            for (int i = 0; i < times; i++) {
                tasks.add(action);
                turns.runAll(tasks);
            }
            all.add(turns);
        }
    }
}
