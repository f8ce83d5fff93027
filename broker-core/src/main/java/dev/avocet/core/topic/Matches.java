package dev.avocet.core.topic;

import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a topic has matched: the entries of each filter, one set for each. Made anew for each topic: the collector's
 * barrier makes a reference that is stored in an object which has become old dearer than this small young one.
 *
 * <p>Owned by the caller.
 */
final class Matches<S> {
    private static final int MIN_CAPACITY = 4;

    private @Nullable EntrySet<S> first;
    /** All of them, where there are several: most topics match one filter. */
    private @Nullable EntrySet<S> @Nullable [] sets;

    private int count;
    private int entries;

    void add(@Nullable EntrySet<S> set) {
        if (set == null) {
            return;
        }
        if (count == 0) {
            first = set;
        } else {
            several()[count] = set;
        }
        count++;
        entries += set.size();
    }

    /** With room for one more. */
    private @Nullable EntrySet<S>[] several() {
        @Nullable EntrySet<S>[] present = sets;
        if (present == null) {
            present = newArray(MIN_CAPACITY);
            present[0] = first;
        } else if (count == present.length) {
            present = Arrays.copyOf(present, 2 * count);
        }
        sets = present;
        return present;
    }

    private @Nullable EntrySet<S> get(int index) {
        return sets == null ? first : sets[index];
    }

    /** The only entry; null when there is none or there are several. */
    @Nullable S only() {
        return entries == 1 && first instanceof OneEntry<S> one ? one.entry() : null;
    }

    /** How many entries they have together. */
    int entries() {
        return entries;
    }

    /** The same for the same sets in the same order. */
    int identityHash() {
        int hash = count;
        for (int i = 0; i < count; i++) {
            hash = 31 * hash + System.identityHashCode(get(i));
        }
        return hash;
    }

    /** Whether these are the very same sets in the same order. Sets are immutable, so they say the same then. */
    boolean areSame(@Nullable EntrySet<S>[] others) {
        if (others.length != count) {
            return false;
        }
        for (int i = 0; i < count; i++) {
            if (others[i] != get(i)) {
                return false;
            }
        }
        return true;
    }

    @Nullable EntrySet<S>[] toArray() {
        @Nullable EntrySet<S>[] all = newArray(count);
        Arrays.setAll(all, this::get);
        return all;
    }

    void forEach(Consumer<? super S> visitor) {
        for (int i = 0; i < count; i++) {
            EntrySet<S> set = get(i);
            if (set != null) {
                set.forEach(visitor);
            }
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // the array never leaves this object
    private static <S> @Nullable EntrySet<S>[] newArray(int capacity) {
        return new EntrySet[capacity];
    }
}
