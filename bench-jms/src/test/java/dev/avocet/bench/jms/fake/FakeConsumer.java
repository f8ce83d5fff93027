package dev.avocet.bench.jms.fake;

import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageListener;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Calls its listener on the sender's thread; without one it keeps copies until they are received. A received message is
 * used again for a later one once the next is received, so that nothing is allocated for each.
 */
final class FakeConsumer implements MessageConsumer {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition came = lock.newCondition();
    private final Deque<FakeBytesMessage> waiting = new ArrayDeque<>();
    private final Deque<FakeBytesMessage> idle = new ArrayDeque<>();
    private final @Nullable String selector;
    private final @Nullable String wantedCorrelationId;
    private @Nullable FakeBytesMessage received;
    private boolean isClosed;
    private volatile @Nullable MessageListener listener;

    FakeConsumer(@Nullable String selector) {
        this.selector = selector;
        wantedCorrelationId =
                selector == null ? null : selector.substring(selector.indexOf('\'') + 1, selector.length() - 1);
    }

    boolean wants(FakeBytesMessage message) {
        return wantedCorrelationId == null || wantedCorrelationId.equals(message.getJMSCorrelationID());
    }

    void deliver(FakeBytesMessage message) {
        MessageListener called = listener;
        if (called != null) {
            called.onMessage(message);
            return;
        }
        lock.lock();
        try {
            FakeBytesMessage copy = idle.isEmpty() ? new FakeBytesMessage() : idle.remove();
            copy.copy(message);
            waiting.add(copy);
            came.signal();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void setMessageListener(MessageListener messageListener) {
        listener = messageListener;
    }

    @Override
    public @Nullable Message receive() {
        return receive(Long.MAX_VALUE);
    }

    @Override
    public @Nullable Message receive(long timeoutMs) {
        return next(TimeUnit.MILLISECONDS.toNanos(timeoutMs));
    }

    @Override
    public @Nullable Message receiveNoWait() {
        return next(0);
    }

    private @Nullable Message next(long timeoutNs) {
        lock.lock();
        try {
            long leftNs = timeoutNs;
            while (waiting.isEmpty() && !isClosed && leftNs > 0) {
                leftNs = came.awaitNanos(leftNs);
            }
            if (received != null) {
                idle.add(received);
            }
            received = waiting.poll();
            return received;
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
            return null;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public @Nullable String getMessageSelector() {
        return selector;
    }

    @Override
    public @Nullable MessageListener getMessageListener() {
        return listener;
    }

    @Override
    public void close() {
        lock.lock();
        try {
            isClosed = true;
            came.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
