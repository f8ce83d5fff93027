package dev.avocet.jms.client.session;

import dev.avocet.jms.client.call.SerialExecutor;
import dev.avocet.jms.client.session.setting.ConsumerSpec;
import dev.avocet.jms.client.wire.WireReceiver;
import jakarta.jms.ConnectionConsumer;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.ServerSession;
import jakarta.jms.ServerSessionPool;
import jakarta.jms.Session;
import jakarta.jms.XASession;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.qpid.protonj2.engine.IncomingDelivery;

/**
 * Takes messages for the sessions of an application server (section 8.2 of the specification): as many as there are and
 * as one server session may have, whenever the pool has one. The session that works on a message acknowledges it. One
 * of the threads for callbacks waits for the pool.
 */
final class JmsConnectionConsumer implements ConnectionConsumer {
    private static final long RETRY_MS = 1_000;

    private final JmsConnection connection;
    private final JmsConsumer consumer;
    private final ServerSessionPool pool;
    private final int maxMessages;
    private final SerialExecutor dispatcher;
    private final AtomicBoolean dispatching = new AtomicBoolean();
    private final AtomicBoolean closed = new AtomicBoolean();

    private JmsConnectionConsumer(
            final JmsConnection connection,
            final JmsConsumer consumer,
            final ServerSessionPool pool,
            final int maxMessages) {
        this.connection = connection;
        this.dispatcher = new SerialExecutor(connection.wire().callbacks());
        this.consumer = consumer;
        this.pool = pool;
        this.maxMessages = maxMessages;
    }

    static JmsConnectionConsumer open(
            final JmsSession on, final ConsumerSpec spec, final ServerSessionPool pool, final int maxMessages)
            throws JMSException {
        if (pool == null) {
            throw new JMSException("a connection consumer needs a pool of server sessions");
        }
        if (maxMessages < 1) {
            throw new JMSException("maxMessages is " + maxMessages + ", but a server session gets 1 or more at a time");
        }
        final JmsConsumer consumer = on.consume(spec);
        final JmsConnectionConsumer made = new JmsConnectionConsumer(on.connection(), consumer, pool, maxMessages);
        consumer.onArrival(made::signal);
        return made;
    }

    /** There may be messages. From any thread. */
    private void signal() {
        if (!closed.get() && dispatching.compareAndSet(false, true)) {
            dispatcher.execute(this::dispatch);
        }
    }

    private void dispatch() {
        dispatching.set(false);
        boolean more = true;
        while (more) {
            final List<IncomingDelivery> batch = take();
            more = !batch.isEmpty() && hand(batch);
        }
    }

    private List<IncomingDelivery> take() {
        final List<IncomingDelivery> batch = new ArrayList<>();
        while (batch.size() < maxMessages && connection.isStarted() && !closed.get()) {
            final IncomingDelivery next = consumer.intake().poll();
            if (next == null) {
                break;
            }
            batch.add(next);
        }
        return batch;
    }

    /** False: the pool failed; it is asked again after a while. */
    private boolean hand(final List<IncomingDelivery> batch) {
        consumer.intake().lend((int)
                batch.stream().filter(arrived -> !arrived.isRemotelySettled()).count());
        try {
            final ServerSession server = pool.getServerSession();
            final Session session = server.getSession();
            final Session plain = session instanceof final XASession xa ? xa.getSession() : session;
            if (!(plain instanceof final JmsSession ours) || ours.connection() != connection) {
                throw new IllegalStateException("the session of a server session must be one of the same connection");
            }
            ours.listeners().load(consumer, batch);
            server.start();
            return true;
        } catch (final JMSException e) {
            connection.tell(e);
            connection
                    .wire()
                    .run(() -> batch.stream()
                            .filter(arrived -> !arrived.isRemotelySettled())
                            .forEach(arrived -> consumer.intake().settle(arrived, WireReceiver.RELEASED)));
            connection.wire().runLater(this::signal, RETRY_MS);
            return false;
        }
    }

    @Override
    public ServerSessionPool getServerSessionPool() throws JMSException {
        if (closed.get()) {
            throw new IllegalStateException("the connection consumer is closed");
        }
        return pool;
    }

    /** What server sessions have yet is theirs: they may end it and acknowledge it. */
    @Override
    public void close() throws JMSException {
        if (closed.compareAndSet(false, true)) {
            dispatcher.shutdown();
            consumer.close();
        }
    }
}
