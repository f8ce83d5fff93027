package dev.avocet.core.queue;

import static dev.avocet.core.queue.Messages.expiring;
import static dev.avocet.core.queue.Messages.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.config.object.policy.FullBehavior;
import dev.avocet.core.journal.FilePlace;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.queue.reference.QueueSnapshot;
import dev.avocet.core.queue.reference.ReadAheadLimits;
import dev.avocet.core.queue.reference.ReferencePages;
import dev.avocet.core.queue.reference.ReferenceSearch;
import dev.avocet.core.queue.reference.ReferenceVisitor;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.queue.room.Reservation;
import dev.avocet.core.queue.transit.Unsettled;
import dev.avocet.testkit.ManualLoops;
import dev.avocet.testkit.RandomSuite;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A durable queue loses, doubles and reorders nothing, tells the store of every reference exactly once, and can say at
 * any moment what it holds, whatever happens in which order and however little memory there is.
 */
class DurableQueueModelTest {
    private static final int LOOPS = 3;
    private static final int SEEDS = 3000;
    private static final DeliveryOptions OPTIONS =
            new DeliveryOptions(QualityOfService.AT_LEAST_ONCE, false, false, new int[] {3});

    @TempDir
    private Path directory;

    @Test
    void shouldKeepItsPromisesInRandomOrders() {
        play(SEEDS, null);
    }

    @Test
    void shouldKeepItsPromisesWithNextToNoHeapForReferences() {
        // given
        try (ReferencePages pages = new ReferencePages(directory.resolve("references"), 0)) {

            // when
            play(SEEDS / 10, pages);

            // then
            assertThat(pages.fileBytes()).as("what went to the file").isPositive();
        }
    }

    private static void play(int seeds, @Nullable ReferencePages pages) {
        for (long seed : RandomSuite.seeds(seeds)) {
            Play play = new Play(seed, pages);
            try {
                play.run();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
    }

    /** A message that a loop has written and will put once it is durable. */
    private record Written(Message message, @Nullable DeliveryOptions options, long reference, long position) {}

    /** What a snapshot should show: where everything lay at its time. */
    private record Remembered(QueueSnapshot snapshot, Map<Long, Long> places) {}

    private static final class Play {
        private final Random chance;
        private final ManualLoops loops = new ManualLoops(LOOPS);
        private final boolean expires;
        /** Messages of a hundred that can expire. */
        private final int mortality;

        private final boolean discards;
        private final FakeQueueStore store;
        private final SubscriptionQueue queue;
        private final int maxMessages;
        /** Fewer are written at once. */
        private final int burst;

        private final int[] sent = new int[LOOPS];
        private final int[] last = {-1, -1, -1};
        private final List<Deque<Written>> uncommitted =
                List.of(new ArrayDeque<>(), new ArrayDeque<>(), new ArrayDeque<>());
        private final Set<Long> put = new HashSet<>();
        private final Map<Long, @Nullable DeliveryOptions> options = new HashMap<>();
        private final List<Remembered> snapshots = new ArrayList<>();
        private FakeConsumer consumer = FakeConsumer.acknowledging(0);
        /** Those of consumers that are gone: they still settle what they had. */
        private final List<FakeConsumer> former = new ArrayList<>();

        private boolean attached;
        private int checked;

        /** @param pages for what the heap has no room for; there are more messages then */
        Play(long seed, @Nullable ReferencePages pages) {
            chance = new Random(seed);
            int generosity = chance.nextInt(4) * 10;
            store = new FakeQueueStore(sizeBytes -> chance.nextInt(100) < generosity);
            expires = seed % 3 == 1;
            mortality = 50 + chance.nextInt(51);
            discards = seed % 3 == 2;
            burst = pages == null ? 5 : 150;
            maxMessages = 10 + chance.nextInt(12 * burst);
            if (pages != null) {
                store.pages(pages);
            }
            queue = new SubscriptionQueue(
                    "model",
                    loops.io(0),
                    new QueueLimits(
                            maxMessages, 0, discards ? FullBehavior.DISCARD_OLD_MESSAGES : FullBehavior.BACKPRESSURE),
                    0);
            queue.makeDurable(
                    FakeQueueStore.QUEUE_ID,
                    store,
                    new ReadAheadLimits(1 + chance.nextInt(8), 100 + chance.nextInt(1000)));
        }

        void run() {
            int steps = 100 + chance.nextInt(400);
            for (int step = 0; step < steps; step++) {
                step();
                check();
            }
            if (chance.nextInt(4) == 0) {
                close();
            } else {
                finish();
            }
            assertThat(store.live).isEmpty();
            assertThat(store.keptBytes).as("memory kept").isZero();
            assertThat(total(Counter.BUFFERED_MESSAGES)).isZero();
            assertThat(total(Counter.BUFFERED_BYTES)).isZero();
            assertThat(queue.depth()).isZero();
            loops.on(queue.home().index(), queue::close);
            loops.settle(chance);
            assertThat(total(Counter.REFERENCE_BYTES)).as("heap of references").isZero();
        }

        private void step() {
            int home = queue.home().index();
            switch (chance.nextInt(17)) {
                case 0, 1 -> write(chance.nextInt(LOOPS));
                case 2, 3, 4 -> commit(chance.nextInt(LOOPS));
                case 5 -> putUnstored(chance.nextInt(LOOPS));
                case 6 -> loops.on(home, () -> consumer.makeRoom(chance.nextInt(5)));
                case 7 -> settle(home);
                case 8 -> attachOrDetach(home);
                case 9 -> moveHome(home);
                case 10, 11 -> store.answerOne();
                case 12 -> takeSnapshot(home);
                case 13 -> moveMessage(home);
                case 14 -> passTime();
                case 15 -> loops.on(home, () -> queue.shedPayloads());
                default -> loops.step(chance);
            }
        }

        private void write(int loop) {
            for (int count = chance.nextInt(burst); count > 0; count--) {
                if (queue.reserve() != Reservation.GRANTED) {
                    return;
                }
                long reference = queue.nextReference();
                Message message = next(loop);
                uncommitted
                        .get(loop)
                        .add(new Written(
                                message,
                                chance.nextInt(4) == 0 ? OPTIONS : null,
                                reference,
                                store.write(message, reference)));
            }
        }

        private void commit(int loop) {
            for (Written next = uncommitted.get(loop).poll();
                    next != null;
                    next = uncommitted.get(loop).poll()) {
                Written written = next;
                put.add(written.reference());
                options.put(written.reference(), written.options());
                loops.on(
                        loop,
                        () -> queue.putStored(
                                written.message(),
                                written.options(),
                                written.reference(),
                                written.position(),
                                FakeQueueStore.storedBytes(written.message()),
                                loops.io(loop)));
                if (chance.nextInt(2 * burst) == 0) {
                    return;
                }
            }
        }

        /** Not before what the loop has written: a loop keeps its own order. */
        private void putUnstored(int loop) {
            commit(loop);
            if (uncommitted.get(loop).isEmpty() && queue.reserve() == Reservation.GRANTED) {
                loops.on(loop, () -> queue.put(next(loop), null, loops.io(loop)));
            }
        }

        private Message next(int loop) {
            long deadlineNs = expires && chance.nextInt(100) < mortality
                    ? loops.clock().nanoTime()
                            + Duration.ofMillis(chance.nextInt(10_000)).toNanos()
                    : Message.NEVER;
            return expiring(loop + " " + sent[loop]++ + " " + "x".repeat(chance.nextInt(100)), deadlineNs);
        }

        private void settle(int home) {
            FakeConsumer settling =
                    former.isEmpty() || chance.nextBoolean() ? consumer : former.get(chance.nextInt(former.size()));
            loops.on(chance.nextInt(4) == 0 ? chance.nextInt(LOOPS) : home, settling::settleOne);
        }

        private void attachOrDetach(int home) {
            if (!attached) {
                attached = true;
                consumer = chance.nextInt(5) == 0
                        ? FakeConsumer.settling(chance.nextInt(10))
                        : FakeConsumer.acknowledging(chance.nextInt(10));
                checked = 0;
                loops.on(home, () -> queue.attach(consumer));
                return;
            }
            check();
            attached = false;
            boolean givesBack = former.isEmpty() && chance.nextBoolean();
            loops.on(home, () -> {
                queue.detach(consumer);
                if (givesBack) {
                    List<Unsettled> back = consumer.giveUp();
                    for (int i = back.size() - 1; i >= 0; i--) {
                        last[publisher(back.get(i).message())] =
                                number(back.get(i).message()) - 1;
                    }
                    queue.giveBack(back);
                }
            });
            checked = consumer.received().size();
            if (consumer.unsettled() > 0) {
                former.add(consumer); // its session goes on to settle
            }
        }

        private void moveHome(int home) {
            former.removeIf(gone -> gone.unsettled() == 0);
            if (!attached) {
                loops.on(home, () -> queue.moveTo(loops.io(chance.nextInt(LOOPS))));
            }
        }

        /** Sees what is put and not over; what is only written the store has in its log, behind. */
        private void takeSnapshot(int home) {
            loops.on(home, () -> {
                QueueSnapshot snapshot = queue.snapshot();
                Map<Long, Long> places = new TreeMap<>(store.live);
                places.keySet().retainAll(put);
                snapshots.add(new Remembered(snapshot, places));
            });
            if (chance.nextBoolean()) {
                checkOneSnapshot();
            }
        }

        private void checkOneSnapshot() {
            if (snapshots.isEmpty()) {
                return;
            }
            Remembered remembered = snapshots.remove(chance.nextInt(snapshots.size()));
            Map<Long, Long> shown = new HashMap<>();
            remembered.snapshot().forEach((reference, position, storedBytes, deadlineNs, deliveryOptions) -> {
                assertThat(shown.put(reference, position)).as("shown twice").isNull();
                assertThat(deliveryOptions).isEqualTo(options.get(reference));
                assertThat(storedBytes).isPositive();
                assertThat(reference).isLessThan(remembered.snapshot().nextReference());
            });
            assertThat(shown).isEqualTo(remembered.places());
            assertThat(remembered.snapshot().size()).isEqualTo(shown.size());
        }

        private void moveMessage(int home) {
            List<Long> candidates = new ArrayList<>(store.live.keySet());
            candidates.retainAll(put);
            if (candidates.isEmpty()) {
                loops.on(home, () -> {
                    Message gone = Messages.message("gone");
                    long position = store.copy(gone, 1_000_000);
                    assertThat(queue.moved(1_000_000, position, FakeQueueStore.storedBytes(gone)))
                            .as("unknown")
                            .isFalse();
                });
                return;
            }
            long reference = candidates.get(chance.nextInt(candidates.size()));
            int segment = FilePlace.segment(store.live.get(reference));
            loops.on(home, () -> {
                Set<Long> found = new HashSet<>();
                ReferenceSearch search = queue.search(FilePlace.of(segment, 0), FilePlace.of(segment + 1, 0));
                ReferenceVisitor visitor = (number, position, storedBytes, deadlineNs, deliveryOptions) -> {
                    assertThat(store.live.get(number)).isEqualTo(position);
                    assertThat(found.add(number)).isTrue();
                };
                while (search.step(visitor)) {
                    // a part at a time
                }
                Set<Long> expected = new HashSet<>();
                store.live.forEach((number, position) -> {
                    if (FilePlace.segment(position) == segment && put.contains(number)) {
                        expected.add(number);
                    }
                });
                assertThat(found).isEqualTo(expected);
                if (store.live.containsKey(reference)) { // looking may have let it go on to a consumer
                    long position = store.move(reference);
                    int storedBytes = FakeQueueStore.storedBytes(store.at(position));
                    assertThat(queue.moved(reference, position, storedBytes)).isTrue();
                }
            });
        }

        private void passTime() {
            if (expires) {
                loops.advance(Duration.ofMillis(chance.nextInt(2000)));
            }
        }

        /** What has come since the last check continues each publisher's numbers; gaps are for what may be dropped. */
        private void check() {
            List<Message> received = consumer.received();
            for (; checked < received.size(); checked++) {
                Message next = received.get(checked);
                int publisher = publisher(next);
                if (expires || discards) {
                    assertThat(number(next)).isGreaterThan(last[publisher]);
                } else {
                    assertThat(number(next)).as("of publisher %d", publisher).isEqualTo(last[publisher] + 1);
                }
                last[publisher] = number(next);
            }
            assertThat(queue.depth()).isLessThanOrEqualTo(discards ? 100 + 4 * maxMessages : maxMessages);
            if (!attached) {
                assertThat(total(Counter.BUFFERED_BYTES)).isNotNegative();
            }
        }

        private void close() {
            loops.on(queue.home().index(), queue::close);
            for (int loop = 0; loop < LOOPS; loop++) {
                while (!uncommitted.get(loop).isEmpty()) {
                    commit(loop);
                }
            }
            loops.settle(chance);
            while (store.answerOne()) {
                loops.settle(chance);
            }
            former.add(consumer);
            former.forEach(FakeConsumer::settleAll);
            loops.settle(chance);
        }

        private void finish() {
            for (int loop = 0; loop < LOOPS; loop++) {
                while (!uncommitted.get(loop).isEmpty()) {
                    commit(loop);
                }
            }
            loops.settle(chance);
            if (!attached) {
                attachOrDetach(queue.home().index());
            }
            int home = queue.home().index();
            loops.on(home, () -> consumer.makeRoom(10_000));
            do {
                loops.settle(chance);
            } while (store.answerOne());
            check();
            former.add(consumer);
            former.forEach(one -> loops.on(home, one::settleAll));
            for (int loop = 0; !expires && !discards && loop < LOOPS; loop++) {
                assertThat(last[loop]).as("last of loop %d", loop).isEqualTo(sent[loop] - 1);
            }
            if (!expires && !discards) {
                assertThat(store.acknowledged).isEqualTo(put.size());
            }
            while (!snapshots.isEmpty()) {
                checkOneSnapshot();
            }
            loops.settle(chance);
        }

        private long total(Counter counter) {
            return loops.all().stream()
                    .mapToLong(loop -> loop.counters().get(counter))
                    .sum();
        }

        private static int publisher(Message message) {
            return text(message).charAt(0) - '0';
        }

        private static int number(Message message) {
            return Integer.parseInt(text(message).split(" ", -1)[1]);
        }
    }
}
