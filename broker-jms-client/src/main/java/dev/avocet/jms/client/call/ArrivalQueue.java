package dev.avocet.jms.client.call;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.qpid.protonj2.engine.IncomingDelivery;
import org.jspecify.annotations.Nullable;

/**
 * What has arrived and was not taken: one thread adds, one takes, and the one that adds may withdraw what is not taken
 * yet. Arrays that are chained, so that nothing is made for one element; the thread that comes to a slot with a
 * compare-and-set has the element.
 *
 * <p>{@link #add} and {@link #withdraw} belong to the event loop, {@link #poll} and {@link #isEmpty} to the session's
 * thread.
 */
public final class ArrivalQueue {
    private static final int CHUNK = 128;
    /** In a slot whose element was taken. */
    private static final Object GONE = new Object();

    /** The elements, and behind them the next chunk. */
    private static final class Chunk extends AtomicReferenceArray<Object> {
        private static final long serialVersionUID = 1L;

        Chunk() {
            super(CHUNK + 1);
        }

        @Nullable Chunk next() {
            return (Chunk) get(CHUNK);
        }
    }

    private Chunk last = new Chunk();
    private int lastSlot;
    /** The chunk that is read; who withdraws begins there. */
    private volatile Chunk first = last;

    private int firstSlot;

    public void add(final IncomingDelivery arrived) {
        if (lastSlot < CHUNK) {
            last.setRelease(lastSlot++, arrived);
            return;
        }
        final Chunk fresh = new Chunk();
        fresh.setPlain(0, arrived);
        last.setRelease(CHUNK, fresh);
        last = fresh;
        lastSlot = 1;
    }

    public @Nullable IncomingDelivery poll() {
        for (Chunk from = seek(); from != null; from = seek()) {
            final Object found = from.get(firstSlot);
            // Else it is being withdrawn just now.
            if (found instanceof final IncomingDelivery arrived && from.compareAndSet(firstSlot, arrived, GONE)) {
                firstSlot++;
                return arrived;
            }
        }
        return null;
    }

    public boolean isEmpty() {
        return seek() == null;
    }

    /** Goes to the first element that is there; null: there is none. */
    private @Nullable Chunk seek() {
        Chunk from = first;
        while (true) {
            if (firstSlot == CHUNK) {
                final Chunk next = from.next();
                if (next == null) {
                    return null;
                }
                first = next;
                from = next;
                firstSlot = 0;
            }
            final Object found = from.getAcquire(firstSlot);
            if (found == null) {
                return null;
            }
            if (found != GONE) {
                return from;
            }
            firstSlot++;
        }
    }

    /** Takes back what {@code unwanted} says and no consumer has taken, the eldest first; {@code then} gets it. */
    public void withdraw(final Predicate<IncomingDelivery> unwanted, final Consumer<IncomingDelivery> then) {
        for (Chunk chunk = first; chunk != null; chunk = chunk.next()) {
            for (int slot = 0; slot < CHUNK; slot++) {
                final Object found = chunk.get(slot);
                if (found instanceof final IncomingDelivery arrived
                        && unwanted.test(arrived)
                        && chunk.compareAndSet(slot, arrived, GONE)) {
                    then.accept(arrived);
                }
            }
        }
    }
}
