package dev.avocet.amqp.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TextMessage;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import org.apache.qpid.jms.JmsConnection;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queues, as Qpid JMS uses them. */
final class QpidQueueTest {
    private static final long PATIENCE_MS = 30_000;
    private static final long MOMENT_MS = 100;

    private QpidJms jms;

    @BeforeEach
    void start() {
        jms = QpidJms.start();
    }

    @AfterEach
    void stop() throws JMSException {
        jms.close();
    }

    @Test
    void shouldKeepMessagesUntilSomebodyReceives() throws JMSException {
        // given
        Session session = jms.connect().createSession();
        Queue queue = session.createQueue("orders");
        MessageProducer producer = session.createProducer(queue);

        // when
        producer.send(session.createTextMessage("1"));
        producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
        producer.send(session.createTextMessage("2"));

        // then
        MessageConsumer consumer = session.createConsumer(queue);
        assertThat(text(consumer)).isEqualTo("1");
        assertThat(text(consumer)).isEqualTo("2");
        assertThat(consumer.receive(MOMENT_MS)).isNull();
    }

    @Test
    void shouldDivideMessagesAmongConsumers() throws JMSException {
        // given
        Session session = jms.connect().createSession();
        Queue queue = session.createQueue("work");
        MessageConsumer one = consumerWithPrefetch(1, queue);
        MessageConsumer two = consumerWithPrefetch(1, queue);

        // when
        MessageProducer producer = session.createProducer(queue);
        for (int i = 0; i < 10; i++) {
            producer.send(session.createTextMessage("" + i));
        }

        // then
        List<String> all = new ArrayList<>(List.of(text(one), text(two)));
        for (MessageConsumer next = one; all.size() < 10; next = next == one ? two : one) {
            Message message = next.receive(100); // the other one may hold the last of them
            if (message != null) {
                all.add(message.getBody(String.class));
            }
        }
        assertThat(all).containsExactlyInAnyOrder("0", "1", "2", "3", "4", "5", "6", "7", "8", "9");
    }

    @ParameterizedTest
    @ValueSource(ints = {Session.AUTO_ACKNOWLEDGE, Session.DUPS_OK_ACKNOWLEDGE, Session.CLIENT_ACKNOWLEDGE})
    void shouldForgetWhatWasAcknowledged(int mode) throws JMSException {
        // given
        Connection connection = jms.connect();
        Session session = connection.createSession(false, mode);
        Queue queue = session.createQueue("acknowledged");
        MessageProducer producer = session.createProducer(queue);
        for (int i = 0; i < 100; i++) {
            producer.send(session.createTextMessage("" + i));
        }

        // when
        MessageConsumer consumer = session.createConsumer(queue);
        Message last = null;
        for (int i = 0; i < 100; i++) {
            last = consumer.receive(PATIENCE_MS);
            assertThat(last.getBody(String.class)).isEqualTo("" + i);
        }
        last.acknowledge();
        connection.close();

        // then
        Session later = jms.connect().createSession();
        assertThat(later.createConsumer(queue).receive(MOMENT_MS)).isNull();
    }

    @Test
    void shouldDeliverAgainWhatWasNotAcknowledged() throws JMSException {
        // given
        Connection connection = jms.connect();
        Session session = connection.createSession(false, Session.CLIENT_ACKNOWLEDGE);
        Queue queue = session.createQueue("again");
        session.createProducer(queue).send(session.createTextMessage("x"));
        assertThat(text(session.createConsumer(queue))).isEqualTo("x");

        // when
        session.recover();
        Message recovered = session.createConsumer(queue).receive(MOMENT_MS);
        connection.close();

        // then
        assertThat(recovered).isNull(); // its first consumer has it
        Message again = consumer("again").receive(PATIENCE_MS);
        assertThat(again.getBody(String.class)).isEqualTo("x");
        assertThat(again.getJMSRedelivered()).isTrue();
        assertThat(again.getIntProperty("JMSXDeliveryCount")).isGreaterThan(1);
    }

    @Test
    void shouldCommitAndRollBackBothEnds() throws JMSException {
        // given
        Session session = jms.connect().createSession(true, Session.SESSION_TRANSACTED);
        Queue in = session.createQueue("in");
        Queue out = session.createQueue("out");
        Session plain = jms.connect().createSession();
        for (int i = 0; i < 10; i++) {
            plain.createProducer(in).send(plain.createTextMessage("" + i));
        }
        MessageConsumer consumer = session.createConsumer(in);
        MessageProducer producer = session.createProducer(out);
        MessageConsumer result = plain.createConsumer(out);

        // when rolled back
        for (int i = 0; i < 10; i++) {
            producer.send(session.createTextMessage(text(consumer)));
        }
        session.rollback();

        // then
        assertThat(result.receive(MOMENT_MS)).isNull();

        // when committed
        for (int i = 0; i < 10; i++) {
            Message message = consumer.receive(PATIENCE_MS);
            assertThat(message.getBody(String.class)).isEqualTo("" + i);
            assertThat(message.getJMSRedelivered()).isTrue();
            producer.send(session.createTextMessage(message.getBody(String.class)));
        }
        session.commit();

        // then
        for (int i = 0; i < 10; i++) {
            assertThat(text(result)).isEqualTo("" + i);
        }
        assertThat(consumer.receive(MOMENT_MS)).isNull();
    }

    @Test
    void shouldBrowseWithoutTaking() throws JMSException {
        // given
        Session session = jms.connect().createSession();
        Queue queue = session.createQueue("browsed");
        MessageProducer producer = session.createProducer(queue);
        for (int i = 0; i < 5; i++) {
            Message message = session.createTextMessage("" + i);
            message.setIntProperty("n", i);
            producer.send(message);
        }

        // when, then
        assertThat(browse(session.createBrowser(queue))).containsExactly("0", "1", "2", "3", "4");
        assertThat(browse(session.createBrowser(queue, "n > 2"))).containsExactly("3", "4");
        assertThat(text(session.createConsumer(queue))).isEqualTo("0");
    }

    @Test
    void shouldBrowseWhatIsThereWhenTheClientBegins() throws JMSException {
        // given
        Session session = jms.connect().createSession();
        Queue queue = session.createQueue("browsed later");
        Connection without = jms.factory("?jms.prefetchPolicy.all=0").createConnection();
        without.start();
        Enumeration<?> all = without.createSession().createBrowser(queue).getEnumeration();

        // when
        session.createProducer(queue).send(session.createTextMessage("x"));

        // then
        assertThat(all.hasMoreElements()).isTrue();
        assertThat(((Message) all.nextElement()).getBody(String.class)).isEqualTo("x");
        assertThat(all.hasMoreElements()).isFalse();
        without.close();
    }

    @Test
    void shouldSelect() throws JMSException {
        // given
        Session session = jms.connect().createSession();
        Queue queue = session.createQueue("replies");
        MessageConsumer mine = session.createConsumer(queue, "JMSCorrelationID = 'b'");
        MessageProducer producer = session.createProducer(queue);

        // when
        for (String id : List.of("a", "b", "c")) {
            Message message = session.createTextMessage(id);
            message.setJMSCorrelationID(id);
            producer.send(message);
        }

        // then
        assertThat(text(mine)).isEqualTo("b");
        assertThat(mine.receive(MOMENT_MS)).isNull();
        assertThat(text(session.createConsumer(queue))).isEqualTo("a");
    }

    @Test
    void shouldServeUrgentMessagesFirst() throws JMSException {
        // given
        Session session = jms.connect().createSession();
        Queue queue = session.createQueue("urgent");
        MessageProducer producer = session.createProducer(queue);
        for (int priority : new int[] {1, 9, 4}) {
            producer.send(session.createTextMessage("" + priority), DeliveryMode.PERSISTENT, priority, 0);
        }

        // when, then
        MessageConsumer consumer = session.createConsumer(queue);
        assertThat(text(consumer)).isEqualTo("9");
        assertThat(text(consumer)).isEqualTo("4");
        assertThat(text(consumer)).isEqualTo("1");
    }

    @Test
    void shouldAnswerRequestsByTemporaryQueues() throws JMSException {
        // given
        Session client = jms.connect().createSession();
        Session server = jms.connect().createSession();
        MessageConsumer requests = server.createConsumer(server.createQueue("requests"));
        TemporaryQueue replies = client.createTemporaryQueue();
        MessageConsumer answers = client.createConsumer(replies);

        // when
        TextMessage request = client.createTextMessage("ping");
        request.setJMSReplyTo(replies);
        client.createProducer(client.createQueue("requests")).send(request);
        Message received = requests.receive(PATIENCE_MS);
        server.createProducer(null).send(received.getJMSReplyTo(), server.createTextMessage("pong"));

        // then
        assertThat(text(answers)).isEqualTo("pong");

        // when it is deleted
        answers.close();
        replies.delete();

        // then
        assertThatThrownBy(() -> server.createProducer(null).send(replies, server.createTextMessage("too late")))
                .isInstanceOf(JMSException.class);
    }

    @Test
    void shouldEndTemporaryQueuesWithTheirConnection() throws JMSException {
        // given
        Connection connection = jms.connect();
        TemporaryQueue queue = connection.createSession().createTemporaryQueue();
        String name = queue.getQueueName();
        assertThat(jms.broker().broker().queues().find(name)).isNotNull();

        // when
        connection.close();

        // then
        jms.broker().settle();
        assertThat(jms.broker().broker().queues().find(name)).isNull();
    }

    @Test
    void shouldReceiveWithoutPrefetch() throws JMSException {
        // given
        Session session = jms.connect().createSession();
        Queue queue = session.createQueue("pulled");
        MessageConsumer consumer = consumerWithPrefetch(0, queue);
        assertThat(consumer.receiveNoWait()).isNull();

        // when
        session.createProducer(queue).send(session.createTextMessage("x"));

        // then
        assertThat(text(consumer)).isEqualTo("x");
        assertThat(consumer.receive(MOMENT_MS)).isNull();
    }

    @Test
    void shouldDeliverLater() throws JMSException {
        // given
        Session session = jms.connect().createSession();
        Queue queue = session.createQueue("delayed");
        MessageProducer producer = session.createProducer(queue);
        MessageConsumer consumer = session.createConsumer(queue);

        // when
        producer.setDeliveryDelay(3_600_000);
        producer.send(session.createTextMessage("later"));

        // then
        assertThat(consumer.receive(MOMENT_MS)).isNull();
    }

    @Test
    void shouldSendPresettled() throws JMSException {
        // given
        JmsConnectionFactory factory = jms.factory("?jms.presettlePolicy.presettleAll=true");
        try (Connection connection = factory.createConnection()) {
            connection.start();
            Session session = connection.createSession();
            Queue queue = session.createQueue("presettled");
            MessageProducer producer = session.createProducer(queue);
            producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);

            // when
            for (int i = 0; i < 2_500; i++) {
                producer.send(session.createTextMessage("" + i));
            }

            // then
            MessageConsumer consumer = session.createConsumer(queue);
            for (int i = 0; i < 2_500; i++) {
                assertThat(text(consumer)).isEqualTo("" + i);
            }
        }
    }

    @Test
    void shouldServeTheSimplifiedInterface() {
        // given
        JMSContext context = jms.context(JMSContext.AUTO_ACKNOWLEDGE);
        Queue queue = context.createQueue("simple");

        // when
        context.createProducer().setProperty("n", 1).send(queue, "hello");

        // then
        JMSConsumer consumer = context.createConsumer(queue);
        assertThat(consumer.receiveBody(String.class, PATIENCE_MS)).isEqualTo("hello");
    }

    @Test
    void shouldRefuseAQueueNameWithWildcards() throws JMSException {
        // given
        Session session = jms.connect().createSession();

        // when, then
        assertThatThrownBy(() -> session.createProducer(session.createQueue("a/#")))
                .isInstanceOf(JMSException.class)
                .isNotInstanceOf(InvalidDestinationException.class);
    }

    private MessageConsumer consumer(String queue) throws JMSException {
        Session session = jms.connect().createSession();
        return session.createConsumer(session.createQueue(queue));
    }

    private MessageConsumer consumerWithPrefetch(int messages, Queue queue) throws JMSException {
        JmsConnection connection = (JmsConnection)
                jms.factory("?jms.prefetchPolicy.all=" + messages).createConnection();
        connection.start();
        return connection.createSession().createConsumer(queue);
    }

    private static List<String> browse(QueueBrowser browser) throws JMSException {
        List<String> seen = new ArrayList<>();
        for (Enumeration<?> all = browser.getEnumeration(); all.hasMoreElements(); ) {
            seen.add(((Message) all.nextElement()).getBody(String.class));
        }
        browser.close();
        return seen;
    }

    private static String text(MessageConsumer consumer) throws JMSException {
        Message message = consumer.receive(PATIENCE_MS);
        assertThat(message).isNotNull();
        return message.getBody(String.class);
    }
}
