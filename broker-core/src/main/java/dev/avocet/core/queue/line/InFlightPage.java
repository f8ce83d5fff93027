package dev.avocet.core.queue.line;

import static dev.avocet.core.queue.transit.DeliverySource.NOT_STORED;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.queue.reference.ReferenceVisitor;
import dev.avocet.core.queue.reference.TablePages;
import dev.avocet.core.queue.transit.DeliverySource;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Some of {@link InFlightReferences}: an open hash table by number, linear probing, at most half full. Home loop, and
 * the reader of a view.
 */
final class InFlightPage extends TablePages.Page<InFlightPage> {
    /** {@link DeliverySource#NOT_STORED} where a slot is free. */
    private long[] numbers;

    private long[] positions;
    private int[] storedBytes;
    /** Made for the first one that can expire. */
    private long @Nullable [] deadlinesNs;
    /** Made for the first one that has any. */
    private @Nullable DeliveryOptions @Nullable [] options;

    private int size;

    /** The first one of a table. */
    InFlightPage() {
        this(0, FIRST_CAPACITY);
    }

    private InFlightPage(int depth, int capacity) {
        super(depth);
        numbers = new long[capacity];
        positions = new long[capacity];
        storedBytes = new int[capacity];
    }

    private InFlightPage(InFlightPage other) {
        super(other.depth);
        numbers = other.numbers.clone();
        positions = other.positions.clone();
        storedBytes = other.storedBytes.clone();
        deadlinesNs = other.deadlinesNs == null ? null : other.deadlinesNs.clone();
        options = other.options == null ? null : other.options.clone();
        size = other.size;
    }

    @Override
    protected InFlightPage copy() {
        return new InFlightPage(this);
    }

    @Override
    protected InFlightPage deeper() {
        return new InFlightPage(depth + 1, MAX_CAPACITY);
    }

    @Override
    protected void copyTo(InFlightPage lower, InFlightPage upper) {
        forEach((number, position, bytes, deadlineNs, its) ->
                (isUpper(number) ? upper : lower).add(number, position, bytes, deadlineNs, its));
    }

    int size() {
        return size;
    }

    @Override
    protected long heapBytes() {
        int perSlot = 2 * Long.BYTES
                + Integer.BYTES
                + (deadlinesNs == null ? 0 : Long.BYTES)
                + (options == null ? 0 : Integer.BYTES);
        return (long) perSlot * numbers.length;
    }

    /** True when it has to become two before another one is added. */
    boolean isFull() {
        return size * 2 >= numbers.length && numbers.length >= MAX_CAPACITY && maySplit();
    }

    void add(long number, long position, int bytes, long deadlineNs, @Nullable DeliveryOptions its) {
        if (size * 2 >= numbers.length) {
            grow();
        }
        int slot = home(number);
        while (numbers[slot] != NOT_STORED) {
            slot = after(slot);
        }
        numbers[slot] = number;
        positions[slot] = position;
        storedBytes[slot] = bytes;
        setDeadline(slot, deadlineNs);
        options(slot, its);
        size++;
    }

    /** The slot of a number, or -1. */
    int find(long number) {
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

    void options(int slot, @Nullable DeliveryOptions of) {
        if (options == null) {
            if (of == null) {
                return;
            }
            options = new DeliveryOptions[numbers.length];
        }
        options[slot] = of;
    }

    void move(int slot, long newPosition, int newStoredBytes) {
        positions[slot] = newPosition;
        storedBytes[slot] = newStoredBytes;
    }

    /** Frees a slot and closes the gap, so that no search stops there too early. */
    void remove(int slot) {
        size--;
        int gap = slot;
        for (int i = after(gap); numbers[i] != NOT_STORED; i = after(i)) {
            int distance = (i - home(numbers[i])) & (numbers.length - 1);
            if (distance >= ((i - gap) & (numbers.length - 1))) {
                copy(i, gap);
                gap = i;
            }
        }
        numbers[gap] = NOT_STORED;
        options(gap, null);
    }

    /** In no order. */
    void forEach(ReferenceVisitor visitor) {
        for (int slot = 0; slot < numbers.length; slot++) {
            if (numbers[slot] != NOT_STORED) {
                show(slot, visitor);
            }
        }
    }

    void show(int slot, ReferenceVisitor visitor) {
        visitor.onReference(numbers[slot], positions[slot], storedBytes[slot], deadlineNs(slot), options(slot));
    }

    private void grow() {
        InFlightPage smaller = new InFlightPage(this, numbers);
        int capacity = numbers.length * 2;
        numbers = new long[capacity];
        positions = new long[capacity];
        storedBytes = new int[capacity];
        deadlinesNs = null;
        options = null;
        size = 0;
        smaller.forEach(this::add);
    }

    /** Takes over what the other has. */
    private InFlightPage(InFlightPage other, long[] itsNumbers) {
        super(other.depth);
        numbers = itsNumbers;
        positions = other.positions;
        storedBytes = other.storedBytes;
        deadlinesNs = other.deadlinesNs;
        options = other.options;
        size = other.size;
    }

    private void copy(int from, int to) {
        numbers[to] = numbers[from];
        positions[to] = positions[from];
        storedBytes[to] = storedBytes[from];
        setDeadline(to, deadlineNs(from));
        options(to, options(from));
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

    private int home(long number) {
        return home(number, numbers.length);
    }

    private int after(int slot) {
        return slot + 1 & (numbers.length - 1);
    }
}
