package dev.avocet.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageProducer;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import jakarta.jms.XAConnection;
import java.util.Enumeration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SendReceiveTest extends ServerTest {
    @Test
    void shouldSendAndReceiveInFiveLines() {
        try (JMSContext context = new AvocetConnectionFactory(server.url()).createContext()) {
            final Queue queue = context.createQueue(unique("orders"));
            context.createProducer().send(queue, "hello");
            final JMSConsumer consumer = context.createConsumer(queue);

            assertThat(consumer.receiveBody(String.class, WAIT_MS)).isEqualTo("hello");
        }
    }

    @Test
    void shouldKeepHeadersAndPropertiesOfAllTypes() throws Exception {
        // given
        final Session session = connect().createSession();
        final Queue queue = session.createQueue(unique("headers"));
        final TextMessage sent = session.createTextMessage("body");
        sent.setJMSCorrelationID("correlated");
        sent.setJMSType("type");
        sent.setJMSReplyTo(session.createTopic("answers"));
        sent.setBooleanProperty("boolean", true);
        sent.setByteProperty("byte", (byte) 1);
        sent.setShortProperty("short", (short) 2);
        sent.setIntProperty("int", 3);
        sent.setLongProperty("long", 4);
        sent.setFloatProperty("float", 5.5f);
        sent.setDoubleProperty("double", 6.5);
        sent.setStringProperty("string", "seven");
        sent.setStringProperty("JMSXGroupID", "group");
        sent.setIntProperty("JMSXGroupSeq", 8);

        // when
        session.createProducer(queue).send(sent, DeliveryMode.NON_PERSISTENT, 7, 60_000);
        final Message received = session.createConsumer(queue).receive(WAIT_MS);

        // then
        assertThat(received.getBody(String.class)).isEqualTo("body");
        assertThat(received.getJMSMessageID()).startsWith("ID:").isEqualTo(sent.getJMSMessageID());
        assertThat(received.getJMSTimestamp()).isPositive().isEqualTo(sent.getJMSTimestamp());
        assertThat(received.getJMSExpiration()).isEqualTo(sent.getJMSExpiration());
        assertThat(received.getJMSPriority()).isEqualTo(7);
        assertThat(received.getJMSDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
        assertThat(received.getJMSCorrelationID()).isEqualTo("correlated");
        assertThat(received.getJMSType()).isEqualTo("type");
        assertThat(received.getJMSReplyTo()).isEqualTo(session.createTopic("answers"));
        assertThat(received.getJMSDestination()).isEqualTo(queue);
        assertThat(received.getJMSRedelivered()).isFalse();
        for (final String name : List.of("boolean", "byte", "short", "int", "long", "float", "double", "string")) {
            assertThat(received.getObjectProperty(name)).as(name).isEqualTo(sent.getObjectProperty(name));
        }
        assertThat(received.getStringProperty("JMSXGroupID")).isEqualTo("group");
        assertThat(received.getIntProperty("JMSXGroupSeq")).isEqualTo(8);
        assertThat(received.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
    }

    @Test
    void shouldKeepBodiesOfAllTypes() throws Exception {
        // given
        final Connection connection = connect("trustedClasses=java.lang.String");
        final Session session = connection.createSession();
        final Queue queue = session.createQueue(unique("bodies"));
        final MessageProducer producer = session.createProducer(queue);
        final MessageConsumer consumer = session.createConsumer(queue);
        final BytesMessage bytes = session.createBytesMessage();
        bytes.writeInt(42);
        bytes.writeUTF("text");
        final MapMessage map = session.createMapMessage();
        map.setChar("char", 'c');
        map.setBytes("bytes", new byte[] {1, 2});
        map.setLong("long", 1L << 40);
        final StreamMessage stream = session.createStreamMessage();
        stream.writeShort((short) 9);
        stream.writeString(null);
        stream.writeBytes(new byte[] {3});

        // when
        producer.send(bytes);
        producer.send(map);
        producer.send(stream);
        producer.send(session.createObjectMessage("object"));
        producer.send(session.createMessage());
        producer.send(session.createTextMessage());

        // then
        final BytesMessage receivedBytes = (BytesMessage) consumer.receive(WAIT_MS);
        assertThat(receivedBytes.readInt()).isEqualTo(42);
        assertThat(receivedBytes.readUTF()).isEqualTo("text");
        final MapMessage receivedMap = (MapMessage) consumer.receive(WAIT_MS);
        assertThat(receivedMap.getChar("char")).isEqualTo('c');
        assertThat(receivedMap.getBytes("bytes")).containsExactly(1, 2);
        assertThat(receivedMap.getObject("long")).isEqualTo(1L << 40);
        final StreamMessage receivedStream = (StreamMessage) consumer.receive(WAIT_MS);
        assertThat(receivedStream.readShort()).isEqualTo((short) 9);
        assertThat(receivedStream.readString()).isNull();
        assertThat(receivedStream.readObject()).isEqualTo(new byte[] {3});
        assertThat(((ObjectMessage) consumer.receive(WAIT_MS)).getObject()).isEqualTo("object");
        assertThat(consumer.receive(WAIT_MS)).isNotInstanceOf(TextMessage.class);
        assertThat(((TextMessage) consumer.receive(WAIT_MS)).getText()).isNull();
    }

    @Test
    void shouldRefuseObjectsOfClassesThatAreNotTrusted() throws Exception {
        final Session session = connect().createSession();
        final Queue queue = session.createQueue(unique("objects"));
        session.createProducer(queue).send(session.createObjectMessage("object"));

        final ObjectMessage received =
                (ObjectMessage) session.createConsumer(queue).receive(WAIT_MS);

        assertThatThrownBy(received::getObject)
                .isInstanceOf(MessageFormatException.class)
                .hasMessageContaining("trustedClasses");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 1000})
    void shouldReceiveAllInOrderWhateverTheCache(final int cache) throws Exception {
        // given
        final Session session = connect("clientMessageCache=" + cache).createSession();
        final Queue queue = session.createQueue(unique("cache"));
        final MessageProducer producer = session.createProducer(queue);
        producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
        for (int i = 0; i < 200; i++) {
            producer.send(session.createTextMessage(String.valueOf(i)));
        }

        // when
        final MessageConsumer consumer = session.createConsumer(queue);

        // then
        for (int i = 0; i < 200; i++) {
            assertThat(consumer.receive(WAIT_MS).getBody(String.class)).isEqualTo(String.valueOf(i));
        }
        assertThat(consumer.receive(1)).isNull();
        assertThat(consumer.receiveNoWait()).isNull();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1000})
    void shouldReceiveAtOnceWhatIsThere(final int cache) throws Exception {
        final Session session = connect("clientMessageCache=" + cache).createSession();
        final Queue queue = session.createQueue(unique("nowait"));
        session.createProducer(queue).send(session.createTextMessage("there"));

        final Message received = session.createConsumer(queue).receiveNoWait();

        assertThat(received).isNotNull();
    }

    @Test
    void shouldCarryMessagesLargerThanAFrame() throws Exception {
        final Session session = connect().createSession();
        final Queue queue = session.createQueue(unique("large"));
        final byte[] body = new byte[5_000_000];
        body[4_999_999] = 42;
        final BytesMessage message = session.createBytesMessage();
        message.writeBytes(body);

        session.createProducer(queue).send(message);
        final BytesMessage received =
                (BytesMessage) session.createConsumer(queue).receive(WAIT_MS);

        assertThat(received.getBodyLength()).isEqualTo(body.length);
        assertThat(received.getBody(byte[].class)).isEqualTo(body);
    }

    @Test
    void shouldTakeSettledMessagesWithDisableAck() throws Exception {
        final Session session = connect("disableACK=true").createSession();
        final Queue queue = session.createQueue(unique("settled"));
        final MessageProducer producer = session.createProducer(queue);
        producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
        for (int i = 0; i < 3000; i++) {
            producer.send(session.createTextMessage(String.valueOf(i)));
        }

        final MessageConsumer consumer = session.createConsumer(queue);

        for (int i = 0; i < 3000; i++) {
            assertThat(consumer.receive(WAIT_MS).getBody(String.class)).isEqualTo(String.valueOf(i));
        }
    }

    @Test
    void shouldBrowseWithoutTaking() throws Exception {
        final Session session = connect().createSession();
        final Queue queue = session.createQueue(unique("browse"));
        final MessageProducer producer = session.createProducer(queue);
        for (int i = 0; i < 250; i++) {
            producer.send(session.createTextMessage(String.valueOf(i)));
        }

        try (QueueBrowser browser = session.createBrowser(queue)) {
            assertThat(count(browser)).isEqualTo(250);
            assertThat(count(browser)).isEqualTo(250);
        }
        assertThat(session.createConsumer(queue).receive(WAIT_MS).getBody(String.class))
                .isEqualTo("0");
    }

    private static int count(final QueueBrowser browser) throws JMSException {
        final Enumeration<?> messages = browser.getEnumeration();
        int count = 0;
        while (messages.hasMoreElements()) {
            messages.nextElement();
            count++;
        }
        return count;
    }

    @Test
    void shouldDeliverLaterWhenDelayed() throws Exception {
        final Session session = connect().createSession();
        final Queue queue = session.createQueue(unique("delay"));
        final MessageProducer producer = session.createProducer(queue);
        producer.setDeliveryDelay(700);
        producer.send(session.createTextMessage("late"));
        final MessageConsumer consumer = session.createConsumer(queue);

        final Message received = consumer.receive(WAIT_MS);

        assertThat(received.getJMSDeliveryTime()).isEqualTo(received.getJMSTimestamp() + 700);
        assertThat(System.currentTimeMillis()).isGreaterThanOrEqualTo(received.getJMSDeliveryTime());
    }

    @Test
    void shouldSayThatAServerHasNoXa() throws JMSException {
        try (XAConnection connection = factory("").createXAConnection()) {
            assertThatThrownBy(connection::createXASession)
                    .isInstanceOf(JMSException.class)
                    .hasMessageContaining("the server has no XA");
        }
    }
}
