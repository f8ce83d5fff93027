package dev.avocet.amqp.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Topics, as Qpid JMS uses them. */
final class QpidTopicTest {
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
    void shouldDeliverToEverySubscriber() throws JMSException {
        // given
        Session session = jms.connect().createSession();
        Topic topic = session.createTopic("stocks/acme");
        MessageConsumer one = session.createConsumer(topic);
        MessageConsumer two = session.createConsumer(topic);
        MessageConsumer wild = session.createConsumer(session.createTopic("stocks/#"));

        // when
        session.createProducer(topic).send(session.createTextMessage("12.5"));

        // then
        assertThat(text(one)).isEqualTo("12.5");
        assertThat(text(two)).isEqualTo("12.5");
        assertThat(text(wild)).isEqualTo("12.5");
        assertThat(one.receive(MOMENT_MS)).isNull();
    }

    @Test
    void shouldKeepMessagesOfEveryTypeWithTheirProperties() throws JMSException {
        // given
        Session session = jms.connect().createSession();
        Topic topic = session.createTopic("types");
        MessageConsumer consumer = session.createConsumer(topic);
        MessageProducer producer = session.createProducer(topic);
        TextMessage text = session.createTextMessage("Grüße");
        text.setJMSCorrelationID("42");
        text.setJMSType("greeting");
        text.setJMSReplyTo(session.createTopic("answers"));
        text.setIntProperty("count", 7);
        text.setBooleanProperty("good", true);
        text.setDoubleProperty("weight", 1.5);
        BytesMessage bytes = session.createBytesMessage();
        bytes.writeBytes(new byte[] {1, 0, -1});
        MapMessage map = session.createMapMessage();
        map.setString("name", "avocet");
        map.setLong("size", 42L);
        StreamMessage stream = session.createStreamMessage();
        stream.writeInt(3);
        stream.writeString("x");

        // when
        producer.setPriority(7);
        producer.send(text);
        producer.send(bytes);
        producer.send(map);
        producer.send(stream);
        producer.send(session.createObjectMessage("an object"));
        producer.send(session.createMessage());

        // then
        TextMessage gotText = (TextMessage) consumer.receive(PATIENCE_MS);
        assertThat(gotText.getText()).isEqualTo("Grüße");
        assertThat(gotText.getJMSCorrelationID()).isEqualTo("42");
        assertThat(gotText.getJMSType()).isEqualTo("greeting");
        assertThat(gotText.getJMSReplyTo()).isEqualTo(session.createTopic("answers"));
        assertThat(gotText.getJMSDestination()).isEqualTo(topic);
        assertThat(gotText.getJMSPriority()).isEqualTo(7);
        assertThat(gotText.getJMSDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
        assertThat(gotText.getJMSMessageID()).isEqualTo(text.getJMSMessageID());
        assertThat(gotText.getJMSTimestamp()).isEqualTo(text.getJMSTimestamp());
        assertThat(gotText.getIntProperty("count")).isEqualTo(7);
        assertThat(gotText.getBooleanProperty("good")).isTrue();
        assertThat(gotText.getDoubleProperty("weight")).isEqualTo(1.5);
        BytesMessage gotBytes = (BytesMessage) consumer.receive(PATIENCE_MS);
        byte[] read = new byte[3];
        assertThat(gotBytes.readBytes(read)).isEqualTo(3);
        assertThat(read).containsExactly(1, 0, -1);
        MapMessage gotMap = (MapMessage) consumer.receive(PATIENCE_MS);
        assertThat(gotMap.getString("name")).isEqualTo("avocet");
        assertThat(gotMap.getLong("size")).isEqualTo(42L);
        StreamMessage gotStream = (StreamMessage) consumer.receive(PATIENCE_MS);
        assertThat(gotStream.readInt()).isEqualTo(3);
        assertThat(gotStream.readString()).isEqualTo("x");
        assertThat(consumer.receive(PATIENCE_MS).getBody(String.class)).isEqualTo("an object");
        assertThat(consumer.receive(PATIENCE_MS)).isNotNull();
    }

    @Test
    void shouldDeliverManyMessagesInTheirOrder() throws JMSException {
        // given
        int count = 5_000;
        Session session = jms.connect().createSession();
        Session other = jms.connect().createSession();
        MessageConsumer consumer = other.createConsumer(other.createTopic("many"));
        MessageProducer producer = session.createProducer(session.createTopic("many"));
        producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);

        // when
        for (int i = 0; i < count; i++) {
            producer.send(session.createTextMessage("" + i));
        }

        // then
        for (int i = 0; i < count; i++) {
            assertThat(text(consumer)).isEqualTo("" + i);
        }
    }

    @Test
    void shouldCarryMessagesLargerThanAFrame() throws JMSException {
        // given
        byte[] large = new byte[900_000];
        new Random(7).nextBytes(large);
        Session session = jms.connect().createSession();
        Topic topic = session.createTopic("large");
        MessageConsumer consumer = session.createConsumer(topic);
        BytesMessage message = session.createBytesMessage();
        message.writeBytes(large);

        // when
        session.createProducer(topic).send(message);

        // then
        assertThat(consumer.receive(PATIENCE_MS).getBody(byte[].class)).isEqualTo(large);
    }

    @Test
    void shouldRefuseMessagesLargerThanTheEndpointTakes() throws JMSException {
        // given
        Session session = jms.connect().createSession();
        MessageProducer producer = session.createProducer(session.createTopic("large"));
        BytesMessage message = session.createBytesMessage();
        message.writeBytes(new byte[2_000_000]);

        // when, then
        assertThatThrownBy(() -> producer.send(message)).isInstanceOf(JMSException.class);
    }

    @Test
    void shouldSelectAndLeaveOutOwnMessages() throws JMSException {
        // given
        Connection connection = jms.connect();
        Session session = connection.createSession();
        Session other = jms.connect().createSession();
        Topic topic = session.createTopic("selected");
        MessageConsumer red = session.createConsumer(topic, "colour = 'red'");
        MessageConsumer notMine = session.createConsumer(topic, null, true);

        // when
        send(session, topic, "blue");
        send(session, topic, "red");
        send(other, topic, "green");

        // then
        assertThat(red.receive(PATIENCE_MS).getStringProperty("colour")).isEqualTo("red");
        assertThat(notMine.receive(PATIENCE_MS).getStringProperty("colour")).isEqualTo("green");
        assertThat(red.receive(MOMENT_MS)).isNull();
    }

    @Test
    void shouldRefuseASelectorThatIsNone() throws JMSException {
        // given
        Session session = jms.connect().createSession();

        // when, then
        assertThatThrownBy(() -> session.createConsumer(session.createTopic("t"), "= 3"))
                .isInstanceOf(InvalidSelectorException.class);
    }

    @Test
    void shouldRedeliverWhatASessionRecovers() throws JMSException {
        // given
        Session session = jms.connect().createSession(false, Session.CLIENT_ACKNOWLEDGE);
        Topic topic = session.createTopic("recovered");
        MessageConsumer consumer = session.createConsumer(topic);
        MessageProducer producer = session.createProducer(topic);
        for (int i = 0; i < 3; i++) {
            producer.send(session.createTextMessage("" + i));
        }

        // when
        for (int i = 0; i < 3; i++) {
            assertThat(text(consumer)).isEqualTo("" + i);
        }
        session.recover();

        // then
        Message last = null;
        for (int i = 0; i < 3; i++) {
            last = consumer.receive(PATIENCE_MS);
            assertThat(last.getBody(String.class)).isEqualTo("" + i);
            assertThat(last.getJMSRedelivered()).isTrue();
        }
        last.acknowledge();
        assertThat(consumer.receive(MOMENT_MS)).isNull();
    }

    @Test
    void shouldPublishAndAcknowledgeInTransactions() throws JMSException {
        // given
        Session session = jms.connect().createSession(true, Session.SESSION_TRANSACTED);
        Session watching = jms.connect().createSession();
        Topic topic = session.createTopic("transacted");
        MessageConsumer watcher = watching.createConsumer(topic);
        MessageConsumer consumer = session.createConsumer(topic);
        MessageProducer producer = session.createProducer(topic);

        // when
        producer.send(session.createTextMessage("never"));
        session.rollback();
        producer.send(session.createTextMessage("committed"));

        // then
        assertThat(watcher.receive(MOMENT_MS)).isNull();
        session.commit();
        assertThat(text(watcher)).isEqualTo("committed");

        // when it is received and rolled back
        assertThat(text(consumer)).isEqualTo("committed");
        session.rollback();

        // then
        Message again = consumer.receive(PATIENCE_MS);
        assertThat(again.getBody(String.class)).isEqualTo("committed");
        assertThat(again.getJMSRedelivered()).isTrue();
        session.commit();
        assertThat(consumer.receive(MOMENT_MS)).isNull();
    }

    @Test
    void shouldAnswerRequestsByTemporaryTopics() throws JMSException {
        // given
        Session client = jms.connect().createSession();
        Session server = jms.connect().createSession();
        MessageConsumer requests = server.createConsumer(server.createTopic("requests"));
        Topic replies = client.createTemporaryTopic();
        MessageConsumer answers = client.createConsumer(replies);

        // when
        TextMessage request = client.createTextMessage("ping");
        request.setJMSReplyTo(replies);
        client.createProducer(client.createTopic("requests")).send(request);
        Message received = requests.receive(PATIENCE_MS);
        server.createProducer(null).send(received.getJMSReplyTo(), server.createTextMessage("pong"));

        // then
        assertThat(text(answers)).isEqualTo("pong");
    }

    @Test
    void shouldRefuseASecondConnectionWithTheSameClientIdentifier() throws JMSException {
        // given
        Connection first = jms.connect("only-one");

        // when, then
        assertThatThrownBy(() -> jms.connect("only-one")).isInstanceOf(InvalidClientIDException.class);
        first.close();
        assertThat(jms.connect("only-one").getClientID()).isEqualTo("only-one");
    }

    private static void send(Session session, Topic topic, String colour) throws JMSException {
        Message message = session.createMessage();
        message.setStringProperty("colour", colour);
        session.createProducer(topic).send(message);
    }

    private static String text(MessageConsumer consumer) throws JMSException {
        Message message = consumer.receive(PATIENCE_MS);
        assertThat(message).isNotNull();
        return message.getBody(String.class);
    }
}
