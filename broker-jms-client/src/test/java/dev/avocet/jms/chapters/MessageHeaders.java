package dev.avocet.jms.chapters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Section 3.4. */
public abstract class MessageHeaders extends Chapter {
    private Session session;
    private Queue queue;
    private MessageProducer producer;
    private TextMessage message;

    protected MessageHeaders(Provider provider) {
        super(provider);
    }

    @BeforeEach
    final void prepare() throws JMSException {
        session = session();
        queue = queue(session);
        producer = session.createProducer(queue);
        message = session.createTextMessage("text");
    }

    private Message sent() throws JMSException {
        producer.send(message);
        return received();
    }

    private Message received() throws JMSException {
        try (MessageConsumer consumer = session.createConsumer(queue)) {
            return take(consumer);
        }
    }

    @Test
    @Section("3.4.1")
    void shouldSetTheDestinationOnSend() throws JMSException {
        message.setJMSDestination(session.createQueue("ignored"));
        Message received = sent();
        assertThat(message.getJMSDestination()).isEqualTo(queue);
        assertThat(received.getJMSDestination()).isEqualTo(queue);
    }

    @Test
    @Section("3.4.2")
    void shouldSetTheDeliveryModeOfTheProducer() throws JMSException {
        message.setJMSDeliveryMode(DeliveryMode.NON_PERSISTENT);
        assertThat(sent().getJMSDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
        assertThat(message.getJMSDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
        producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
        assertThat(sent().getJMSDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
    }

    @Test
    @Section("3.4.2")
    void shouldSetTheDeliveryModeOfTheSend() throws JMSException {
        producer.send(message, DeliveryMode.NON_PERSISTENT, 4, 0);
        assertThat(message.getJMSDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
        assertThat(received().getJMSDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
        assertThat(producer.getDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
    }

    @Test
    @Section("3.4.3")
    void shouldSetAMessageIdOnSend() throws JMSException {
        message.setJMSMessageID("ID:ignored");
        Message received = sent();
        assertThat(received.getJMSMessageID()).startsWith("ID:").isNotEqualTo("ID:ignored");
        assertThat(received.getJMSMessageID()).isEqualTo(message.getJMSMessageID());
    }

    @Test
    @Section("3.4.3")
    void shouldGiveEachSendAMessageIdOfItsOwn() throws JMSException {
        String first = sent().getJMSMessageID();
        assertThat(sent().getJMSMessageID()).isNotEqualTo(first);
    }

    @Test
    @Section("3.4.3")
    void shouldSendWithoutAMessageIdWhenItIsNotNeeded() throws JMSException {
        producer.setDisableMessageID(true);
        message.setJMSMessageID("ID:ignored");
        assertThat(producer.getDisableMessageID()).isTrue();
        Message received = sent();
        assertThat(message.getJMSMessageID()).isNull();
        assertThat(received.getJMSMessageID()).isNull();
    }

    @Test
    @Section("3.4.4")
    void shouldSetTheTimeOfTheSend() throws JMSException {
        message.setJMSTimestamp(1);
        long before = System.currentTimeMillis();
        Message received = sent();
        assertThat(message.getJMSTimestamp()).isBetween(before, System.currentTimeMillis());
        assertThat(received.getJMSTimestamp()).isEqualTo(message.getJMSTimestamp());
    }

    @Test
    @Section("3.4.4")
    void shouldSendWithoutATimestampWhenItIsNotNeeded() throws JMSException {
        producer.setDisableMessageTimestamp(true);
        assertThat(producer.getDisableMessageTimestamp()).isTrue();
        Message received = sent();
        assertThat(message.getJMSTimestamp()).isZero();
        assertThat(received.getJMSTimestamp()).isZero();
    }

    @ParameterizedTest
    @Section("3.4.5")
    @ValueSource(strings = {"application", "ID:of-a-message", "", "ID:AMQP_ULONG:7", "ID:AMQP_BINARY:0A0B"})
    void shouldCarryTheCorrelationId(String id) throws JMSException {
        message.setJMSCorrelationID(id);
        assertThat(message.getJMSCorrelationID()).isEqualTo(id);
        assertThat(sent().getJMSCorrelationID()).isEqualTo(id);
    }

    @Test
    @Section("3.4.5")
    void shouldCarryACorrelationIdOfBytes() throws JMSException {
        message.setJMSCorrelationIDAsBytes(new byte[] {0, -1, 5});
        assertThat(sent().getJMSCorrelationIDAsBytes()).containsExactly(0, -1, 5);
    }

    @Test
    @Section("3.4.5")
    void shouldHaveNoCorrelationIdUnlessItIsSet() throws JMSException {
        assertThat(sent().getJMSCorrelationID()).isNull();
        assertThat(message.getJMSCorrelationIDAsBytes()).isNull();
    }

    @Test
    @Section("3.4.6")
    void shouldCarryWhereToReplyTo() throws JMSException {
        List<Destination> each = List.of(
                session.createQueue("replies"),
                session.createTopic("replies"),
                session.createTemporaryQueue(),
                session.createTemporaryTopic());
        for (Destination replyTo : each) {
            message.setJMSReplyTo(replyTo);
            assertThat(sent().getJMSReplyTo()).isEqualTo(replyTo);
        }
        message.setJMSReplyTo(null);
        assertThat(sent().getJMSReplyTo()).isNull();
    }

    @Test
    @Section("3.4.6")
    void shouldReplyToATemporaryQueueOfAnotherConnection() throws JMSException {
        Queue replies = session.createTemporaryQueue();
        message.setJMSReplyTo(replies);
        producer.send(message);

        Session server = session();
        Message request = take(server.createConsumer(queue));
        server.createProducer(null).send(request.getJMSReplyTo(), server.createTextMessage("reply"));

        assertThat(takeText(session.createConsumer(replies))).isEqualTo("reply");
    }

    @Test
    @Section("3.4.7")
    void shouldIgnoreTheRedeliveredFlagOfTheSender() throws JMSException {
        message.setJMSRedelivered(true);
        assertThat(sent().getJMSRedelivered()).isFalse();
    }

    @Test
    @Section("3.4.7")
    void shouldNotFlagWhatIsSentOnAfterARedelivery() throws JMSException {
        producer.send(message);
        Session client = session(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = client.createConsumer(queue);
        take(consumer);
        client.recover();
        Message again = take(consumer);
        assertThat(again.getJMSRedelivered()).isTrue();
        again.acknowledge();
        consumer.close();

        producer.send(again);

        Message onward = received();
        assertThat(onward.getJMSRedelivered()).isFalse();
        assertThat(onward.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
    }

    @Test
    @Section("3.4.8")
    void shouldCarryTheType() throws JMSException {
        assertThat(sent().getJMSType()).isNull();
        message.setJMSType("a type");
        assertThat(sent().getJMSType()).isEqualTo("a type");
    }

    @Test
    @Section("3.4.9")
    void shouldNotExpireWithoutATimeToLive() throws JMSException {
        message.setJMSExpiration(1);
        assertThat(sent().getJMSExpiration()).isZero();
        assertThat(message.getJMSExpiration()).isZero();
    }

    @Test
    @Section("3.4.9")
    void shouldExpireATimeToLiveAfterTheSend() throws JMSException {
        producer.setTimeToLive(60_000);
        Message received = sent();
        assertThat(message.getJMSExpiration()).isEqualTo(message.getJMSTimestamp() + 60_000);
        assertThat(received.getJMSExpiration()).isEqualTo(message.getJMSExpiration());
    }

    @Test
    @Section("3.4.9")
    void shouldExpireATimeToLiveAfterTheSendAlsoWithoutATimestamp() throws JMSException {
        producer.setDisableMessageTimestamp(true);
        producer.setTimeToLive(60_000);
        long before = System.currentTimeMillis();
        assertThat(sent().getJMSExpiration()).isBetween(before + 60_000, System.currentTimeMillis() + 60_000);
    }

    @ParameterizedTest
    @Section("3.4.10")
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
    void shouldCarryThePriority(int priority) throws JMSException {
        producer.setPriority(priority);
        message.setJMSPriority(9 - priority);
        assertThat(sent().getJMSPriority()).isEqualTo(priority);
        assertThat(message.getJMSPriority()).isEqualTo(priority);
    }

    @Test
    @Section("3.4.10")
    void shouldHavePriorityFourUnlessItIsSet() throws JMSException {
        assertThat(producer.getPriority()).isEqualTo(Message.DEFAULT_PRIORITY).isEqualTo(4);
        assertThat(sent().getJMSPriority()).isEqualTo(4);
    }

    @Test
    @Section("3.4.10")
    void shouldRefusePrioritiesThatThereAreNot() {
        for (int priority : new int[] {-1, 10}) {
            assertThatThrownBy(() -> producer.setPriority(priority)).isInstanceOf(JMSException.class);
            assertThatThrownBy(() -> producer.send(message, DeliveryMode.PERSISTENT, priority, 0))
                    .isInstanceOf(JMSException.class);
        }
    }

    @Test
    @Section("3.4.11")
    void shouldLetTheReceiverChangeHeaders() throws JMSException {
        Message received = sent();
        received.setJMSCorrelationID("c");
        received.setJMSType("t");
        received.setJMSReplyTo(queue);
        received.setJMSPriority(1);
        received.setJMSExpiration(7);
        received.setJMSTimestamp(8);
        received.setJMSMessageID("ID:mine");
        received.setJMSRedelivered(true);
        received.setJMSDeliveryTime(9);
        received.setJMSDestination(session.createTopic("elsewhere"));

        assertThat(received.getJMSCorrelationID()).isEqualTo("c");
        assertThat(received.getJMSType()).isEqualTo("t");
        assertThat(received.getJMSReplyTo()).isEqualTo(queue);
        assertThat(received.getJMSPriority()).isEqualTo(1);
        assertThat(received.getJMSExpiration()).isEqualTo(7);
        assertThat(received.getJMSTimestamp()).isEqualTo(8);
        assertThat(received.getJMSMessageID()).isEqualTo("ID:mine");
        assertThat(received.getJMSRedelivered()).isTrue();
        assertThat(received.getJMSDeliveryTime()).isEqualTo(9);
        assertThat(received.getJMSDestination()).isEqualTo(session.createTopic("elsewhere"));
    }

    @Test
    @Section("3.4.13")
    void shouldHaveTheTimeOfTheSendAsDeliveryTime() throws JMSException {
        message.setJMSDeliveryTime(1);
        Message received = sent();
        assertThat(message.getJMSDeliveryTime()).isEqualTo(message.getJMSTimestamp());
        assertThat(received.getJMSDeliveryTime()).isEqualTo(message.getJMSTimestamp());
    }

    @Test
    @Section("3.4.13")
    void shouldAddTheDelayToTheDeliveryTime() throws JMSException {
        producer.setDeliveryDelay(100);
        Message received = sent();
        assertThat(message.getJMSDeliveryTime()).isEqualTo(message.getJMSTimestamp() + 100);
        assertThat(received.getJMSDeliveryTime()).isEqualTo(message.getJMSDeliveryTime());
        assertThat(System.currentTimeMillis()).isGreaterThanOrEqualTo(received.getJMSDeliveryTime());
    }
}
