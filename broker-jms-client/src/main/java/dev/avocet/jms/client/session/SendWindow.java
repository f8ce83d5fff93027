package dev.avocet.jms.client.session;

import jakarta.jms.JMSException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** How much of a session's sending may be under way: so many messages, and fewer where they are large. */
final class SendWindow {
    /** A permit stands for a message or for so many bytes of one. */
    private static final int BYTES_EACH = 16 * 1024;

    private final int size;
    private final Semaphore permits;

    SendWindow(final int size) {
        this.size = Math.max(1, size);
        this.permits = new Semaphore(this.size);
    }

    /** Waits for room; returns what {@link #leave} needs. */
    int enter(final int bytes) throws JMSException {
        final int cost = Math.min(size, 1 + bytes / BYTES_EACH);
        if (!permits.tryAcquire(cost)) {
            acquire(cost);
        }
        return cost;
    }

    void leave(final int cost) {
        permits.release(cost);
    }

    /** Waits until nothing is under way. */
    void awaitEmpty() throws JMSException {
        acquire(size);
        permits.release(size);
    }

    /** Waits so long; false: something is under way yet. */
    boolean awaitEmpty(final long timeoutMs) throws JMSException {
        try {
            final boolean empty = permits.tryAcquire(size, timeoutMs, TimeUnit.MILLISECONDS);
            if (empty) {
                permits.release(size);
            }
            return empty;
        } catch (final InterruptedException e) {
            throw interrupted(e);
        }
    }

    private void acquire(final int cost) throws JMSException {
        try {
            permits.acquire(cost);
        } catch (final InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static JMSException interrupted(final InterruptedException cause) {
        Thread.currentThread().interrupt();
        final JMSException interrupted = new JMSException("interrupted while waiting for sends that are under way");
        interrupted.initCause(cause);
        return interrupted;
    }
}
