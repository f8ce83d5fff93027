package dev.avocet.jms.client.session;

import dev.avocet.jms.client.call.Await;
import dev.avocet.jms.client.call.Failures;
import dev.avocet.jms.client.call.SerialExecutor;
import dev.avocet.jms.client.message.JmsDestination;
import dev.avocet.jms.client.message.MessageReader;
import dev.avocet.jms.client.message.TemporaryOwner;
import dev.avocet.jms.client.options.Address;
import dev.avocet.jms.client.options.Option;
import dev.avocet.jms.client.options.Options;
import dev.avocet.jms.client.session.setting.ConnectionProtection;
import dev.avocet.jms.client.session.setting.ConsumerSpec;
import dev.avocet.jms.client.session.setting.Domain;
import dev.avocet.jms.client.session.setting.JmsMetaData;
import dev.avocet.jms.client.session.setting.SubscriptionNames;
import dev.avocet.jms.client.wire.EventLoops;
import dev.avocet.jms.client.wire.WireConnection;
import dev.avocet.jms.client.wire.WireEvents;
import dev.avocet.jms.client.wire.login.Credentials;
import dev.avocet.jms.client.wire.route.WireException;
import jakarta.jms.ConnectionConsumer;
import jakarta.jms.ConnectionMetaData;
import jakarta.jms.Destination;
import jakarta.jms.ExceptionListener;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueSession;
import jakarta.jms.ServerSessionPool;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicSession;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connection. Thread-safe. The open frame, with the client identifier in it, waits for the first use. */
public sealed class JmsConnection implements QueueConnection, TopicConnection, TemporaryOwner, WireEvents
        permits JmsXaConnection {
    private static final Logger LOG = LoggerFactory.getLogger(JmsConnection.class);

    private final Options options;
    private final boolean disableAck;
    private final Domain domain;
    private final WireConnection wire;
    private final MessageReader reader;
    private final SubscriptionNames subscriptions = new SubscriptionNames();
    private final ConnectionSessions sessions = new ConnectionSessions(this);
    private final TemporaryDestinations temporaries = new TemporaryDestinations(this);
    private final SerialExecutor exceptions;
    private final AtomicLong names = new AtomicLong();
    /** Listeners that run may use it yet, section 6.1.8. */
    private final AtomicBoolean ending = new AtomicBoolean();

    private final AtomicBoolean closed = new AtomicBoolean();
    private final String randomId = UUID.randomUUID().toString();
    private final ConnectionProtection protection;
    private volatile boolean started;
    private volatile @Nullable WireException failure;
    private volatile @Nullable ExceptionListener exceptionListener;
    private volatile @Nullable String clientId;
    private volatile boolean used;

    JmsConnection(final Options options, final Credentials credentials, final Domain domain, final EventLoops loops)
            throws WireException {
        this.options = options;
        this.disableAck = options.flag(Option.DISABLE_ACK);
        this.domain = domain;
        this.reader = new MessageReader(options.convertMessageType(), options.trustedClasses());
        this.protection = new ConnectionProtection(options, reader);
        final String configured = options.text(Option.CLIENT_ID);
        this.clientId = configured.isEmpty() ? null : configured;
        this.exceptions = new SerialExecutor(loops.callbacks());
        this.wire = new WireConnection(options, credentials, this, loops);
    }

    /** Connects and authenticates. */
    public static JmsConnection connect(
            final Options options, final Credentials credentials, final Domain domain, final EventLoops loops)
            throws JMSException {
        try {
            return login(new JmsConnection(options.copy(), credentials, domain, loops));
        } catch (final WireException e) {
            throw Failures.of(e);
        }
    }

    static <T extends JmsConnection> T login(final T connection) throws JMSException {
        final JmsConnection fresh = connection;
        Await.of(fresh.wire.connect(), 0, "connecting");
        if (fresh.clientId != null) {
            fresh.use();
        }
        return connection;
    }

    Domain domain() {
        return domain;
    }

    Options options() {
        return options;
    }

    WireConnection wire() {
        return wire;
    }

    MessageReader reader() {
        return reader;
    }

    ConnectionProtection protection() {
        return protection;
    }

    SubscriptionNames subscriptions() {
        return subscriptions;
    }

    /** Messages from there and to there go without acknowledgements. */
    boolean disablesAck(final JmsDestination destination) {
        final Boolean own = destination.options().disableAck();
        return own == null ? disableAck : own;
    }

    boolean hasClientId() {
        return clientId != null;
    }

    String containerId() {
        final String id = clientId;
        return id == null ? randomId : id;
    }

    TemporaryDestinations temporaries() {
        return temporaries;
    }

    ConnectionSessions sessions() {
        return sessions;
    }

    boolean isClosed() {
        return closed.get();
    }

    boolean isStarted() {
        return started;
    }

    @Nullable WireException failure() {
        return failure;
    }

    String nextName(final String kind) {
        return randomId + ":" + kind + ":" + names.incrementAndGet();
    }

    String messageIdPrefix() {
        return "ID:" + randomId + ":" + names.incrementAndGet() + "-";
    }

    long requestTimeoutMs() {
        return options.ms(Option.REQUEST_TIMEOUT_MS);
    }

    private void checkOpen() throws JMSException {
        if (closed.get()) {
            throw new IllegalStateException("the connection is closed");
        }
        final WireException cause = failure;
        if (cause != null) {
            throw Failures.of(cause);
        }
    }

    /** The first use settles the client identifier. */
    void use() throws JMSException {
        checkOpen();
        used = true;
        final String id = clientId;
        try {
            Await.of(wire.open(containerId()), requestTimeoutMs(), "opening the connection");
        } catch (final JMSException e) {
            closeQuietly();
            if (id != null && "amqp:invalid-field".equals(e.getErrorCode())) {
                final InvalidClientIDException refused = new InvalidClientIDException(
                        "the client identifier " + id + " is in use, or the server refuses it: " + e.getMessage(),
                        e.getErrorCode());
                refused.initCause(e);
                throw refused;
            }
            throw e;
        }
    }

    /** The loop's result of {@code task}, which runs there. */
    <T> T onLoop(final Supplier<CompletableFuture<T>> task, final String what) throws JMSException {
        return Await.of(later(task), requestTimeoutMs(), what);
    }

    <T> CompletableFuture<T> later(final Supplier<CompletableFuture<T>> task) {
        return Await.later(wire::run, task);
    }

    @Override
    public JmsSession createSession(final boolean transacted, final int acknowledgeMode) throws JMSException {
        return sessions.open(domain, ConnectionSessions.mode(transacted, acknowledgeMode));
    }

    @Override
    public JmsSession createSession(final int sessionMode) throws JMSException {
        return sessions.open(domain, sessionMode);
    }

    @Override
    public JmsSession createSession() throws JMSException {
        return createSession(Session.AUTO_ACKNOWLEDGE);
    }

    @Override
    public QueueSession createQueueSession(final boolean transacted, final int acknowledgeMode) throws JMSException {
        return sessions.open(Domain.QUEUE, ConnectionSessions.mode(transacted, acknowledgeMode));
    }

    @Override
    public TopicSession createTopicSession(final boolean transacted, final int acknowledgeMode) throws JMSException {
        return sessions.open(Domain.TOPIC, ConnectionSessions.mode(transacted, acknowledgeMode));
    }

    @Override
    public @Nullable String getClientID() throws JMSException {
        checkOpen();
        return clientId;
    }

    @Override
    public void setClientID(final String id) throws JMSException {
        checkOpen();
        if (clientId != null) {
            throw new IllegalStateException("the client identifier is set already, to " + clientId);
        }
        if (used) {
            throw new IllegalStateException(
                    "the client identifier must be set before the connection is used for anything else");
        }
        if (id == null || id.isEmpty()) {
            throw new InvalidClientIDException("the client identifier must not be empty");
        }
        clientId = id;
        use();
    }

    @Override
    public ConnectionMetaData getMetaData() throws JMSException {
        checkOpen();
        return new JmsMetaData();
    }

    @Override
    public @Nullable ExceptionListener getExceptionListener() throws JMSException {
        checkOpen();
        return exceptionListener;
    }

    @Override
    public void setExceptionListener(final @Nullable ExceptionListener listener) throws JMSException {
        checkOpen();
        used = true;
        exceptionListener = listener;
    }

    /** Tells the exception listener, which no other callback of the connection holds up. */
    void tell(final JMSException e) {
        final ExceptionListener listener = exceptionListener;
        if (listener == null) {
            LOG.warn("an error that no exception listener hears of: {}", e.getMessage());
            return;
        }
        exceptions.execute(() -> listener.onException(e));
    }

    @Override
    public void start() throws JMSException {
        use();
        started = true;
        sessions.started();
    }

    @Override
    public void stop() throws JMSException {
        checkOpen();
        sessions.refuseInCallback("stop a connection");
        used = true;
        started = false;
        sessions.awaitListeners();
    }

    @Override
    public void close() throws JMSException {
        sessions.refuseInCallback("close a connection");
        if (!ending.compareAndSet(false, true)) {
            return;
        }
        started = false;
        sessions.awaitListeners();
        closed.set(true);
        sessions.closeLocally();
        final CompletableFuture<Void> ended = wire.close();
        if (!exceptions.isCurrentThread()) {
            Await.of(ended, 0, "closing the connection");
        }
        exceptions.shutdown();
    }

    private void closeQuietly() {
        try {
            close();
        } catch (final JMSException e) {
            LOG.debug("closing a connection that did not come up", e);
        }
    }

    @Override
    public void delete(final JmsDestination destination) throws JMSException {
        checkOpen();
        if (sessions.consumeFrom(destination)) {
            throw new IllegalStateException("the temporary destination " + destination.name() + " has consumers");
        }
        temporaries.delete(destination);
    }

    // ----- What the wire tells.

    @Override
    public void restored(final Address address) {
        // Each link has been told already.
    }

    @Override
    public void interrupted(final WireException cause) {
        // Quietly: each link has been told already, and what is in doubt says so where it was asked for.
    }

    @Override
    public void failed(final WireException cause) {
        failure = cause;
        tell(Failures.of(cause));
    }

    // ----- Connection consumers.

    @Override
    public ConnectionConsumer createConnectionConsumer(
            final Destination destination,
            final @Nullable String selector,
            final ServerSessionPool pool,
            final int maxMessages)
            throws JMSException {
        return JmsConnectionConsumer.open(
                sessions.consuming(),
                ConsumerSpec.plain(JmsSession.destination(destination), selector, false),
                pool,
                maxMessages);
    }

    @Override
    public ConnectionConsumer createConnectionConsumer(
            final Queue queue, final @Nullable String selector, final ServerSessionPool pool, final int maxMessages)
            throws JMSException {
        return createConnectionConsumer((Destination) queue, selector, pool, maxMessages);
    }

    @Override
    public ConnectionConsumer createConnectionConsumer(
            final Topic topic, final @Nullable String selector, final ServerSessionPool pool, final int maxMessages)
            throws JMSException {
        return createConnectionConsumer((Destination) topic, selector, pool, maxMessages);
    }

    private ConnectionConsumer subscribing(
            final Topic topic,
            final String name,
            final @Nullable String selector,
            final boolean durable,
            final boolean shared,
            final ServerSessionPool pool,
            final int maxMessages)
            throws JMSException {
        domain.refuseIn(Domain.QUEUE, "a connection consumer of a subscription");
        checkOpen();
        final JmsDestination valid = JmsSession.destination(topic);
        if (!shared && !hasClientId()) {
            throw new IllegalStateException("an unshared durable subscription needs a client identifier; none is set");
        }
        final ConsumerSpec spec = ConsumerSpec.subscription(valid, name, selector, false, durable, shared);
        return JmsConnectionConsumer.open(sessions.consuming(), spec, pool, maxMessages);
    }

    @Override
    public ConnectionConsumer createSharedConnectionConsumer(
            final Topic topic,
            final String name,
            final @Nullable String selector,
            final ServerSessionPool pool,
            final int maxMessages)
            throws JMSException {
        domain.refuseIn(Domain.QUEUE, "createSharedConnectionConsumer");
        return subscribing(topic, name, selector, false, true, pool, maxMessages);
    }

    @Override
    public ConnectionConsumer createDurableConnectionConsumer(
            final Topic topic,
            final String name,
            final @Nullable String selector,
            final ServerSessionPool pool,
            final int maxMessages)
            throws JMSException {
        return subscribing(topic, name, selector, true, false, pool, maxMessages);
    }

    @Override
    public ConnectionConsumer createSharedDurableConnectionConsumer(
            final Topic topic,
            final String name,
            final @Nullable String selector,
            final ServerSessionPool pool,
            final int maxMessages)
            throws JMSException {
        domain.refuseIn(Domain.QUEUE, "createSharedDurableConnectionConsumer");
        return subscribing(topic, name, selector, true, true, pool, maxMessages);
    }
}
