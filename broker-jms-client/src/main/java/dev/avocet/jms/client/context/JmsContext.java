package dev.avocet.jms.client.context;

import dev.avocet.jms.client.call.Checked;
import dev.avocet.jms.client.session.AckMode;
import dev.avocet.jms.client.session.JmsConnection;
import dev.avocet.jms.client.session.JmsConsumer;
import dev.avocet.jms.client.session.JmsProducer;
import dev.avocet.jms.client.session.JmsSession;
import jakarta.jms.BytesMessage;
import jakarta.jms.ConnectionMetaData;
import jakarta.jms.Destination;
import jakarta.jms.ExceptionListener;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.StreamMessage;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.io.Serializable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A connection that contexts share, and one session of it, made when it is first needed. */
public sealed class JmsContext implements JMSContext permits JmsXaContext {
    /** Makes the connection. */
    @FunctionalInterface
    public interface Connecting {
        JmsConnection connect() throws JMSException;
    }

    private final JmsConnection connection;
    private final AtomicInteger sharers;
    private final int sessionMode;
    private final AtomicBoolean closed = new AtomicBoolean();
    private @Nullable JmsSession session;
    private @Nullable JmsProducer producer;
    private boolean autoStart = true;

    JmsContext(final JmsConnection connection, final AtomicInteger sharers, final int sessionMode) {
        this.connection = connection;
        this.sharers = sharers;
        this.sessionMode = sessionMode;
    }

    /** The first context of a connection of its own. */
    public static JmsContext open(final Connecting connecting, final int sessionMode) {
        return Checked.get(() -> {
            checkMode(sessionMode);
            return new JmsContext(connecting.connect(), new AtomicInteger(1), sessionMode);
        });
    }

    private static void checkMode(final int sessionMode) {
        try {
            AckMode.of(sessionMode);
        } catch (final JMSException e) {
            throw new JMSRuntimeException(e.getMessage(), e.getErrorCode(), e);
        }
    }

    @Override
    public JMSContext createContext(final int mode) {
        checkOpen();
        checkMode(mode);
        sharers.incrementAndGet();
        return new JmsContext(connection, sharers, mode);
    }

    private void checkOpen() {
        if (closed.get()) {
            throw new IllegalStateRuntimeException("the context is closed");
        }
    }

    JmsSession newSession() throws JMSException {
        return connection.createSession(sessionMode);
    }

    // synchronized: the session is made once, also when the context is closed by another thread meanwhile.
    synchronized JmsSession session() {
        checkOpen();
        JmsSession made = session;
        if (made == null) {
            made = Checked.get(this::newSession);
            session = made;
        }
        return made;
    }

    // synchronized: as above.
    private synchronized JmsProducer producer() {
        JmsProducer made = producer;
        if (made == null) {
            made = Checked.get(() -> session().createProducer(null));
            producer = made;
        }
        return made;
    }

    @Override
    public JMSProducer createProducer() {
        return new ContextProducer(session(), producer());
    }

    @Override
    public @Nullable String getClientID() {
        return Checked.get(connection::getClientID);
    }

    @Override
    public void setClientID(final String clientID) {
        Checked.run(() -> connection.setClientID(clientID));
    }

    @Override
    public ConnectionMetaData getMetaData() {
        return Checked.get(connection::getMetaData);
    }

    @Override
    public @Nullable ExceptionListener getExceptionListener() {
        return Checked.get(connection::getExceptionListener);
    }

    @Override
    public void setExceptionListener(final @Nullable ExceptionListener listener) {
        Checked.run(() -> connection.setExceptionListener(listener));
    }

    @Override
    public void start() {
        checkOpen();
        Checked.run(connection::start);
    }

    @Override
    public void stop() {
        checkOpen();
        Checked.run(connection::stop);
    }

    @Override
    public void setAutoStart(final boolean start) {
        checkOpen();
        autoStart = start;
    }

    @Override
    public boolean getAutoStart() {
        checkOpen();
        return autoStart;
    }

    @Override
    public void close() {
        final JmsSession own;
        synchronized (this) { // As in session().
            own = session;
            if (own != null) {
                Checked.run(() -> own.refuseInCallback("close a context"));
            }
            if (!closed.compareAndSet(false, true)) {
                return;
            }
        }
        if (own != null) {
            Checked.run(own::close);
        }
        if (sharers.decrementAndGet() == 0) {
            Checked.run(connection::close);
        }
    }

    @Override
    public BytesMessage createBytesMessage() {
        return Checked.get(session()::createBytesMessage);
    }

    @Override
    public MapMessage createMapMessage() {
        return Checked.get(session()::createMapMessage);
    }

    @Override
    public Message createMessage() {
        return Checked.get(session()::createMessage);
    }

    @Override
    public ObjectMessage createObjectMessage() {
        return Checked.get(() -> session().createObjectMessage());
    }

    @Override
    public ObjectMessage createObjectMessage(final @Nullable Serializable object) {
        return Checked.get(() -> session().createObjectMessage(object));
    }

    @Override
    public StreamMessage createStreamMessage() {
        return Checked.get(session()::createStreamMessage);
    }

    @Override
    public TextMessage createTextMessage() {
        return Checked.get(() -> session().createTextMessage());
    }

    @Override
    public TextMessage createTextMessage(final @Nullable String text) {
        return Checked.get(() -> session().createTextMessage(text));
    }

    @Override
    public boolean getTransacted() {
        return Checked.get(session()::getTransacted);
    }

    @Override
    public int getSessionMode() {
        return sessionMode;
    }

    @Override
    public void commit() {
        Checked.run(session()::commit);
    }

    @Override
    public void rollback() {
        Checked.run(session()::rollback);
    }

    @Override
    public void recover() {
        Checked.run(session()::recover);
    }

    private JMSConsumer consumer(final Checked.Call<MessageConsumer> call) {
        checkOpen();
        final MessageConsumer consumer = Checked.get(call);
        if (autoStart) {
            start();
        }
        return new ContextConsumer((JmsConsumer) consumer);
    }

    @Override
    public JMSConsumer createConsumer(final Destination destination) {
        return consumer(() -> session().createConsumer(destination));
    }

    @Override
    public JMSConsumer createConsumer(final Destination destination, final @Nullable String selector) {
        return consumer(() -> session().createConsumer(destination, selector));
    }

    @Override
    public JMSConsumer createConsumer(
            final Destination destination, final @Nullable String selector, final boolean noLocal) {
        return consumer(() -> session().createConsumer(destination, selector, noLocal));
    }

    @Override
    public JMSConsumer createDurableConsumer(final Topic topic, final String name) {
        return consumer(() -> session().createDurableConsumer(topic, name));
    }

    @Override
    public JMSConsumer createDurableConsumer(
            final Topic topic, final String name, final @Nullable String selector, final boolean noLocal) {
        return consumer(() -> session().createDurableConsumer(topic, name, selector, noLocal));
    }

    @Override
    public JMSConsumer createSharedDurableConsumer(final Topic topic, final String name) {
        return consumer(() -> session().createSharedDurableConsumer(topic, name));
    }

    @Override
    public JMSConsumer createSharedDurableConsumer(
            final Topic topic, final String name, final @Nullable String selector) {
        return consumer(() -> session().createSharedDurableConsumer(topic, name, selector));
    }

    @Override
    public JMSConsumer createSharedConsumer(final Topic topic, final String name) {
        return consumer(() -> session().createSharedConsumer(topic, name));
    }

    @Override
    public JMSConsumer createSharedConsumer(final Topic topic, final String name, final @Nullable String selector) {
        return consumer(() -> session().createSharedConsumer(topic, name, selector));
    }

    @Override
    public QueueBrowser createBrowser(final Queue queue) {
        return createBrowser(queue, null);
    }

    @Override
    public QueueBrowser createBrowser(final Queue queue, final @Nullable String selector) {
        final QueueBrowser browser = Checked.get(() -> session().createBrowser(queue, selector));
        if (autoStart) {
            start();
        }
        return browser;
    }

    @Override
    public Queue createQueue(final String name) {
        return Checked.get(() -> session().createQueue(name));
    }

    @Override
    public Topic createTopic(final String name) {
        return Checked.get(() -> session().createTopic(name));
    }

    @Override
    public TemporaryQueue createTemporaryQueue() {
        return Checked.get(session()::createTemporaryQueue);
    }

    @Override
    public TemporaryTopic createTemporaryTopic() {
        return Checked.get(session()::createTemporaryTopic);
    }

    @Override
    public void unsubscribe(final String name) {
        Checked.run(() -> session().unsubscribe(name));
    }

    @Override
    public void acknowledge() {
        Checked.run(session()::acknowledgeForContext);
    }
}
