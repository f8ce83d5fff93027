package dev.avocet.core.store.entry;

import java.util.Arrays;

/**
 * References of one queue, mostly those that were acknowledged in a batch, written as ranges of their numbers. Nearly
 * always they come in order and make one range.
 */
public final class AcknowledgementRanges {
    private static final int FIRST_CAPACITY = 64;
    private static final int NUMBER_BYTES_MAX = 10;
    private static final int RANGE_BYTES_MAX = 2 * NUMBER_BYTES_MAX;
    private static final int HEAD_BYTES_MAX = EntryFormat.PREFIX_BYTES + 2 * NUMBER_BYTES_MAX;
    /** With this much room something can be written. */
    public static final int ROOM_BYTES_MIN = HEAD_BYTES_MAX + RANGE_BYTES_MAX;

    private final long queueId;
    private long[] numbers = new long[FIRST_CAPACITY];
    private int size;
    private boolean inOrder = true;

    public AcknowledgementRanges(long queueId) {
        this.queueId = queueId;
    }

    /** True when there is nothing to write. */
    public boolean isEmpty() {
        return size == 0;
    }

    /** Adds a reference; in the order of the numbers it costs nothing. */
    public void add(long number) {
        if (size == numbers.length) {
            numbers = Arrays.copyOf(numbers, size * 2);
        }
        inOrder &= size == 0 || numbers[size - 1] < number;
        numbers[size++] = number;
    }

    /**
     * Writes an entry with as many ranges as fit, at least one, and forgets their numbers.
     *
     * @param roomBytes what the entry may take, {@link #ROOM_BYTES_MIN} or more
     */
    public void write(EntryWriter out, int roomBytes) {
        out.begin(EntryKind.ACKNOWLEDGE);
        writeRanges(out, (roomBytes - HEAD_BYTES_MAX) / RANGE_BYTES_MAX);
    }

    /** Writes all of them, as an acknowledgement that counts once its transaction is committed. */
    public void writeFor(long transactionId, EntryWriter out) {
        out.begin(EntryKind.TRANSACTION_ACKNOWLEDGE);
        out.number(transactionId);
        writeRanges(out, Integer.MAX_VALUE);
    }

    /** Writes all of them, as delivered and not acknowledged so often. */
    public void writeDelivered(int count, EntryWriter out) {
        out.begin(EntryKind.DELIVERED);
        out.number(count);
        writeRanges(out, Integer.MAX_VALUE);
    }

    private void writeRanges(EntryWriter out, int max) {
        if (!inOrder) {
            Arrays.sort(numbers, 0, size);
            inOrder = true;
        }
        int count = countRanges(max);
        out.number(queueId);
        out.number(count);
        long end = 0;
        int written = 0;
        for (int range = 0; range < count; range++) {
            int last = lastOfRange(written);
            out.number(numbers[written] - end);
            out.number(numbers[last] - numbers[written]);
            end = numbers[last];
            written = last + 1;
        }
        out.end();
        size -= written;
        System.arraycopy(numbers, written, numbers, 0, size);
    }

    private int countRanges(int max) {
        int count = 0;
        for (int i = 0; i < size && count < max; i = lastOfRange(i) + 1) {
            count++;
        }
        return count;
    }

    private int lastOfRange(int first) {
        int last = first;
        while (last + 1 < size && numbers[last + 1] - numbers[last] <= 1) {
            last++;
        }
        return last;
    }
}
