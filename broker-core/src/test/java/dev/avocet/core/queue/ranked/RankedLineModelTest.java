package dev.avocet.core.queue.ranked;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.Standing;
import dev.avocet.core.queue.reference.ReferencePages;
import dev.avocet.core.queue.reference.ReferenceView;
import dev.avocet.testkit.RandomSuite;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What waits with one priority against a sorted map: references come, go from the front, the middle and the end, and
 * come back; views are taken and looked at later.
 */
final class RankedLineModelTest {
    private static final int STEPS = 40_000;

    @TempDir
    private Path directory;

    private @Nullable ReferencePages pages;
    private final RankedReferences references = new RankedReferences(() -> pages);
    private final RankedCursor cursor = new RankedCursor();
    private final TreeMap<Long, Seen> waiting = new TreeMap<>();
    private final List<QueueEntry> gone = new ArrayList<>();
    private final Map<List<ReferenceView>, List<Seen>> views = new HashMap<>();
    private long orders;

    /** One with files, and one without. */
    private static long[] seeds() {
        return RandomSuite.seeds(2, 20);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldHoldWhatTheMapHolds(long seed) {
        Random chance = new Random(seed);
        pages = seed % 2 == 0 ? null : new ReferencePages(directory.resolve("references"), 20_000);
        boolean growing = true;
        for (int step = 0; step < STEPS; step++) {
            growing = waiting.size() > 20_000 ? false : waiting.isEmpty() || growing;
            switch (chance.nextInt(8)) {
                case 0, 1, 2 -> add(chance);
                case 3 -> takeFirst(growing ? 1 : 3);
                case 4 -> takeAny(chance, growing ? 1 : 6);
                case 5 -> comeBack(chance, pages == null ? 1 : 40);
                case 6 -> move(chance);
                default -> lookUp(chance);
            }
            if (chance.nextInt(2_000) == 0) {
                view();
            }
            if (chance.nextInt(1_000) == 0) {
                expectTheSame();
                views.forEach((chunks, seen) -> assertThat(shown(chunks)).isEqualTo(seen));
            }
        }
        expectTheSame();
        while (!waiting.isEmpty()) {
            takeFirst(1);
        }
        if (pages != null) {
            assertThat(pages.fileBytes()).as("the file").isPositive();
            pages.close();
        }
        assertThat(references.has(4)).isFalse();
        assertThat(references.stored()).isZero();
        assertThat(references.heapBytes()).as("an empty line").isLessThan(3_000);
    }

    private void add(Random chance) {
        int burst = 1 + chance.nextInt(8);
        for (int i = 0; i < burst; i++) {
            long order = ++orders;
            long deadlineNs = chance.nextInt(5) == 0 ? 1_000 + chance.nextInt(1_000) : Message.NEVER;
            DeliveryOptions options = order % 5_000 < 30 ? DeliveryOptions.of(Standing.NEW.failed(1, 0)) : null;
            int bytes = 10 + chance.nextInt(100);
            references.add(order * 3, order * 100, bytes, deadlineNs, options, order);
            waiting.put(order, new Seen(order * 3, order * 100, bytes, deadlineNs, options));
        }
    }

    private void takeFirst(int count) {
        for (int i = 0; i < count && !waiting.isEmpty(); i++) {
            assertThat(references.seek(cursor, 4, 0)).isTrue();
            assertThat(cursor.order()).isEqualTo(waiting.firstKey());
            take();
        }
    }

    private void takeAny(Random chance, int count) {
        for (int i = 0; i < count && !waiting.isEmpty(); i++) {
            Long any = waiting.ceilingKey(
                    waiting.firstKey() + chance.nextInt((int) (waiting.lastKey() - waiting.firstKey() + 1)));
            assertThat(references.locate(cursor, 4, any)).isTrue();
            take();
        }
    }

    private void take() {
        Seen before = waiting.remove(cursor.order());
        QueueEntry entry = references.take(cursor);
        assertThat(seen(entry)).isEqualTo(before);
        if (gone.size() < 500) {
            gone.add(entry);
        }
    }

    private void comeBack(Random chance, int oneIn) {
        if (!gone.isEmpty() && chance.nextInt(oneIn) == 0) {
            QueueEntry entry = gone.remove(chance.nextInt(gone.size()));
            entry.arrival = ++orders;
            entry.redelivered = chance.nextBoolean();
            if (chance.nextInt(3) == 0) {
                entry.lastValueKey = "remembered";
            }
            references.add(entry);
            waiting.put(entry.order, seen(entry));
            assertThat(references.locate(cursor, 4, entry.order)).isTrue();
            QueueEntry shown = references.take(cursor);
            assertThat(shown.arrival).isEqualTo(entry.arrival);
            assertThat(shown.redelivered).isEqualTo(entry.redelivered);
            assertThat(shown.lastValueKey).isEqualTo(entry.lastValueKey);
            references.add(shown);
        }
    }

    private void move(Random chance) {
        Long any = waiting.isEmpty() ? null : waiting.floorKey(1 + (long) chance.nextInt((int) orders));
        if (any != null) {
            Seen before = waiting.get(any);
            assertThat(references.find(cursor, before.number)).isTrue();
            cursor.chunk().move(cursor.index(), ++orders * 100, before.storedBytes + 1);
            waiting.put(
                    any,
                    new Seen(before.number, orders * 100, before.storedBytes + 1, before.deadlineNs, before.options));
        }
    }

    private void lookUp(Random chance) {
        long order = 1L + chance.nextInt((int) orders + 1);
        assertThat(references.locate(cursor, 4, order)).isEqualTo(waiting.containsKey(order));
        Long next = waiting.higherKey(order);
        assertThat(references.seek(cursor, 4, order)).isEqualTo(next != null);
        if (next != null) {
            assertThat(cursor.order()).isEqualTo(next);
        }
    }

    private void view() {
        views.put(references.views(), List.copyOf(waiting.values()));
    }

    private void expectTheSame() {
        assertThat(shown(references.views())).isEqualTo(List.copyOf(waiting.values()));
        assertThat(references.stored()).isEqualTo(waiting.size());
        List<Seen> inOrder = new ArrayList<>();
        for (boolean more = references.seek(cursor, 4, 0); more; more = cursor.advance()) {
            RankedChunk chunk = cursor.chunk();
            int index = cursor.index();
            inOrder.add(new Seen(
                    chunk.number(index),
                    chunk.position(index),
                    chunk.sizeBytes(index),
                    chunk.deadlineNs(index),
                    chunk.options(index)));
        }
        assertThat(inOrder).isEqualTo(List.copyOf(waiting.values()));
    }

    private static List<Seen> shown(List<ReferenceView> chunks) {
        List<Seen> shown = new ArrayList<>();
        chunks.forEach(chunk -> chunk.forEach((number, position, storedBytes, deadlineNs, options) ->
                shown.add(new Seen(number, position, storedBytes, deadlineNs, options))));
        return shown;
    }

    private static Seen seen(QueueEntry entry) {
        return new Seen(
                entry.number, entry.position, entry.storedBytes, entry.deadlineNs, DeliveryOptions.of(entry.standing));
    }

    private record Seen(
            long number,
            long position,
            int storedBytes,
            long deadlineNs,
            @Nullable DeliveryOptions options) {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Seen that
                    && number == that.number
                    && position == that.position
                    && storedBytes == that.storedBytes
                    && deadlineNs == that.deadlineNs
                    && DeliveryOptions.standingOf(options).equals(DeliveryOptions.standingOf(that.options));
        }

        @Override
        public int hashCode() {
            return Long.hashCode(number);
        }
    }
}
