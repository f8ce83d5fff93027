package dev.avocet.mqtt.session;

/** Numbers, first in, first out, without an object each. Takes no room before the first. One owner. */
public final class LongRing {
    private static final int FIRST_CAPACITY = 16;
    private static final long[] NONE = {};

    private long[] numbers = NONE;
    private int head;
    private int size;

    public boolean isEmpty() {
        return size == 0;
    }

    public int size() {
        return size;
    }

    public void add(long number) {
        if (size == numbers.length) {
            grow();
        }
        numbers[(head + size++) & (numbers.length - 1)] = number;
    }

    /** The number that has been here longest; there must be one. */
    public long peek() {
        return numbers[head];
    }

    /** Removes the number that has been here longest; there must be one. */
    public long poll() {
        long number = numbers[head];
        head = (head + 1) & (numbers.length - 1);
        size--;
        if (size == 0 && numbers.length > FIRST_CAPACITY) {
            numbers = NONE; // what one burst needed is not kept for ever
            head = 0;
        }
        return number;
    }

    /** The number that is {@code index} places behind the first. */
    public long get(int index) {
        return numbers[(head + index) & (numbers.length - 1)];
    }

    private void grow() {
        long[] larger = new long[Math.max(FIRST_CAPACITY, numbers.length * 2)];
        for (int i = 0; i < size; i++) {
            larger[i] = get(i);
        }
        numbers = larger;
        head = 0;
    }
}
