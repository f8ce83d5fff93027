package dev.avocet.core.queue.line;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.journal.FilePlace;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.queue.reference.ReferenceSearch;
import dev.avocet.testkit.RandomSuite;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class InFlightReferencesTest {
    private static final DeliveryOptions OPTIONS =
            new DeliveryOptions(QualityOfService.AT_LEAST_ONCE, false, false, new int[] {3});

    /** What was said of one reference. */
    private record Entry(
            long number,
            long position,
            int storedBytes,
            long deadlineNs,
            @Nullable DeliveryOptions options) {}

    @Test
    void shouldBehaveLikeAMap() {
        for (long seed : RandomSuite.seeds(100)) {
            Random chance = new Random(seed);
            InFlightReferences table = new InFlightReferences();
            TreeMap<Long, Entry> model = new TreeMap<>();
            long next = chance.nextBoolean() ? 1 : chance.nextLong() >>> 2;
            int most = 1 + chance.nextInt(3000);
            boolean special = chance.nextBoolean();
            InFlightReferences view = table.view();
            TreeMap<Long, Entry> viewed = new TreeMap<>();
            for (int step = 0; step < 10_000; step++) {
                if (model.size() < most && chance.nextInt(100) < 60) {
                    next += chance.nextInt(3) == 0 ? 1 + chance.nextInt(100) : 1;
                    Entry entry = new Entry(
                            next,
                            FilePlace.of(chance.nextInt(5), chance.nextInt(1000)),
                            chance.nextInt(1000),
                            special && chance.nextInt(5) == 0 ? chance.nextLong() : Message.NEVER,
                            special && chance.nextInt(5) == 0 ? OPTIONS : null);
                    model.put(next, entry);
                    table.add(next, entry.position(), entry.storedBytes(), entry.deadlineNs(), entry.options());
                } else if (chance.nextInt(1000) == 0) {
                    check(view, viewed);
                    view = table.view();
                    viewed = new TreeMap<>(model);
                } else if (!model.isEmpty()) {
                    Long lowest = model.firstKey() + chance.nextInt(50);
                    Long number = model.floorKey(lowest);
                    model.remove(number);
                    table.remove(table.find(number));
                    assertThat(table.find(number)).isNegative();
                }
                assertThat(table.size()).as("seed %d", seed).isEqualTo(model.size());
            }
            check(table, model);
            check(view, viewed);
            check(table.view(), model);
        }
    }

    @Test
    void shouldShowInAViewWhatWasThereThen() {
        InFlightReferences table = new InFlightReferences();
        table.add(1, 10, 100, 5, OPTIONS);
        InFlightReferences view = table.view();

        table.move(table.find(1), 20, 50);
        table.add(2, 10, 100, 6, null);
        table.remove(table.find(1));

        TreeMap<Long, Entry> model = new TreeMap<>();
        model.put(1L, new Entry(1, 10, 100, 5, OPTIONS));
        check(view, model);
    }

    @Test
    void shouldShowThoseOfOneSegment() {
        InFlightReferences table = new InFlightReferences();
        for (int i = 1; i <= 100; i++) {
            table.add(i, FilePlace.of(i % 4, i), 1, Message.NEVER, null);
        }
        List<Long> found = new ArrayList<>();

        ReferenceSearch search = new ReferenceSearch(
                FilePlace.of(3, 0), FilePlace.of(4, 0), table.view().walk(), List.of());
        while (search.step((reference, position, storedBytes, deadlineNs, options) -> found.add(reference))) {
            // a part at a time
        }

        assertThat(found)
                .hasSize(25)
                .allSatisfy(number -> assertThat(number % 4).isEqualTo(3));
    }

    private static void check(InFlightReferences table, Map<Long, Entry> model) {
        List<Entry> shown = new ArrayList<>();
        table.forEach((reference, position, storedBytes, deadlineNs, options) ->
                shown.add(new Entry(reference, position, storedBytes, deadlineNs, options)));
        assertThat(shown).containsExactlyElementsOf(model.values());
        model.values()
                .forEach(entry ->
                        assertThat(table.position(table.find(entry.number()))).isEqualTo(entry.position()));
    }
}
