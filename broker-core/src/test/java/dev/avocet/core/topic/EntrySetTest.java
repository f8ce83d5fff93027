package dev.avocet.core.topic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class EntrySetTest {
    /** Equal to every other one, so that only identity can tell them apart. */
    private static final class Entry {
        @Override
        public boolean equals(Object other) {
            return other instanceof Entry;
        }

        @Override
        public int hashCode() {
            return 7;
        }
    }

    @Test
    void shouldHoldWhatWasAddedThroughGrowthAndShrinkage() {
        // given
        SplittableRandom random = new SplittableRandom(1);
        List<Entry> entries = new ArrayList<>();
        Set<Entry> expected = Collections.newSetFromMap(new IdentityHashMap<>());
        EntrySet<Entry> set = null;

        // when it grows to thousands and shrinks to nothing
        for (int i = 0; i < 5_000; i++) {
            Entry entry = new Entry();
            set = set == null ? new OneEntry<>(entry) : set.with(entry);
            entries.add(entry);
            expected.add(entry);
            if (i % 97 == 0) {
                assertHolds(set, expected);
            }
        }
        while (set != null) {
            Entry gone = entries.remove(random.nextInt(entries.size()));
            assertThat(set.contains(gone)).isTrue();
            set = set.without(gone);
            expected.remove(gone);
            if (set != null) {
                assertThat(set.contains(gone)).isFalse();
                if (entries.size() % 97 == 0 || entries.size() < 40) {
                    assertHolds(set, expected);
                }
            }
        }

        // then
        assertThat(expected).isEmpty();
    }

    @Test
    void shouldNotChangeWhatAReaderHolds() {
        // given
        List<Entry> entries = new ArrayList<>();
        EntrySet<Entry> set = new OneEntry<>(new Entry());
        set.forEach(entries::add);
        for (int i = 0; i < 500; i++) {
            Entry entry = new Entry();
            entries.add(entry);
            set = set.with(entry);
        }
        Set<Entry> before = Collections.newSetFromMap(new IdentityHashMap<>());
        before.addAll(entries);

        // when
        EntrySet<Entry> changed = set.without(entries.get(100));
        for (int i = 0; i < 2_000 && changed != null; i++) {
            changed = changed.with(new Entry());
        }

        // then
        assertHolds(set, before);
    }

    private static void assertHolds(EntrySet<Entry> set, Set<Entry> expected) {
        Set<Entry> actual = Collections.newSetFromMap(new IdentityHashMap<>());
        int[] visits = new int[1];
        set.forEach(entry -> {
            visits[0]++;
            actual.add(entry);
        });
        assertThat(visits[0]).isEqualTo(expected.size());
        assertThat(set.size()).isEqualTo(expected.size());
        assertThat(actual.containsAll(expected)).isTrue();
        assertThat(actual).hasSize(expected.size());
    }
}
