package dev.avocet.bench.check;

import java.util.concurrent.atomic.AtomicLong;

/** A figure that one thread writes and any thread may read, a moment late. */
public final class Counter {
    private final AtomicLong value = new AtomicLong();

    public void increment() {
        add(1);
    }

    public void add(long amount) {
        value.setRelease(value.getPlain() + amount);
    }

    public long value() {
        return value.getAcquire();
    }
}
