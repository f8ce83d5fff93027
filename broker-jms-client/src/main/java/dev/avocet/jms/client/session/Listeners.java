package dev.avocet.jms.client.session;

import dev.avocet.jms.client.call.Failures;
import dev.avocet.jms.client.call.SerialExecutor;
import dev.avocet.jms.client.message.JmsMessage;
import dev.avocet.jms.client.wire.WireReceiver;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.MessageListener;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.qpid.protonj2.engine.IncomingDelivery;
import org.jspecify.annotations.Nullable;

/**
 * Calls the message listeners of a session, one at a time: those of its consumers on one of the threads for callbacks,
 * and that of the session, with what a connection consumer has brought, on the thread of a server session.
 */
final class Listeners {
    /** So many rounds of the consumers, and then other sessions have their turn. */
    private static final int TURN = 256;

    private final JmsSession session;
    private final SerialExecutor dispatcher;
    private final AtomicBoolean dispatching = new AtomicBoolean();
    /** No listener is called any more; the one that runs may use the session yet, sections 6.1.8 and 6.2.15. */
    private final AtomicBoolean ending = new AtomicBoolean();
    /** Held while a message listener runs; taken by who must wait for its end. */
    private final ReentrantLock listening = new ReentrantLock();
    /** What a connection consumer has brought. */
    private final ConcurrentLinkedQueue<Loaded> loaded = new ConcurrentLinkedQueue<>();

    private volatile @Nullable MessageListener ofSession;
    /** Of the session's thread: the listener that runs has recovered the session. */
    private boolean recovered;

    Listeners(final JmsSession session, final SerialExecutor dispatcher) {
        this.session = session;
        this.dispatcher = dispatcher;
    }

    @Nullable MessageListener ofSession() {
        return ofSession;
    }

    void ofSession(final @Nullable MessageListener listener) {
        ofSession = listener;
    }

    /** There may be messages for listeners. From any thread. */
    void signal() {
        if (dispatching.compareAndSet(false, true)) {
            dispatcher.execute(this::dispatch);
        }
    }

    void recovered() {
        recovered = true;
    }

    boolean isCurrentThread() {
        return listening.isHeldByCurrentThread();
    }

    /** Waits for the end of a listener that is running. */
    void awaitEnd() {
        listening.lock();
        try {
            assert listening.isHeldByCurrentThread();
        } finally {
            listening.unlock();
        }
    }

    /** None is called from now on; false: that was so before. */
    boolean stop() {
        if (ending.compareAndSet(false, true)) {
            awaitEnd();
            return true;
        }
        return false;
    }

    void shutdown() {
        dispatcher.shutdown();
    }

    private void dispatch() {
        dispatching.set(false);
        boolean more = true;
        for (int left = TURN; more && left > 0; left--) {
            more = false;
            for (final JmsConsumer consumer : session.consumers()) {
                more |= dispatchOne(consumer);
            }
        }
        if (more) {
            signal();
        }
    }

    private boolean dispatchOne(final JmsConsumer consumer) {
        listening.lock();
        try {
            final MessageListener its = consumer.listener();
            if (its == null || !session.connection().isStarted() || ending.get()) {
                return false;
            }
            final IncomingDelivery arrived = consumer.intake().poll();
            if (arrived == null) {
                return false;
            }
            deliver(consumer, arrived, its);
            return true;
        } catch (final JMSException e) {
            session.connection().tell(e);
            return false;
        } finally {
            listening.unlock();
        }
    }

    private void deliver(final JmsConsumer consumer, final IncomingDelivery arrived, final MessageListener to)
            throws JMSException {
        final JmsMessage message = session.read(consumer, arrived);
        if (message == null) {
            return;
        }
        JmsSession.forgetMessage(arrived);
        final Acknowledgement acknowledgement = session.acknowledgement();
        final Delivered now = arrived.isRemotelySettled() ? null : new Delivered(consumer, arrived);
        if (now != null) {
            acknowledgement.handed(now);
        }
        recovered = false;
        try {
            to.onMessage(message);
        } catch (final RuntimeException e) {
            session.connection().tell(Failures.of(e));
            // Section 8.7: in the other modes the application decides what becomes of the message.
            if (now != null && acknowledgement.isAutomatic() && !session.isClosed()) {
                session.giveBack();
            }
            return;
        }
        // Acknowledged when the listener has returned, and only if it did not recover the session.
        if (now != null && !recovered) {
            acknowledgement.handled(now);
        }
    }

    // ----- Messages that a connection consumer brings, section 8.2 of the specification.

    /** For {@link #run}; {@code messages} are those of one server session. */
    void load(final JmsConsumer from, final List<IncomingDelivery> messages) {
        loaded.add(new Loaded(from, messages));
    }

    /** Calls the session's message listener with what was loaded, on the thread of a server session. */
    void run() {
        for (Loaded next = loaded.poll(); next != null; next = loaded.poll()) {
            for (final IncomingDelivery arrived : next.messages()) {
                runOne(next.consumer(), arrived);
            }
        }
    }

    private void runOne(final JmsConsumer from, final IncomingDelivery arrived) {
        listening.lock();
        try {
            final MessageListener its = ofSession;
            if (its != null && session.connection().isStarted() && !session.isClosed()) {
                deliver(from, arrived, its);
                return;
            }
            if (its == null) {
                session.connection()
                        .tell(
                                new IllegalStateException(
                                        "the session of a server session has no message listener; the message goes back to the server"));
            }
            if (!arrived.isRemotelySettled()) {
                session.acknowledgement().settle(new Delivered(from, arrived), WireReceiver.RELEASED);
            }
        } catch (final JMSException e) {
            session.connection().tell(e);
        } finally {
            listening.unlock();
        }
    }
}
