package dev.avocet.core.queue.transit;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Queue;
import org.jctools.queues.MpscUnboundedArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * What other loops have put and a queue's home loop has not yet taken. Bounded by the reservations. Any thread puts,
 * the home loop takes; a wake-up is due once per time that the home loop looks.
 */
public final class Inbox {
    private static final VarHandle WAKE;
    private static final int CHUNK = 64;

    static {
        try {
            WAKE = MethodHandles.lookup().findVarHandle(Inbox.class, "wakePending", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Queue<Object> entries = new MpscUnboundedArrayQueue<>(CHUNK);
    private volatile boolean wakePending;

    /** Puts an entry; true when the caller has to wake the home loop. */
    public boolean put(Object entry) {
        entries.offer(entry);
        return !wakePending && WAKE.compareAndSet(this, false, true);
    }

    /** True from the first entry on until the home loop looks. */
    public boolean isWakePending() {
        return wakePending;
    }

    /** Called before the entries are taken: who puts from now on wakes again. */
    public void beginTaking() {
        wakePending = false;
    }

    /** The next one; null when there is none. Home loop. */
    public @Nullable Object poll() {
        return entries.poll();
    }
}
