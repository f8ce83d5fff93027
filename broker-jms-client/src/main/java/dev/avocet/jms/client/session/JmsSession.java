package dev.avocet.jms.client.session;

import dev.avocet.jms.client.call.Await;
import dev.avocet.jms.client.call.Failures;
import dev.avocet.jms.client.call.SendWindow;
import dev.avocet.jms.client.call.SerialExecutor;
import dev.avocet.jms.client.codec.MalformedAmqpException;
import dev.avocet.jms.client.message.JmsDestination;
import dev.avocet.jms.client.message.JmsMessage;
import dev.avocet.jms.client.message.MessageWriter;
import dev.avocet.jms.client.options.Option;
import dev.avocet.jms.client.session.setting.ConsumerSpec;
import dev.avocet.jms.client.session.setting.Domain;
import dev.avocet.jms.client.wire.WireReceiver;
import dev.avocet.jms.client.wire.WireSession;
import dev.avocet.jms.client.wire.route.WireException;
import jakarta.jms.Destination;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.MessageListener;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.apache.qpid.protonj2.engine.IncomingDelivery;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A session: messages go out and come in, and are acknowledged, on one thread at a time. That thread is the
 * application's, or one that calls listeners once a message listener is set; {@link #close} may come from any.
 */
public sealed class JmsSession extends SessionFactories permits JmsXaSession {
    private static final Logger LOG = LoggerFactory.getLogger(JmsSession.class);

    private final JmsConnection connection;
    private final Acknowledgement acknowledgement;
    private final WireSession wire;
    private final MessageWriter writer = new MessageWriter();
    private final SendWindow window;
    private final SessionConsumers consumers = new SessionConsumers(this);
    private final Listeners listeners;
    private final List<JmsProducer> producers = new CopyOnWriteArrayList<>();
    private final SerialExecutor completions;
    private final AtomicBoolean closed = new AtomicBoolean();
    /** What was sent since the last wait has listeners; written by the session's thread. */
    private volatile boolean completionsUsed;

    JmsSession(
            final JmsConnection connection,
            final Domain domain,
            final WireSession wire,
            final Function<JmsSession, Acknowledgement> acknowledging) {
        super(domain);
        this.connection = connection;
        this.wire = wire;
        this.completions = new SerialExecutor(connection.wire().callbacks());
        this.listeners =
                new Listeners(this, new SerialExecutor(connection.wire().callbacks()));
        this.window = new SendWindow(connection.options().count(Option.SEND_WINDOW));
        this.acknowledgement = acknowledging.apply(this);
    }

    static JmsSession open(final JmsConnection connection, final Domain domain, final int acknowledgeMode)
            throws JMSException {
        final AckMode mode = AckMode.of(acknowledgeMode);
        return new JmsSession(connection, domain, wire(connection), mode::acknowledgement);
    }

    static WireSession wire(final JmsConnection connection) throws JMSException {
        return connection.onLoop(
                () -> {
                    final WireSession made = connection.wire().session(false);
                    return made.opened().thenApply(done -> made);
                },
                "creating a session");
    }

    @Override
    JmsConnection connection() {
        return connection;
    }

    WireSession wire() {
        return wire;
    }

    Acknowledgement acknowledgement() {
        return acknowledgement;
    }

    MessageWriter writer() {
        return writer;
    }

    SessionConsumers consumers() {
        return consumers;
    }

    Listeners listeners() {
        return listeners;
    }

    boolean isClosed() {
        return closed.get();
    }

    SendWindow window() {
        return window;
    }

    SerialExecutor completions() {
        return completions;
    }

    /** There will be a completion to tell of. */
    void usesCompletions() {
        completionsUsed = true;
    }

    /** The same where there are such listeners, and otherwise nothing. */
    void awaitCompletions() throws JMSException {
        if (completionsUsed) {
            awaitSends();
        }
    }

    /** Waits for the sends that are under way and for the completion listeners that hear of them, section 7.3.4. */
    void awaitSends() throws JMSException {
        window.awaitEmpty();
        if (completionsUsed) {
            completionsUsed = false;
            final CompletableFuture<Void> told = new CompletableFuture<>();
            completions.execute(() -> told.complete(null));
            Await.of(told, 0, "waiting for completion listeners");
        }
    }

    @Override
    void checkOpen() throws JMSException {
        if (closed.get()) {
            throw new IllegalStateException("the session is closed");
        }
        final WireException cause = connection.failure();
        if (cause != null) {
            throw Failures.of(cause);
        }
    }

    // ----- Producers and consumers.

    @Override
    public JmsProducer createProducer(final @Nullable Destination destination) throws JMSException {
        checkOpen();
        final JmsProducer producer = JmsProducer.open(this, JmsDestination.from(destination));
        producers.add(producer);
        return producer;
    }

    void remove(final JmsProducer producer) {
        producers.remove(producer);
    }

    @Override
    JmsConsumer consume(final ConsumerSpec spec) throws JMSException {
        checkOpen();
        connection.temporaries().checkConsumable(spec.destination());
        final JmsConsumer consumer = JmsConsumer.open(this, spec);
        consumers.add(consumer);
        if (connection.isStarted()) {
            consumer.started();
        }
        return consumer;
    }

    @Override
    JmsBrowser browse(final JmsDestination queue, final @Nullable String selector) throws JMSException {
        final JmsBrowser browser = new JmsBrowser(this, queue, selector);
        browser.checkAttachable();
        return browser;
    }

    // ----- Delivery.

    /** The message for the application, acknowledged as the mode wants it; null: it was none. Called by a receive(). */
    @Nullable JmsMessage receive(final JmsConsumer consumer, final IncomingDelivery delivery) throws JMSException {
        final JmsMessage message = read(consumer, delivery);
        if (message == null) {
            return null;
        }
        if (acknowledgement.isAutomatic()) {
            consumer.checkBody(message, delivery);
        }
        forgetMessage(delivery);
        if (delivery.isRemotelySettled()) {
            return message;
        }
        acknowledgement.received(new Delivered(consumer, delivery));
        return message;
    }

    /** The delivery may wait long for its acknowledgement. */
    static void forgetMessage(final IncomingDelivery delivery) {
        delivery.setLinkedResource(null);
    }

    /** Null: it cannot be read, and is rejected. */
    @Nullable JmsMessage read(final JmsConsumer consumer, final IncomingDelivery delivery) {
        final byte[] raw = delivery.getLinkedResource();
        final JmsMessage message;
        try {
            message = consumer.opened(connection.reader().read(raw), delivery);
        } catch (final JMSSecurityException e) {
            refuse(consumer, delivery, WireReceiver.violated(String.valueOf(e.getMessage())));
            connection.tell(e);
            return null;
        } catch (final MalformedAmqpException | JMSException e) {
            refuse(consumer, delivery, WireReceiver.REJECTED);
            connection.tell(Failures.of(e));
            return null;
        }
        message.received(consumer.destination(), acknowledgement.acknowledger(consumer, delivery));
        return message;
    }

    private void refuse(final JmsConsumer consumer, final IncomingDelivery delivery, final DeliveryState state) {
        if (!delivery.isRemotelySettled()) {
            acknowledgement.settle(new Delivered(consumer, delivery), state);
        }
    }

    /** The context's acknowledge(): for CLIENT_ACKNOWLEDGE all, for the others nothing. */
    public void acknowledgeForContext() throws JMSException {
        checkOpen();
        acknowledgement.acknowledgeAll();
    }

    @Override
    public void recover() throws JMSException {
        checkOpen();
        if (acknowledgement.isTransacted()) {
            throw new IllegalStateException("a transacted session has rollback(), not recover()");
        }
        listeners.recovered();
        acknowledgement.flush();
        giveBack();
    }

    /**
     * All that is not acknowledged goes back to the server, in order: it counts, and may find another consumer or a
     * dead-letter queue.
     */
    void giveBack() throws JMSException {
        final List<Delivered> failed = acknowledgement.takeDelivered();
        final List<JmsConsumer> all = consumers.all();
        connection.onLoop(() -> consumers.drained(all, failed), "giving messages back");
        consumers.closeRetired();
    }

    // ----- Listeners.

    void started() {
        for (final JmsConsumer consumer : consumers) {
            consumer.started();
        }
        listeners.signal();
    }

    /** Sections 6.2.6 and 8.8 of the specification: a listener must not wait for itself. */
    public void refuseInCallback(final String what) throws JMSException {
        if (listeners.isCurrentThread()) {
            throw new IllegalStateException("a message listener cannot " + what + " that it belongs to");
        }
        if (completions.isCurrentThread()) {
            throw new IllegalStateException("a completion listener cannot " + what + " that it belongs to");
        }
    }

    // ----- Messages that a connection consumer brings, section 8.2 of the specification.

    @Override
    public @Nullable MessageListener getMessageListener() throws JMSException {
        checkOpen();
        return listeners.ofSession();
    }

    @Override
    public void setMessageListener(final @Nullable MessageListener to) throws JMSException {
        checkOpen();
        listeners.ofSession(to);
    }

    /**
     * Calls the session's message listener with what a connection consumer has brought, on the thread of a server
     * session.
     */
    @Override
    public void run() {
        listeners.run();
    }

    // ----- Transactions.

    @Override
    public boolean getTransacted() throws JMSException {
        checkOpen();
        return acknowledgement.isTransacted();
    }

    @Override
    public int getAcknowledgeMode() throws JMSException {
        checkOpen();
        return AckMode.code(acknowledgement);
    }

    private LocalTransaction localTransaction(final String method) throws JMSException {
        checkOpen();
        if (!(acknowledgement instanceof final LocalTransaction transaction)) {
            throw new IllegalStateException(method + "() is for transacted sessions");
        }
        if (completions.isCurrentThread()) {
            throw new IllegalStateException(
                    "a completion listener cannot " + method + " the session that it belongs to");
        }
        return transaction;
    }

    @Override
    public void commit() throws JMSException {
        localTransaction("commit").commit();
    }

    @Override
    public void rollback() throws JMSException {
        localTransaction("rollback").rollback();
    }

    // ----- The end.

    @Override
    public void close() throws JMSException {
        refuseInCallback("close a session");
        if (!listeners.stop()) {
            return;
        }
        closed.set(true);
        connection.sessions().remove(this);
        end();
        Await.of(
                connection.later(wire::close), connection.options().ms(Option.CLOSE_TIMEOUT_MS), "closing the session");
    }

    /** The connection is being closed, which takes the session with it. */
    void closeLocally() throws JMSException {
        if (listeners.stop()) {
            closed.set(true);
            end();
        }
    }

    /** What the application has seen and not acknowledged counts as delivered; what it has not seen does not. */
    private void leave() {
        if (consumers.isEmpty() || connection.failure() != null) {
            return;
        }
        final List<Delivered> failed = acknowledgement.takeDelivered();
        final List<JmsConsumer> all = consumers.all();
        try {
            Await.of(
                    connection.later(() -> consumers.drained(all, failed)),
                    connection.options().ms(Option.CLOSE_TIMEOUT_MS),
                    "giving messages back");
        } catch (final JMSException e) {
            LOG.debug("the server takes back by itself what it does not hear of", e);
        }
    }

    private void end() throws JMSException {
        for (final JmsConsumer consumer : consumers) {
            consumer.closeLocally();
        }
        acknowledgement.flush();
        leave();
        if (connection.failure() == null
                && !window.awaitEmpty(connection.options().ms(Option.CLOSE_TIMEOUT_MS))) {
            connection.tell(new JMSException(
                    "the session is closed while sends are under way that the server has not answered"));
        }
        if (completionsUsed) {
            final CompletableFuture<Void> completed = new CompletableFuture<>();
            completions.execute(() -> completed.complete(null));
            Await.of(completed, connection.options().ms(Option.CLOSE_TIMEOUT_MS), "waiting for completion listeners");
        }
        producers.forEach(JmsProducer::closeLocally);
        consumers.releaseNames();
        listeners.shutdown();
        completions.shutdown();
    }
}
