package dev.avocet.core.store;

import java.util.Arrays;

/**
 * The references of one queue that were acknowledged in a batch, written as ranges of their numbers. Nearly always they come in order and
 * make one range.
 */
final class AcknowledgementRanges {
    private static final int FIRST_CAPACITY = 64;

    private final long queueId;
    private long[] numbers = new long[FIRST_CAPACITY];
    private int size;
    private boolean inOrder = true;

    AcknowledgementRanges(long queueId) {
        this.queueId = queueId;
    }

    boolean isEmpty() {
        return size == 0;
    }

    void add(long number) {
        if (size == numbers.length) {
            numbers = Arrays.copyOf(numbers, size * 2);
        }
        inOrder &= size == 0 || numbers[size - 1] < number;
        numbers[size++] = number;
    }

    /** Writes the entry and forgets the numbers. */
    void write(EntryWriter out) {
        out.begin(EntryKind.ACKNOWLEDGE);
        writeRanges(out);
    }

    /** The same, as an acknowledgement that counts once its transaction is committed. Returns the length of the entry. */
    int write(EntryWriter out, long transactionId) {
        out.begin(EntryKind.TRANSACTION_ACKNOWLEDGE);
        out.number(transactionId);
        return writeRanges(out);
    }

    private int writeRanges(EntryWriter out) {
        if (!inOrder) {
            Arrays.sort(numbers, 0, size);
        }
        out.number(queueId);
        out.number(countRanges());
        long end = 0;
        for (int i = 0; i < size; ) {
            int last = lastOfRange(i);
            out.number(numbers[i] - end);
            out.number(numbers[last] - numbers[i]);
            end = numbers[last];
            i = last + 1;
        }
        size = 0;
        inOrder = true;
        return out.end();
    }

    private int countRanges() {
        int count = 0;
        for (int i = 0; i < size; i = lastOfRange(i) + 1) {
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
