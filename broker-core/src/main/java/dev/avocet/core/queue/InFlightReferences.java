package dev.avocet.core.queue;

import static dev.avocet.core.queue.DeliverySource.NOT_STORED;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The references that consumers have and have not settled: an open hash table by number, linear probing, at most half
 * full. Whoever looks for a number gets a slot, which is good until the next change. Home loop; a copy is its taker's.
 */
final class InFlightReferences {
    private static final int FIRST_CAPACITY = 8;
    private static final int KEPT_CAPACITY = 1024;
    /** 2^64 divided by the golden ratio: successive numbers land far from each other. */
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private static final long[] NO_NUMBERS = {};
    private static final int[] NO_SIZES = {};

    /** {@link DeliverySource#NOT_STORED} where a slot is free. */
    private long[] numbers = NO_NUMBERS;

    private long[] positions = NO_NUMBERS;
    private int[] storedBytes = NO_SIZES;
    /** Made for the first one that can expire. */
    private long @Nullable [] deadlinesNs;
    /** Made for the first one that has any. */
    private @Nullable DeliveryOptions @Nullable [] options;

    private int size;

    InFlightReferences() {}

    private InFlightReferences(InFlightReferences other) {
        numbers = other.numbers.clone();
        positions = other.positions.clone();
        storedBytes = other.storedBytes.clone();
        deadlinesNs = other.deadlinesNs == null ? null : other.deadlinesNs.clone();
        options = other.options == null ? null : other.options.clone();
        size = other.size;
    }

    int size() {
        return size;
    }

    /** What the table takes of the heap. */
    long heapBytes() {
        int perSlot = 2 * Long.BYTES
                + Integer.BYTES
                + (deadlinesNs == null ? 0 : Long.BYTES)
                + (options == null ? 0 : Integer.BYTES);
        return (long) perSlot * numbers.length;
    }

    void add(long number, long position, int storedBytes, long deadlineNs, @Nullable DeliveryOptions options) {
        if (size * 2 >= numbers.length) {
            grow();
        }
        int slot = home(number);
        while (numbers[slot] != NOT_STORED) {
            slot = after(slot);
        }
        numbers[slot] = number;
        this.positions[slot] = position;
        this.storedBytes[slot] = storedBytes;
        setDeadline(slot, deadlineNs);
        setOptions(slot, options);
        size++;
    }

    /** The slot of a number, or -1. */
    int find(long number) {
        if (size == 0) {
            return -1;
        }
        int slot = home(number);
        while (numbers[slot] != number) {
            if (numbers[slot] == NOT_STORED) {
                return -1;
            }
            slot = after(slot);
        }
        return slot;
    }

    long position(int slot) {
        return positions[slot];
    }

    int storedBytes(int slot) {
        return storedBytes[slot];
    }

    long deadlineNs(int slot) {
        return deadlinesNs == null ? Message.NEVER : deadlinesNs[slot];
    }

    @Nullable DeliveryOptions options(int slot) {
        return options == null ? null : options[slot];
    }

    /** Deliveries that have begun and failed, as the store knows. */
    int deliveryCount(int slot) {
        return DeliveryOptions.standingOf(options(slot)).deliveryCount();
    }

    void delivered(int slot, int count) {
        setOptions(slot, DeliveryOptions.delivered(options(slot), count));
    }

    void move(int slot, long newPosition, int newStoredBytes) {
        positions[slot] = newPosition;
        storedBytes[slot] = newStoredBytes;
    }

    /** Frees a slot and closes the gap, so that nobody stops looking there too early. */
    void remove(int slot) {
        size--;
        if (size == 0 && numbers.length > KEPT_CAPACITY) {
            clear();
            return;
        }
        int gap = slot;
        for (int i = after(gap); numbers[i] != NOT_STORED; i = after(i)) {
            int distance = (i - home(numbers[i])) & (numbers.length - 1);
            if (distance >= ((i - gap) & (numbers.length - 1))) {
                copy(i, gap);
                gap = i;
            }
        }
        numbers[gap] = NOT_STORED;
        setOptions(gap, null);
    }

    void clear() {
        numbers = NO_NUMBERS;
        positions = NO_NUMBERS;
        storedBytes = NO_SIZES;
        deadlinesNs = null;
        options = null;
        size = 0;
    }

    InFlightReferences copy() {
        return new InFlightReferences(this);
    }

    /** Shows all in the order of their numbers. */
    void forEach(ReferenceVisitor visitor) {
        IntStream.range(0, numbers.length)
                .filter(slot -> numbers[slot] != NOT_STORED)
                .boxed()
                .sorted((a, b) -> Long.compare(numbers[a], numbers[b]))
                .forEach(slot -> show(slot, visitor));
    }

    /** Leaves this one empty. */
    InFlightReferences takeAll() {
        InFlightReferences all = new InFlightReferences();
        all.takeOver(this);
        return all;
    }

    /** Slots, free ones among them. */
    int capacity() {
        return numbers.length;
    }

    void forEachPlace(int fromSlot, int toSlot, PlaceVisitor visitor) {
        for (int slot = fromSlot; slot < toSlot; slot++) {
            if (numbers[slot] != NOT_STORED) {
                visitor.onPlace(positions[slot], storedBytes[slot]);
            }
        }
    }

    /** Sees where messages lie. */
    @FunctionalInterface
    interface PlaceVisitor {
        void onPlace(long position, int storedBytes);
    }

    /** True when a reference is in flight and counts as delivered for the first time. */
    boolean isNotNoted(long reference) {
        int slot = find(reference);
        return slot >= 0 && deliveryCount(slot) == 0;
    }

    /** Those of the references that are in flight count as delivered once more. */
    void noteDelivered(long[] references, Noted noted) {
        for (long reference : references) {
            int slot = find(reference);
            if (slot >= 0) {
                int count = deliveryCount(slot) + 1;
                delivered(slot, count);
                noted.onDelivered(reference, count);
            }
        }
    }

    void forEachIn(long from, long until, ReferenceVisitor visitor) {
        for (int slot = 0; slot < numbers.length; slot++) {
            if (numbers[slot] != NOT_STORED && positions[slot] >= from && positions[slot] < until) {
                show(slot, visitor);
            }
        }
    }

    private void show(int slot, ReferenceVisitor visitor) {
        visitor.onReference(numbers[slot], positions[slot], storedBytes[slot], deadlineNs(slot), options(slot));
    }

    private void grow() {
        InFlightReferences smaller = new InFlightReferences();
        smaller.takeOver(this);
        int capacity = Math.max(FIRST_CAPACITY, smaller.numbers.length * 2);
        numbers = new long[capacity];
        positions = new long[capacity];
        storedBytes = new int[capacity];
        for (int slot = 0; slot < smaller.numbers.length; slot++) {
            if (smaller.numbers[slot] != NOT_STORED) {
                add(
                        smaller.numbers[slot],
                        smaller.positions[slot],
                        smaller.storedBytes[slot],
                        smaller.deadlineNs(slot),
                        smaller.options(slot));
            }
        }
    }

    private void takeOver(InFlightReferences other) {
        numbers = other.numbers;
        positions = other.positions;
        storedBytes = other.storedBytes;
        deadlinesNs = other.deadlinesNs;
        options = other.options;
        size = other.size;
        other.clear();
    }

    private void copy(int from, int to) {
        numbers[to] = numbers[from];
        positions[to] = positions[from];
        storedBytes[to] = storedBytes[from];
        setDeadline(to, deadlineNs(from));
        setOptions(to, options(from));
    }

    private void setDeadline(int slot, long deadlineNs) {
        if (deadlinesNs == null) {
            if (deadlineNs == Message.NEVER) {
                return;
            }
            deadlinesNs = new long[numbers.length];
            Arrays.fill(deadlinesNs, Message.NEVER);
        }
        deadlinesNs[slot] = deadlineNs;
    }

    private void setOptions(int slot, @Nullable DeliveryOptions of) {
        if (options == null) {
            if (of == null) {
                return;
            }
            options = new DeliveryOptions[numbers.length];
        }
        options[slot] = of;
    }

    private int home(long number) {
        return (int) (number * SPREAD >>> Integer.numberOfLeadingZeros(numbers.length) + 33);
    }

    private int after(int slot) {
        return slot + 1 & (numbers.length - 1);
    }

    /** Hears of references that count as delivered once more. */
    @FunctionalInterface
    interface Noted {
        void onDelivered(long reference, int count);
    }
}
