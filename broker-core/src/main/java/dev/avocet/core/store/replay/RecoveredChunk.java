package dev.avocet.core.store.replay;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.queue.reference.ReferencePages;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Some references of a queue, sorted by their numbers: 16 bytes for each, and more only where one expires or has
 * options of its own. One that is over leaves a gap, which is closed when there are many. One owner.
 */
final class RecoveredChunk {
    static final int MAX_SIZE = 512;
    private static final int REFERENCE_BYTES = 16;
    private static final int OBJECT_BYTES = 136;
    private static final int FIRST_CAPACITY = 4;
    private static final int SMALL_CAPACITY = 32;
    /** Numbers of one chunk differ in these bits only. */
    private static final int NUMBER_BITS = 31;

    private static final long OVER = 0;
    private static final int ABSENT = -1;

    private long base;
    private int[] numbers = new int[FIRST_CAPACITY];
    private long[] positions = new long[FIRST_CAPACITY];
    private int[] storedBytes = new int[FIRST_CAPACITY];
    private long @Nullable [] expiries;
    private @Nullable DeliveryOptions @Nullable [] options;
    private int size;
    private int live;
    /** Where the columns lie in a file, and not here. */
    private ReferencePages.@Nullable Page page;

    private int frozenCapacity;
    private boolean frozenExpires;
    private long frozenFirst;
    private long frozenLast;

    RecoveredChunk(long firstNumber) {
        base = baseOf(firstNumber);
    }

    /** What it takes of the heap, options not included. */
    long heapBytes() {
        return OBJECT_BYTES + numbers.length * (REFERENCE_BYTES + (expiries == null ? 0L : Long.BYTES));
    }

    /** True while the columns lie in a file: nothing can be asked for but what is true of the whole chunk. */
    boolean isFrozen() {
        return page != null;
    }

    /** Has the columns lie in a file, if that can be written; options stay, as there are few kinds of them. */
    void freeze(ReferencePages pages) {
        if (page != null || live == 0) {
            return;
        }
        long[] itsExpiries = expiries;
        ByteBuffer content = ByteBuffer.allocate(bytes(itsExpiries != null));
        for (int i = 0; i < size; i++) {
            content.putInt(numbers[i]).putLong(positions[i]).putInt(storedBytes[i]);
            if (itsExpiries != null) {
                content.putLong(itsExpiries[i]);
            }
        }
        frozenFirst = first();
        frozenLast = last();
        frozenExpires = itsExpiries != null;
        frozenCapacity = numbers.length;
        page = pages.write(content.flip());
        if (page != null) {
            numbers = new int[0];
            positions = new long[0];
            storedBytes = new int[0];
            expiries = null;
        }
    }

    /** Reads the columns back. */
    void thaw(ReferencePages pages) {
        ReferencePages.Page from = page;
        if (from != null) {
            read(pages, from);
            pages.free(from);
            page = null;
        }
    }

    private void read(ReferencePages pages, ReferencePages.Page from) {
        ByteBuffer content = pages.read(from, bytes(frozenExpires));
        numbers = new int[frozenCapacity];
        positions = new long[frozenCapacity];
        storedBytes = new int[frozenCapacity];
        long[] itsExpiries = frozenExpires ? new long[frozenCapacity] : null;
        for (int i = 0; i < size; i++) {
            numbers[i] = content.getInt();
            positions[i] = content.getLong();
            storedBytes[i] = content.getInt();
            if (itsExpiries != null) {
                itsExpiries[i] = content.getLong();
            }
        }
        expiries = itsExpiries;
    }

    private int bytes(boolean withExpiries) {
        return size * (REFERENCE_BYTES + (withExpiries ? Long.BYTES : 0));
    }

    /** Shows all, and leaves the columns in the file if they are there. */
    void forEach(@Nullable ReferencePages pages, RecoveredQueue.Visitor visitor) {
        ReferencePages.Page from = page;
        if (from == null || pages == null) {
            forEach(visitor);
            return;
        }
        read(pages, from);
        forEach(visitor);
        numbers = new int[0];
        positions = new long[0];
        storedBytes = new int[0];
        expiries = null;
    }

    /** True when the number may stand in this chunk as far as its size is concerned. */
    boolean isFor(long number) {
        return baseOf(number) == base;
    }

    boolean isFull() {
        return size == MAX_SIZE;
    }

    int live() {
        return live;
    }

    /** The lowest number, of references that are over too. */
    long first() {
        return page != null ? frozenFirst : base + numbers[0];
    }

    long last() {
        return page != null ? frozenLast : base + numbers[size - 1];
    }

    /** Where the number is; negative when it is not there. */
    int indexOf(long number) {
        if (size == 0 || !isFor(number)) {
            return ABSENT;
        }
        int wanted = (int) (number - base);
        int guess = wanted - numbers[0]; // right when no number is missing
        if (guess >= 0 && guess < size && numbers[guess] == wanted) {
            return guess;
        }
        return Arrays.binarySearch(numbers, 0, size, wanted);
    }

    /** Index of the first reference with this number or a higher one. */
    int firstFrom(long number) {
        if (size == 0 || number <= first()) {
            return 0;
        }
        if (number > last()) {
            return size;
        }
        int index = indexOf(number);
        return index >= 0 ? index : -index - 1;
    }

    /** Adds a reference that is not there, for whose number there is room. */
    void insert(long number, long position, int bytes, long expiryWallMs, @Nullable DeliveryOptions its) {
        ensureRoom();
        int at = firstFrom(number);
        if (at < size) {
            shift(at);
        }
        numbers[at] = (int) (number - base);
        positions[at] = OVER;
        size++;
        set(at, position, bytes, expiryWallMs, its);
    }

    /** Says of a reference that is there, or was, where it lies now: the later place is true. */
    void set(int index, long position, int bytes, long expiryWallMs, @Nullable DeliveryOptions its) {
        if (positions[index] == OVER) {
            live++;
        }
        moved(index, position, bytes);
        if (expiryWallMs != RecoveredQueue.NEVER || expiries != null) {
            expiries()[index] = expiryWallMs;
        }
        if (its != null || options != null) {
            options()[index] = its;
        }
    }

    /** The message of a reference lies elsewhere now, if that is later. */
    void moved(int index, long position, int bytes) {
        if (position > positions[index]) {
            positions[index] = position;
            storedBytes[index] = bytes;
        }
    }

    boolean isLive(int index) {
        return positions[index] != OVER;
    }

    /** References up to a number are over, from an index on. Returns how many that were. */
    int end(int fromIndex, long untilInclusive) {
        int ended = 0;
        for (int i = fromIndex; i < size && base + numbers[i] <= untilInclusive; i++) {
            if (positions[i] != OVER) {
                positions[i] = OVER;
                ended++;
            }
        }
        live -= ended;
        return ended;
    }

    /** References up to a number, from an index on, were delivered and not acknowledged so often at least. */
    void delivered(int fromIndex, long untilInclusive, int count) {
        for (int i = fromIndex; i < size && base + numbers[i] <= untilInclusive; i++) {
            DeliveryOptions its = optionsAt(i);
            if (positions[i] != OVER && DeliveryOptions.standingOf(its).deliveryCount() < count) {
                options()[i] = DeliveryOptions.delivered(its, count);
            }
        }
    }

    /** Begins again with the same room. */
    void reuse(long firstNumber) {
        base = baseOf(firstNumber);
        size = 0;
        live = 0;
        expiries = null;
        options = null;
    }

    boolean isSmall() {
        return numbers.length <= SMALL_CAPACITY;
    }

    boolean hasGaps() {
        return live < size;
    }

    boolean isSparse() {
        return live <= size / 2 && numbers.length > FIRST_CAPACITY;
    }

    /** Closes the gaps and gives back the room. */
    void compact() {
        RecoveredChunk packed = new RecoveredChunk(base);
        packed.resize(Math.max(FIRST_CAPACITY, live));
        copyLive(0, size, packed);
        take(packed);
    }

    /**
     * Moves the upper references to a new chunk: those above the number that is to be inserted, if they are not more
     * than half. What is nearly in order fills the lower chunk nearly up that way.
     */
    RecoveredChunk split(long number) {
        int at = Math.max(firstFrom(number), size / 2);
        RecoveredChunk upper = new RecoveredChunk(base);
        copyLive(at, size, upper);
        live -= upper.live;
        size = at;
        return upper;
    }

    void forEach(RecoveredQueue.Visitor visitor) {
        for (int i = 0; i < size; i++) {
            if (positions[i] != OVER) {
                visitor.onReference(base + numbers[i], positions[i], storedBytes[i], expiry(i), optionsAt(i));
            }
        }
    }

    private void copyLive(int from, int to, RecoveredChunk target) {
        for (int i = from; i < to; i++) {
            if (positions[i] != OVER) {
                target.insert(base + numbers[i], positions[i], storedBytes[i], expiry(i), optionsAt(i));
            }
        }
    }

    private void take(RecoveredChunk other) {
        numbers = other.numbers;
        positions = other.positions;
        storedBytes = other.storedBytes;
        expiries = other.expiries;
        options = other.options;
        size = other.size;
        live = other.live;
    }

    private long expiry(int index) {
        return expiries == null ? RecoveredQueue.NEVER : expiries[index];
    }

    private @Nullable DeliveryOptions optionsAt(int index) {
        return options == null ? null : options[index];
    }

    private long[] expiries() {
        long[] present = expiries;
        if (present == null) {
            present = new long[numbers.length];
            Arrays.fill(present, RecoveredQueue.NEVER);
            expiries = present;
        }
        return present;
    }

    private @Nullable DeliveryOptions[] options() {
        @Nullable DeliveryOptions[] present = options;
        if (present == null) {
            present = new @Nullable DeliveryOptions[numbers.length];
            options = present;
        }
        return present;
    }

    private void ensureRoom() {
        if (size == numbers.length) {
            resize(Math.min(Math.max(size * 2, FIRST_CAPACITY), MAX_SIZE));
        }
    }

    private void resize(int capacity) {
        numbers = Arrays.copyOf(numbers, capacity);
        positions = Arrays.copyOf(positions, capacity);
        storedBytes = Arrays.copyOf(storedBytes, capacity);
        if (expiries != null) {
            int before = expiries.length;
            expiries = Arrays.copyOf(expiries, capacity);
            Arrays.fill(expiries, Math.min(before, capacity), capacity, RecoveredQueue.NEVER);
        }
        if (options != null) {
            options = Arrays.copyOf(options, capacity);
        }
    }

    private void shift(int at) {
        int count = size - at;
        System.arraycopy(numbers, at, numbers, at + 1, count);
        System.arraycopy(positions, at, positions, at + 1, count);
        System.arraycopy(storedBytes, at, storedBytes, at + 1, count);
        if (expiries != null) {
            System.arraycopy(expiries, at, expiries, at + 1, count);
            expiries[at] = RecoveredQueue.NEVER;
        }
        if (options != null) {
            System.arraycopy(options, at, options, at + 1, count);
            options[at] = null;
        }
    }

    private static long baseOf(long number) {
        return number >>> NUMBER_BITS << NUMBER_BITS;
    }
}
