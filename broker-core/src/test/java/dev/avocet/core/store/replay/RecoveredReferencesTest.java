package dev.avocet.core.store.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.queue.reference.ReferencePages;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecoveredReferencesTest {
    @TempDir
    private Path directory;

    private RecoveredReferences references = new RecoveredReferences(null);
    private final TreeMap<Long, Reference> model = new TreeMap<>();

    @ParameterizedTest
    @ValueSource(ints = {1, 10, 100, 3_000})
    void shouldKeepWhatAMapKeeps(int disorder) {
        boolean paged = false;
        for (int seed = 0; seed < 8; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            references.clear();
            // the odd ones with next to no heap
            ReferencePages pages = new ReferencePages(directory.resolve("pages"), 100);
            references = new RecoveredReferences(seed % 2 == 0 ? null : pages);
            model.clear();
            long next = seed % 3 == 0 ? (1L << 31) - 2_000 : random.nextInt(100);
            for (int step = 0; step < 1_500; step++) {
                switch (random.nextInt(8)) {
                    case 0, 1, 2, 3 -> {
                        for (int i = random.nextInt(20); i >= 0; i--) {
                            put(Math.max(0, next++ - random.nextInt(disorder)), random);
                        }
                    }
                    case 4 -> move(Math.max(0, next - random.nextInt(disorder * 3 + 100)), random);
                    case 5 -> {
                        long first = model.isEmpty() ? next : model.firstKey();
                        end(first, first + random.nextInt(70));
                    }
                    case 6 -> {
                        long first = Math.max(0, next - random.nextInt(2_000));
                        end(first, first + random.nextInt(30));
                    }
                    default -> {
                        if (random.nextInt(60) == 0) {
                            end(0, next - random.nextInt(40));
                        }
                    }
                }
                if (step % 250 == 0) {
                    verify();
                }
            }
            verify();
            paged |= pages.fileBytes() > 0;
            pages.close();
        }
        assertThat(paged || disorder > 1).as("uses the file").isTrue();
    }

    @Test
    void shouldEndRangesHoweverLong() {
        // given
        for (long number = 10; number < 5_000; number += 2) {
            put(number, new SplittableRandom(number));
        }

        // when
        end(4_000, Long.MAX_VALUE);
        end(0, 1_000);

        // then
        verify();
        end(0, Long.MAX_VALUE);
        assertThat(references.live()).isZero();
        verify();
    }

    @Test
    void shouldLetGoOfWhatItShowsWhenItIsDrained() {
        // given
        for (int number = 0; number < 2_000; number++) {
            put(number, new SplittableRandom(number));
        }
        List<Long> shown = new ArrayList<>();

        // when
        int most = 0;
        boolean more = true;
        while (more) {
            int before = shown.size();
            more = references.drainPiece((number, position, storedBytes, expiry, options) -> shown.add(number));
            most = Math.max(most, shown.size() - before);
        }

        // then
        assertThat(shown).containsExactlyElementsOf(model.keySet());
        assertThat(most).isLessThanOrEqualTo(RecoveredChunk.MAX_SIZE);
        model.clear();
        verify();
    }

    private void put(long number, SplittableRandom random) {
        long position = 1L + random.nextInt(1_000_000);
        Reference present = model.get(number);
        long expiry = random.nextInt(50) == 0 ? random.nextInt() : RecoveredQueue.NEVER;
        DeliveryOptions options = random.nextInt(50) == 0 ? EntryLog.options(random.nextInt(3)) : null;
        boolean newer = present == null || position > present.position;
        references.put(number, position, (int) position / 2, expiry, options);
        model.put(number, at(newer ? position : present.position, expiry, options));
    }

    private void move(long number, SplittableRandom random) {
        long position = 1L + random.nextInt(1_000_000);
        references.move(number, position, (int) position / 2);
        model.computeIfPresent(
                number, (key, present) -> at(Math.max(position, present.position), present.expiry, present.options));
    }

    private void end(long first, long last) {
        references.end(first, last);
        model.subMap(first, true, last, true).clear();
    }

    private static Reference at(long position, long expiry, DeliveryOptions options) {
        return new Reference(position, (int) position / 2, expiry, options);
    }

    private void verify() {
        Map<Long, Reference> found = new TreeMap<>();
        List<Long> order = new ArrayList<>();
        references.forEach((number, position, storedBytes, expiry, options) -> {
            order.add(number);
            found.put(number, new Reference(position, storedBytes, expiry, options));
        });
        assertThat(order).isSorted();
        assertThat(found.equals(model)).isTrue();
        assertThat(references.live()).isEqualTo(model.size());
    }

    /** Options are compared as objects: the references keep them as they are. */
    private record Reference(long position, int storedBytes, long expiry, DeliveryOptions options) {}
}
