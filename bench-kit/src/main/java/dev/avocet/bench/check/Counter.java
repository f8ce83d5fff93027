package dev.avocet.bench.check;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A figure that one thread writes and any thread may read, a moment late. */
public final class Counter {
    private static final VarHandle VALUE = handle();

    @SuppressWarnings("unused") // By its handle.
    private long value;

    private static VarHandle handle() {
        try {
            return MethodHandles.lookup().findVarHandle(Counter.class, "value", long.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    public void increment() {
        add(1);
    }

    public void add(long amount) {
        VALUE.setRelease(this, value + amount);
    }

    public long value() {
        return (long) VALUE.getAcquire(this);
    }
}
