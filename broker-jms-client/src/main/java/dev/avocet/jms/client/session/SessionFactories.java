package dev.avocet.jms.client.session;

import dev.avocet.jms.client.message.DestinationKind;
import dev.avocet.jms.client.message.JmsBytesMessage;
import dev.avocet.jms.client.message.JmsDestination;
import dev.avocet.jms.client.message.JmsMapMessage;
import dev.avocet.jms.client.message.JmsMessage;
import dev.avocet.jms.client.message.JmsObjectMessage;
import dev.avocet.jms.client.message.JmsQueue;
import dev.avocet.jms.client.message.JmsStreamMessage;
import dev.avocet.jms.client.message.JmsTextMessage;
import dev.avocet.jms.client.message.JmsTopic;
import dev.avocet.jms.client.session.setting.ConsumerSpec;
import dev.avocet.jms.client.session.setting.Domain;
import jakarta.jms.BytesMessage;
import jakarta.jms.Destination;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.QueueReceiver;
import jakarta.jms.QueueSender;
import jakarta.jms.QueueSession;
import jakarta.jms.StreamMessage;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import jakarta.jms.TopicPublisher;
import jakarta.jms.TopicSession;
import jakarta.jms.TopicSubscriber;
import java.io.Serializable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a session makes, in all the ways that Jakarta Messaging has for it: messages and destinations here, and
 * producers, consumers and browsers by the few methods that each way comes down to.
 */
abstract sealed class SessionFactories implements QueueSession, TopicSession permits JmsSession {
    private final Domain domain;

    SessionFactories(final Domain domain) {
        this.domain = domain;
    }

    abstract JmsConnection connection();

    /** Throws when the session is over, or its connection is. */
    abstract void checkOpen() throws JMSException;

    abstract JmsConsumer consume(ConsumerSpec spec) throws JMSException;

    abstract JmsBrowser browse(JmsDestination queue, @Nullable String selector) throws JMSException;

    @Override
    public abstract JmsProducer createProducer(@Nullable Destination destination) throws JMSException;

    // ----- Messages.

    @Override
    public BytesMessage createBytesMessage() throws JMSException {
        checkOpen();
        return new JmsBytesMessage();
    }

    @Override
    public MapMessage createMapMessage() throws JMSException {
        checkOpen();
        return new JmsMapMessage();
    }

    @Override
    public Message createMessage() throws JMSException {
        checkOpen();
        return new JmsMessage();
    }

    @Override
    public ObjectMessage createObjectMessage() throws JMSException {
        checkOpen();
        return new JmsObjectMessage(connection().reader().trusted());
    }

    @Override
    public ObjectMessage createObjectMessage(final @Nullable Serializable object) throws JMSException {
        final ObjectMessage message = createObjectMessage();
        message.setObject(object);
        return message;
    }

    @Override
    public StreamMessage createStreamMessage() throws JMSException {
        checkOpen();
        return new JmsStreamMessage();
    }

    @Override
    public TextMessage createTextMessage() throws JMSException {
        return createTextMessage(null);
    }

    @Override
    public TextMessage createTextMessage(final @Nullable String text) throws JMSException {
        checkOpen();
        return new JmsTextMessage(text);
    }

    // ----- Destinations.

    @Override
    public Queue createQueue(final String name) throws JMSException {
        domain.refuseIn(Domain.TOPIC, "createQueue");
        checkOpen();
        return parsed(name, JmsQueue::parse);
    }

    @Override
    public Topic createTopic(final String name) throws JMSException {
        domain.refuseIn(Domain.QUEUE, "createTopic");
        checkOpen();
        return parsed(name, JmsTopic::parse);
    }

    private static <T> T parsed(final @Nullable String name, final Function<String, T> parser) throws JMSException {
        if (name == null || name.isEmpty()) {
            throw new InvalidDestinationException("a destination needs a name");
        }
        try {
            return parser.apply(name);
        } catch (final IllegalArgumentException e) {
            final JMSException invalid = new InvalidDestinationException(e.getMessage());
            invalid.initCause(e);
            throw invalid;
        }
    }

    @Override
    public TemporaryQueue createTemporaryQueue() throws JMSException {
        domain.refuseIn(Domain.TOPIC, "createTemporaryQueue");
        checkOpen();
        return (TemporaryQueue) connection().temporaries().create(DestinationKind.TEMPORARY_QUEUE);
    }

    @Override
    public TemporaryTopic createTemporaryTopic() throws JMSException {
        domain.refuseIn(Domain.QUEUE, "createTemporaryTopic");
        checkOpen();
        return (TemporaryTopic) connection().temporaries().create(DestinationKind.TEMPORARY_TOPIC);
    }

    // ----- Producers.

    @Override
    public QueueSender createSender(final @Nullable Queue queue) throws JMSException {
        return createProducer(queue);
    }

    @Override
    public TopicPublisher createPublisher(final @Nullable Topic topic) throws JMSException {
        return createProducer(topic);
    }

    // ----- Consumers.

    static JmsDestination destination(final @Nullable Destination destination) throws JMSException {
        final JmsDestination ours = JmsDestination.from(destination);
        if (ours == null) {
            throw new InvalidDestinationException("a consumer needs a destination");
        }
        return ours;
    }

    @Override
    public MessageConsumer createConsumer(final Destination destination) throws JMSException {
        return createConsumer(destination, null, false);
    }

    @Override
    public MessageConsumer createConsumer(final Destination destination, final @Nullable String selector)
            throws JMSException {
        return createConsumer(destination, selector, false);
    }

    @Override
    public MessageConsumer createConsumer(
            final Destination destination, final @Nullable String selector, final boolean noLocal) throws JMSException {
        return consume(ConsumerSpec.plain(destination(destination), selector, noLocal));
    }

    @Override
    public QueueReceiver createReceiver(final Queue queue) throws JMSException {
        return createReceiver(queue, null);
    }

    @Override
    public QueueReceiver createReceiver(final Queue queue, final @Nullable String selector) throws JMSException {
        return consume(ConsumerSpec.plain(destination(queue), selector, false));
    }

    @Override
    public TopicSubscriber createSubscriber(final Topic topic) throws JMSException {
        return createSubscriber(topic, null, false);
    }

    @Override
    public TopicSubscriber createSubscriber(final Topic topic, final @Nullable String selector, final boolean noLocal)
            throws JMSException {
        return consume(ConsumerSpec.plain(destination(topic), selector, noLocal));
    }

    @Override
    public MessageConsumer createSharedConsumer(final Topic topic, final String name) throws JMSException {
        return createSharedConsumer(topic, name, null);
    }

    @Override
    public MessageConsumer createSharedConsumer(final Topic topic, final String name, final @Nullable String selector)
            throws JMSException {
        domain.refuseIn(Domain.QUEUE, "createSharedConsumer");
        return consume(ConsumerSpec.subscription(destination(topic), name, selector, false, false, true));
    }

    @Override
    public TopicSubscriber createDurableSubscriber(final Topic topic, final String name) throws JMSException {
        return createDurableSubscriber(topic, name, null, false);
    }

    @Override
    public TopicSubscriber createDurableSubscriber(
            final Topic topic, final String name, final @Nullable String selector, final boolean noLocal)
            throws JMSException {
        return durable(topic, name, selector, noLocal, "createDurableSubscriber");
    }

    @Override
    public MessageConsumer createDurableConsumer(final Topic topic, final String name) throws JMSException {
        return createDurableConsumer(topic, name, null, false);
    }

    @Override
    public MessageConsumer createDurableConsumer(
            final Topic topic, final String name, final @Nullable String selector, final boolean noLocal)
            throws JMSException {
        return durable(topic, name, selector, noLocal, "createDurableConsumer");
    }

    private JmsConsumer durable(
            final Topic topic,
            final String name,
            final @Nullable String selector,
            final boolean noLocal,
            final String method)
            throws JMSException {
        domain.refuseIn(Domain.QUEUE, method);
        checkOpen();
        final JmsDestination valid = destination(topic);
        if (!connection().hasClientId()) {
            throw new IllegalStateException("an unshared durable subscription needs a client identifier; none is set");
        }
        return consume(ConsumerSpec.subscription(valid, name, selector, noLocal, true, false));
    }

    @Override
    public MessageConsumer createSharedDurableConsumer(final Topic topic, final String name) throws JMSException {
        return createSharedDurableConsumer(topic, name, null);
    }

    @Override
    public MessageConsumer createSharedDurableConsumer(
            final Topic topic, final String name, final @Nullable String selector) throws JMSException {
        domain.refuseIn(Domain.QUEUE, "createSharedDurableConsumer");
        return consume(ConsumerSpec.subscription(destination(topic), name, selector, false, true, true));
    }

    @Override
    public QueueBrowser createBrowser(final Queue queue) throws JMSException {
        return createBrowser(queue, null);
    }

    @Override
    public QueueBrowser createBrowser(final Queue queue, final @Nullable String selector) throws JMSException {
        domain.refuseIn(Domain.TOPIC, "createBrowser");
        checkOpen();
        return browse(destination(queue), selector);
    }

    @Override
    public void unsubscribe(final String name) throws JMSException {
        domain.refuseIn(Domain.QUEUE, "unsubscribe");
        checkOpen();
        SubscriptionEnd.of(name, connection());
    }
}
