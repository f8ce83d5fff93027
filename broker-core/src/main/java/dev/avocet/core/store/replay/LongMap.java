package dev.avocet.core.store.replay;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** A map from numbers to objects that makes none of its own. Nothing is ever removed. One owner. */
final class LongMap<V> {
    private static final int FIRST_CAPACITY = 16;

    private long[] keys = new long[FIRST_CAPACITY];
    private Object[] values = new Object[FIRST_CAPACITY];
    private int size;

    int size() {
        return size;
    }

    @SuppressWarnings("unchecked") // only put stores values
    @Nullable V get(long key) {
        return (V) values[slot(key)];
    }

    /** The value of the key, which is made if there is none. */
    V getOrMake(long key, LongFunction<V> maker) {
        V present = get(key);
        if (present != null) {
            return present;
        }
        V made = maker.apply(key);
        put(key, made);
        return made;
    }

    void put(long key, V value) {
        int slot = slot(key);
        if (values[slot] == null) {
            size++;
        }
        keys[slot] = key;
        values[slot] = value;
        if (size * 2 > keys.length) {
            grow();
        }
    }

    /** Shows each key and its value, in no order. */
    @SuppressWarnings("unchecked") // only put stores values
    void forEach(Visitor<V> visitor) {
        for (int i = 0; i < keys.length; i++) {
            if (values[i] != null) {
                visitor.onEntry(keys[i], (V) values[i]);
            }
        }
    }

    /** A copy of the values, in no order. */
    @SuppressWarnings("unchecked") // only put stores values
    List<V> values() {
        List<V> all = new ArrayList<>(size);
        for (Object value : values) {
            if (value != null) {
                all.add((V) value);
            }
        }
        return all;
    }

    /** Becomes the same as another map, which must not be used any more. */
    void takeFrom(LongMap<V> other) {
        keys = other.keys;
        values = other.values;
        size = other.size;
    }

    void clear() {
        keys = new long[FIRST_CAPACITY];
        values = new Object[FIRST_CAPACITY];
        size = 0;
    }

    /** Where the key is, or may be put. */
    private int slot(long key) {
        int mask = keys.length - 1;
        long mixed = key * 0x9E37_79B9_7F4A_7C15L;
        int slot = (int) (mixed >>> 32) & mask;
        while (values[slot] != null && keys[slot] != key) {
            slot = slot + 1 & mask;
        }
        return slot;
    }

    /** Sees keys and values. */
    @FunctionalInterface
    interface Visitor<V> {
        void onEntry(long key, V value);
    }

    private void grow() {
        long[] oldKeys = keys;
        Object[] oldValues = values;
        keys = new long[oldKeys.length * 2];
        values = new Object[oldKeys.length * 2];
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldValues[i] != null) {
                int slot = slot(oldKeys[i]);
                keys[slot] = oldKeys[i];
                values[slot] = oldValues[i];
            }
        }
    }
}
