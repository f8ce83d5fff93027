package dev.avocet.jms.client.call;

import jakarta.jms.JMSException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How much of a session's sending may be under way: so many messages, and fewer where they are large. Who waits is
 * woken when there is what it waits for, not for each answer: after a full window when a quarter is free.
 *
 * <p>Thread-safe.
 */
public final class SendWindow {
    /** A permit stands for a message or for so many bytes of one. */
    private static final int BYTES_EACH = 16 * 1024;

    /**
     * The first sends of a session are urgent: one that sends a message and is closed must not wait for an answer that
     * the server holds.
     */
    private static final int HASTY_SENDS = 32;

    private static final int NO_WAITER = Integer.MAX_VALUE;

    private final int size;
    private final AtomicInteger free;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition freed = lock.newCondition();
    /** So much has to be free before a waiting sender is woken; written under the lock. */
    private volatile int wanted = NO_WAITER;
    /** The session has waited for its sends, as it does where producers are closed after a message or a few. */
    private volatile boolean awaited;
    /** Of the session's thread. */
    private int hastySends = HASTY_SENDS;

    private int unhurriedCost;

    public SendWindow(final int size) {
        this.size = Math.max(1, size);
        this.free = new AtomicInteger(this.size);
    }

    /** Waits for room; returns what {@link #leave} needs. */
    public int enter(final int bytes) throws JMSException {
        final int cost = Math.min(size, 1 + bytes / BYTES_EACH);
        while (!take(cost)) {
            final boolean unused = await(Math.max(cost, size / 4), Long.MAX_VALUE);
        }
        return cost;
    }

    /**
     * Whether the answer to the send that has entered is not urgent: one in a quarter of the window is, so that what is
     * left waits for no answer that the server holds. Of the session's thread.
     */
    public boolean isUnhurried(final int cost) {
        if (awaited) {
            return false;
        }
        if (hastySends > 0) {
            hastySends--;
            return false;
        }
        unhurriedCost += cost;
        if (unhurriedCost >= size / 4) {
            unhurriedCost = 0;
            return false;
        }
        return true;
    }

    private boolean take(final int cost) {
        int now = free.get();
        while (now >= cost) {
            if (free.compareAndSet(now, now - cost)) {
                return true;
            }
            now = free.get();
        }
        return false;
    }

    public void leave(final int cost) {
        if (free.addAndGet(cost) >= wanted) {
            lock.lock();
            try {
                wanted = NO_WAITER;
                freed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /** Waits until nothing is under way. */
    public void awaitEmpty() throws JMSException {
        if (free.get() < size) {
            awaited = true;
        }
        final boolean unused = await(size, Long.MAX_VALUE);
    }

    /** Waits so long; false: something is under way yet. */
    public boolean awaitEmpty(final long timeoutMs) throws JMSException {
        if (free.get() < size) {
            awaited = true;
        }
        return await(size, TimeUnit.MILLISECONDS.toNanos(timeoutMs));
    }

    /** Waits until so much is free; false: it takes longer. */
    private boolean await(final int enough, final long timeoutNs) throws JMSException {
        if (free.get() >= enough) {
            return true;
        }
        lock.lock();
        try {
            long leftNs = timeoutNs;
            while (leftNs > 0) {
                // Said before it is looked at again: a send that ends looks here afterwards.
                wanted = Math.min(wanted, enough);
                if (free.get() >= enough) {
                    return true;
                }
                leftNs = freed.awaitNanos(leftNs);
            }
            return free.get() >= enough;
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            final JMSException interrupted = new JMSException("interrupted while waiting for sends that are under way");
            interrupted.initCause(e);
            throw interrupted;
        } finally {
            lock.unlock();
        }
    }
}
