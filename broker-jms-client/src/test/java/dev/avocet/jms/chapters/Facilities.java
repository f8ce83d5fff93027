package dev.avocet.jms.chapters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueReceiver;
import jakarta.jms.QueueSender;
import jakarta.jms.QueueSession;
import jakarta.jms.ServerSessionPool;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicPublisher;
import jakarta.jms.TopicSession;
import jakarta.jms.TopicSubscriber;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Chapters 5, 9 and 10: administered objects, the interfaces of one domain, and exceptions. */
public abstract class Facilities extends Chapter {
    protected Facilities(Provider provider) {
        super(provider);
    }

    @Test
    @Section("5.1")
    void shouldStoreFactoriesAndDestinations() throws Exception {
        Session session = session();
        for (Object each : new Object[] {provider().factory("client"), queue(session), topic(session)}) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (ObjectOutputStream output = new ObjectOutputStream(bytes)) {
                output.writeObject(each);
            }
            Object copy;
            try (ObjectInputStream input = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
                copy = input.readObject();
            }
            assertThat(copy).isInstanceOf(each.getClass()).isInstanceOf(javax.naming.Referenceable.class);
            if (each instanceof Queue || each instanceof Topic) {
                assertThat(copy).isEqualTo(each);
            }
        }
    }

    @Test
    @Section("9.2")
    void shouldRefuseInAQueueSessionWhatIsForTopics() throws JMSException {
        QueueConnection connection = closing(provider().queueFactory().createQueueConnection());
        QueueSession session = connection.createQueueSession(false, Session.AUTO_ACKNOWLEDGE);
        Topic topic = topic(session());
        assertThatThrownBy(() -> session.createDurableSubscriber(topic, "n")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> session.createDurableSubscriber(topic, "n", null, false))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> session.createDurableConsumer(topic, "n")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> session.createSharedConsumer(topic, "n")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> session.createSharedDurableConsumer(topic, "n"))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(session::createTemporaryTopic).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> session.createTopic("topic")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> session.unsubscribe("n")).isInstanceOf(IllegalStateException.class);
    }

    @Test
    @Section("9.2")
    @Differs(
            on = Run.QPID_CLIENT,
            seen = "Expecting code to raise a throwable",
            because = "it makes connection consumers of any kind")
    void shouldRefuseInAQueueConnectionWhatIsForTopics() throws JMSException {
        QueueConnection connection = closing(provider().queueFactory().createQueueConnection());
        Topic topic = topic(session());
        ServerSessionPool pool = () -> null;
        assertThatThrownBy(() -> connection.createDurableConnectionConsumer(topic, "n", null, pool, 1))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> connection.createSharedConnectionConsumer(topic, "n", null, pool, 1))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> connection.createSharedDurableConnectionConsumer(topic, "n", null, pool, 1))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    @Section("9.2")
    void shouldRefuseInATopicSessionWhatIsForQueues() throws JMSException {
        TopicConnection connection = closing(provider().topicFactory().createTopicConnection());
        TopicSession session = connection.createTopicSession(false, Session.AUTO_ACKNOWLEDGE);
        Queue queue = queue(session());
        assertThatThrownBy(() -> session.createBrowser(queue)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> session.createBrowser(queue, "TRUE")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> session.createQueue("queue")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(session::createTemporaryQueue).isInstanceOf(IllegalStateException.class);
    }

    @Test
    @Section("7.2")
    void shouldSendAndReceiveWithTheInterfacesForQueues() throws JMSException {
        QueueConnection connection = closing(provider().queueFactory().createQueueConnection());
        connection.start();
        QueueSession session = connection.createQueueSession(true, 0);
        Queue queue = queue(session);
        QueueSender sender = session.createSender(queue);
        assertThat(sender.getQueue()).isEqualTo(queue);
        sender.send(session.createTextMessage("0"));
        session.createSender(null).send(queue, session.createTextMessage("1"));
        session.createSender(null).send(queue, session.createTextMessage("2"), 1, 4, 0);
        session.commit();
        QueueReceiver receiver = session.createReceiver(queue, "TRUE");
        assertThat(receiver.getQueue()).isEqualTo(queue);
        assertThat(takeTexts(receiver, 3)).containsExactly("0", "1", "2");
        session.commit();
    }

    @Test
    @Section("7.2")
    void shouldPublishAndSubscribeWithTheInterfacesForTopics() throws JMSException {
        TopicConnection connection = closing(provider().topicFactory().createTopicConnection());
        connection.start();
        TopicSession session = connection.createTopicSession(false, Session.AUTO_ACKNOWLEDGE);
        Topic topic = topic(session);
        TopicSubscriber subscriber = session.createSubscriber(topic);
        TopicSubscriber ownUnwanted = session.createSubscriber(topic, null, true);
        assertThat(subscriber.getTopic()).isEqualTo(topic);
        assertThat(subscriber.getNoLocal()).isFalse();
        assertThat(ownUnwanted.getNoLocal()).isTrue();
        TopicPublisher publisher = session.createPublisher(topic);
        assertThat(publisher.getTopic()).isEqualTo(topic);
        publisher.publish(session.createTextMessage("0"));
        publisher.publish(session.createTextMessage("1"), 1, 4, 0);
        session.createPublisher(null).publish(topic, session.createTextMessage("2"));
        session.createPublisher(null).publish(topic, session.createTextMessage("3"), 2, 4, 0);
        assertThat(takeTexts(subscriber, 4)).containsExactly("0", "1", "2", "3");
        assertThat(ownUnwanted.receiveNoWait()).isNull();
    }

    @Test
    @Section("6.1.7")
    void shouldNotTellTheExceptionListenerWhatIsThrown() throws JMSException {
        Connection connection = connect();
        AtomicReference<JMSException> told = new AtomicReference<>();
        connection.setExceptionListener(told::set);
        Session session = connection.createSession();
        MessageConsumer consumer = session.createConsumer(queue(session));
        assertThatThrownBy(() -> session.createConsumer(queue(session), "i =")).isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> session.unsubscribe(unique("nobody"))).isInstanceOf(JMSException.class);
        assertThat(consumer.receiveNoWait()).isNull();
        connection.close();
        assertThat(told).hasNullValue();
    }
}
