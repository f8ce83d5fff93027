package dev.avocet.jms.client.session;

import dev.avocet.jms.client.call.Await;
import dev.avocet.jms.client.call.Checked;
import dev.avocet.jms.client.call.Failures;
import dev.avocet.jms.client.codec.Clock;
import dev.avocet.jms.client.message.JmsDestination;
import dev.avocet.jms.client.message.JmsMessage;
import dev.avocet.jms.client.options.Option;
import dev.avocet.jms.client.session.setting.ConsumerProtection;
import dev.avocet.jms.client.session.setting.ConsumerSpec;
import dev.avocet.jms.client.wire.ReceiverSpec;
import dev.avocet.jms.client.wire.route.WireException;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageListener;
import jakarta.jms.Queue;
import jakarta.jms.QueueReceiver;
import jakarta.jms.Topic;
import jakarta.jms.TopicSubscriber;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.apache.qpid.protonj2.engine.IncomingDelivery;
import org.jspecify.annotations.Nullable;

/** The half of a consumer that faces the application: a receive waits here, and takes what the {@link Intake} has. */
public final class JmsConsumer implements QueueReceiver, TopicSubscriber {
    private final JmsSession session;
    private final ConsumerSpec spec;
    private final String linkName;
    private final ConsumerProtection protection;
    private final Intake intake;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final AtomicBoolean nameReleased = new AtomicBoolean();

    private volatile @Nullable Thread waiting;
    private volatile @Nullable MessageListener listener;
    /** Called instead of a listener when there may be messages: the consumer belongs to a connection consumer. */
    private volatile @Nullable Runnable onArrival;

    private volatile @Nullable WireException end;
    /** The last that was put back, which is opened twice if it is sealed; of the session's thread. */
    private @Nullable IncomingDelivery lastPutBack;
    /** What the body must be assignable to, while receiveBody runs; of the session's thread. */
    private @Nullable Class<?> bodyType;

    private JmsConsumer(final JmsSession session, final ConsumerSpec spec, final String linkName) {
        this.session = session;
        this.spec = spec;
        this.linkName = linkName;
        final Integer own = spec.destination().options().clientMessageCache();
        this.protection = new ConsumerProtection(session.connection().protection(), spec);
        this.intake = new Intake(
                this,
                session.connection().wire(),
                own == null ? session.connection().options().count(Option.CLIENT_MESSAGE_CACHE) : own);
    }

    static JmsConsumer open(final JmsSession session, final ConsumerSpec spec) throws JMSException {
        final JmsConnection connection = session.connection();
        final boolean global = !connection.hasClientId();
        final String name = spec.subscription() == null
                ? connection.nextName("consumer")
                : connection.subscriptions().reserve(spec.subscription(), spec.shared(), spec.durable(), global);
        final JmsConsumer consumer = new JmsConsumer(session, spec, name);
        try {
            connection.onLoop(
                    () -> consumer.intake.attach(session.wire(), consumer.receiverSpec(global)), "creating a consumer");
            consumer.checkKeys();
        } catch (final JMSException e) {
            consumer.closed.set(true);
            consumer.releaseName();
            throw selectorFault(spec, e);
        }
        return consumer;
    }

    /** A consumer that could open nothing is told so before the first message is lost on it. */
    private void checkKeys() throws JMSException {
        try {
            protection.checkKeys(intake.link().protection());
        } catch (final JMSException e) {
            Await.of(
                    session.connection().later(() -> intake.link().close(false)),
                    session.connection().options().ms(Option.CLOSE_TIMEOUT_MS),
                    "closing a consumer");
            throw e;
        }
    }

    static JMSException selectorFault(final ConsumerSpec spec, final JMSException e) {
        if (spec.selector() == null || !"amqp:invalid-field".equals(e.getErrorCode())) {
            return e;
        }
        final InvalidSelectorException invalid = new InvalidSelectorException(e.getMessage(), e.getErrorCode());
        invalid.initCause(e);
        return invalid;
    }

    private ReceiverSpec receiverSpec(final boolean global) {
        final List<String> capabilities = new ArrayList<>();
        capabilities.add(spec.destination().kind().capability());
        if (spec.shared()) {
            capabilities.add("shared");
            if (global) {
                capabilities.add("global");
            }
        }
        final boolean settled = session.connection().disablesAck(spec.destination())
                && !session.acknowledgement().isTransacted();
        return new ReceiverSpec(
                linkName,
                spec.destination().name(),
                capabilities,
                spec.selector(),
                spec.noLocal(),
                spec.durable(),
                false,
                settled);
    }

    JmsDestination destination() {
        return spec.destination();
    }

    Intake intake() {
        return intake;
    }

    boolean isClosed() {
        return closed.get();
    }

    // ----- What the intake tells, on the event loop.

    /** There may be messages, or reasons to wait no longer. From any thread. */
    void wake() {
        final Thread waiter = waiting;
        if (waiter != null) {
            LockSupport.unpark(waiter);
        }
        final Runnable told = onArrival;
        if (told != null) {
            told.run();
        } else if (listener != null) {
            session.listeners().signal();
        }
    }

    /** Messages are called for whenever they come, and not by a receive. */
    boolean isListening() {
        return listener != null || onArrival != null;
    }

    void lineLost() {
        protection.lineLost();
    }

    /** @param wasOpen the server had taken the link */
    void ended(final WireException cause, final boolean wasOpen) {
        end = cause;
        if (closed.compareAndSet(false, true) && wasOpen) {
            // The connection's own end is told once, by the connection.
            if (session.connection().failure() == null) {
                session.connection().tell(Failures.of(cause));
            }
            releaseName();
        }
        wake();
    }

    // ----- The session's part.

    void started() {
        intake.start();
        wake();
    }

    /** From now on {@code told} is called when there may be messages, on any thread; it must not block. */
    void onArrival(final Runnable told) {
        onArrival = told;
        session.connection().wire().run(intake::topUp);
        told.run();
    }

    /** One receive of a message whose body must be of that type. */
    public <T> @Nullable Message receiveBody(final Class<T> type, final Checked.Call<@Nullable Message> receive)
            throws JMSException {
        bodyType = type;
        try {
            return receive.call();
        } finally {
            bodyType = null;
        }
    }

    /**
     * Section 8.6: refuses a body of another type, and keeps the message for the next receive as if this one had not
     * been.
     */
    void checkBody(final JmsMessage message, final IncomingDelivery arrived) throws JMSException {
        final Class<?> type = bodyType;
        if (type != null && !message.hasBodyOf(type)) {
            intake.putBack(arrived);
            lastPutBack = arrived;
            throw new MessageFormatException("the body of the message is not a " + type.getName());
        }
    }

    /** The message as it was before it was sealed; the same where nothing is protected. */
    @SuppressWarnings("ReferenceEquality") // the very delivery that was put back
    JmsMessage opened(final JmsMessage arrived, final IncomingDelivery delivery) throws JMSException {
        return protection.opened(arrived, intake.link().protection(), delivery == lastPutBack);
    }

    @Nullable MessageListener listener() {
        return listener;
    }

    @Override
    public @Nullable Message receive() throws JMSException {
        return receive(0);
    }

    @Override
    public @Nullable Message receive(final long timeout) throws JMSException {
        checkReceivable();
        final JmsMessage ready = closed.get() ? null : next();
        return ready == null ? await(timeout) : ready;
    }

    private @Nullable Message await(final long timeout) throws JMSException {
        final boolean forEver = timeout <= 0;
        final long deadlineNs = Clock.nowNs() + TimeUnit.MILLISECONDS.toNanos(timeout);
        // Said before the cache is looked at again: the thread that fills it looks here afterwards.
        waiting = Thread.currentThread();
        try {
            while (!closed.get()) {
                final JmsMessage message = next();
                if (message != null) {
                    return message;
                }
                final long leftNs = deadlineNs - Clock.nowNs();
                if (!forEver && leftNs <= 0) {
                    return lastChance();
                }
                park(forEver ? 0 : leftNs);
            }
        } finally {
            waiting = null;
        }
        return afterEnd();
    }

    private void park(final long leftNs) throws JMSException {
        if (session.connection().isStarted() && !intake.hasCache()) {
            session.connection().wire().run(intake::askForOne);
        }
        if (intake.isEmpty() && !closed.get() || !session.connection().isStarted()) {
            if (leftNs == 0) {
                LockSupport.park(this);
            } else {
                LockSupport.parkNanos(this, leftNs);
            }
        }
        if (Thread.currentThread().isInterrupted()) {
            throw new JMSException("interrupted while receiving");
        }
    }

    private @Nullable JmsMessage next() throws JMSException {
        while (session.connection().isStarted()) {
            final IncomingDelivery arrived = intake.poll();
            if (arrived == null) {
                return null;
            }
            final JmsMessage message = session.receive(this, arrived);
            if (message != null) {
                return message;
            }
        }
        return null;
    }

    /** Time is up: without a cache the credit is taken back, and a message may be on its way yet. */
    private @Nullable JmsMessage lastChance() throws JMSException {
        if (intake.hasCache() || !session.connection().isStarted()) {
            return null;
        }
        session.connection().onLoop(intake::drain, "receiving");
        return next();
    }

    @Override
    public @Nullable Message receiveNoWait() throws JMSException {
        checkReceivable();
        final JmsMessage message = next();
        if (message != null || !session.connection().isStarted()) {
            return message;
        }
        // Whether there is none only the server knows: it is asked to send what it has.
        session.connection()
                .onLoop(
                        () -> {
                            intake.askForOne();
                            return intake.drain();
                        },
                        "receiving");
        final JmsMessage asked = next();
        session.connection().wire().run(intake::topUp);
        return asked;
    }

    private void checkReceivable() throws JMSException {
        if (closed.get()) {
            final WireException cause = end;
            throw cause == null || WireException.CLOSED.equals(cause.condition())
                    ? new IllegalStateException("the consumer is closed")
                    : Failures.of(cause);
        }
        session.checkOpen();
        if (listener != null) {
            throw new IllegalStateException("the consumer has a message listener; receive() is for those without one");
        }
    }

    private @Nullable Message afterEnd() throws JMSException {
        final WireException cause = session.connection().failure();
        if (cause != null) {
            throw Failures.of(cause);
        }
        return null;
    }

    @Override
    public @Nullable String getMessageSelector() throws JMSException {
        checkOpen();
        return spec.selector();
    }

    private void checkOpen() throws JMSException {
        if (closed.get()) {
            throw new IllegalStateException("the consumer is closed");
        }
    }

    @Override
    public @Nullable MessageListener getMessageListener() throws JMSException {
        checkOpen();
        return listener;
    }

    @Override
    public void setMessageListener(final @Nullable MessageListener to) throws JMSException {
        checkOpen();
        session.checkOpen();
        listener = to;
        if (to == null) {
            if (!session.listeners().isCurrentThread()) {
                session.listeners().awaitEnd();
            }
        } else {
            session.connection().wire().run(intake::topUp);
            session.listeners().signal();
        }
    }

    @Override
    public Queue getQueue() throws JMSException {
        checkOpen();
        return (Queue) spec.destination();
    }

    @Override
    public Topic getTopic() throws JMSException {
        checkOpen();
        return (Topic) spec.destination();
    }

    @Override
    public boolean getNoLocal() throws JMSException {
        checkOpen();
        return spec.noLocal();
    }

    /** May be called by its own listener, which then goes on to its end. */
    @Override
    public void close() throws JMSException {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        wake();
        if (!session.listeners().isCurrentThread()) {
            session.listeners().awaitEnd();
        }
        session.connection().onLoop(intake::drain, "closing a consumer");
        session.connection().wire().run(intake::releaseCached);
        session.consumers().retire(this);
    }

    void closeLink() throws JMSException {
        final boolean forGood = !spec.durable();
        Await.of(
                session.connection().later(() -> intake.close(forGood)),
                session.connection().options().ms(Option.CLOSE_TIMEOUT_MS),
                "closing a consumer");
        releaseName();
    }

    void closeLocally() {
        closed.set(true);
        wake();
    }

    void releaseName() {
        if (spec.subscription() != null && nameReleased.compareAndSet(false, true)) {
            session.connection().subscriptions().release(linkName);
        }
    }
}
