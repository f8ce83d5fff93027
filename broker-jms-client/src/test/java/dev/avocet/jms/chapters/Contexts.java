package dev.avocet.jms.chapters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.CompletionListener;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.InvalidClientIDRuntimeException;
import jakarta.jms.InvalidDestinationRuntimeException;
import jakarta.jms.InvalidSelectorRuntimeException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatRuntimeException;
import jakarta.jms.Queue;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.io.Serializable;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The simplified API: what chapters 6 to 8 say of JMSContext, JMSProducer and JMSConsumer. */
public abstract class Contexts extends Chapter {
    private JMSContext context;
    private Queue queue;

    protected Contexts(Provider provider) {
        super(provider);
    }

    @BeforeEach
    final void prepare() {
        context = context();
        queue = context.createQueue(unique("queue"));
    }

    private Message take(JMSConsumer consumer) {
        Message message = consumer.receive(patienceMs());
        assertThat(message).as("a message within the time").isNotNull();
        return message;
    }

    private Message takeOne() {
        JMSConsumer consumer = context.createConsumer(queue);
        Message message = take(consumer);
        consumer.close();
        return message;
    }

    @Test
    @Section("6.2")
    void shouldKnowItsMode() {
        assertThat(context.getSessionMode()).isEqualTo(JMSContext.AUTO_ACKNOWLEDGE);
        assertThat(context.getTransacted()).isFalse();
        JMSContext transacted = closing(context.createContext(JMSContext.SESSION_TRANSACTED));
        assertThat(transacted.getSessionMode()).isEqualTo(JMSContext.SESSION_TRANSACTED);
        assertThat(transacted.getTransacted()).isTrue();
        assertThatThrownBy(() -> context.createContext(77)).isInstanceOf(JMSRuntimeException.class);
        assertThatThrownBy(() -> context(77)).isInstanceOf(JMSRuntimeException.class);
    }

    @Test
    @Section("6.1.4")
    void shouldStartWhenAConsumerIsMade() {
        context.createProducer().send(queue, "text");
        assertThat(context.getAutoStart()).isTrue();
        assertThat(context.createConsumer(queue).receiveBody(String.class, patienceMs()))
                .isEqualTo("text");
    }

    @Test
    @Section("8.4")
    void shouldStartWhenItIsToldToWhereItDoesNotByItself() {
        context.createProducer().send(queue, "text");
        context.setAutoStart(false);
        assertThat(context.getAutoStart()).isFalse();
        JMSConsumer consumer = context.createConsumer(queue);
        assertThat(consumer.receive(MOMENT_MS)).isNull();
        context.start();
        assertThat(consumer.receiveBody(String.class, patienceMs())).isEqualTo("text");
        context.stop();
        context.createProducer().send(queue, "more");
        assertThat(consumer.receiveNoWait()).isNull();
        context.start();
        assertThat(consumer.receiveBody(String.class, patienceMs())).isEqualTo("more");
    }

    @Test
    @Section("6.1.8")
    @Differs(
            on = Run.QPID_CLIENT,
            seen = "The Connection is closed",
            because = "it counts a context that is closed twice as two")
    void shouldKeepTheConnectionWhileAnotherContextIsOnIt() {
        JMSContext other = closing(context.createContext(JMSContext.AUTO_ACKNOWLEDGE));
        context.close();
        context.close();
        other.createProducer().send(queue, "text");
        assertThat(other.createConsumer(queue).receiveBody(String.class, patienceMs()))
                .isEqualTo("text");
        other.close();
        assertThatThrownBy(() -> other.createContext(JMSContext.AUTO_ACKNOWLEDGE))
                .isInstanceOf(JMSRuntimeException.class);
    }

    @Test
    @Section("6.2.15")
    void shouldRefuseUseAfterItsEnd() {
        JMSProducer producer = context.createProducer();
        JMSConsumer consumer = context.createConsumer(queue);
        context.close();
        consumer.close();
        assertThatThrownBy(() -> context.createTextMessage()).isInstanceOf(IllegalStateRuntimeException.class);
        assertThatThrownBy(() -> context.createConsumer(queue)).isInstanceOf(IllegalStateRuntimeException.class);
        assertThatThrownBy(() -> context.createQueue("name")).isInstanceOf(IllegalStateRuntimeException.class);
        assertThatThrownBy(() -> context.start()).isInstanceOf(IllegalStateRuntimeException.class);
        assertThatThrownBy(() -> context.commit()).isInstanceOf(IllegalStateRuntimeException.class);
        assertThatThrownBy(() -> producer.send(queue, "text")).isInstanceOf(IllegalStateRuntimeException.class);
        assertThatThrownBy(() -> consumer.receive(1)).isInstanceOf(IllegalStateRuntimeException.class);
    }

    @Test
    @Section("6.1.2")
    void shouldSetTheClientIdentifierAtOnce() {
        JMSContext fresh = context();
        String id = unique("client");
        fresh.setClientID(id);
        assertThat(fresh.getClientID()).isEqualTo(id);
        assertThatThrownBy(() -> fresh.setClientID("other")).isInstanceOf(IllegalStateRuntimeException.class);
        JMSContext second = context();
        assertThatThrownBy(() -> second.setClientID(id)).isInstanceOf(InvalidClientIDRuntimeException.class);
    }

    @Test
    @Section("7.2")
    void shouldSendBodiesOfEachForm() {
        JMSProducer producer = context.createProducer();
        JMSConsumer consumer = context.createConsumer(queue);
        producer.send(queue, "text");
        producer.send(queue, Map.of("key", 1));
        producer.send(queue, new byte[] {1, 2});
        producer.send(queue, (Serializable) 5);
        producer.send(queue, context.createTextMessage("message"));
        assertThat(consumer.receiveBody(String.class, patienceMs())).isEqualTo("text");
        assertThat((Object) consumer.receiveBody(Map.class, patienceMs())).isEqualTo(Map.of("key", 1));
        assertThat(consumer.receiveBody(byte[].class, patienceMs())).containsExactly(1, 2);
        assertThat(consumer.receiveBody(Integer.class, patienceMs())).isEqualTo(5);
        assertThat(consumer.receiveBody(Object.class, patienceMs())).isEqualTo("message");
        assertThat(consumer.receiveBodyNoWait(String.class)).isNull();
        assertThat(consumer.receiveBody(String.class, 1)).isNull();
    }

    @Test
    @Section("7.2")
    void shouldSendBodiesThatAreNull() throws JMSException {
        JMSProducer producer = context.createProducer();
        producer.send(queue, (String) null);
        Message text = takeOne();
        assertThat(text).isInstanceOf(TextMessage.class);
        assertThat(text.getBody(String.class)).isNull();
        producer.send(queue, (Serializable) null);
        assertThat(takeOne().getBody(Serializable.class)).isNull();
        producer.send(queue, (Map<String, Object>) null);
        assertThat((Object) takeOne().getBody(Map.class)).isNull();
        producer.send(queue, (byte[]) null);
        assertThat(takeOne().getBody(byte[].class)).isNullOrEmpty();
        assertThatThrownBy(() -> producer.send(queue, (Message) null))
                .isInstanceOf(MessageFormatRuntimeException.class);
        assertThatThrownBy(() -> producer.send(null, "text")).isInstanceOf(InvalidDestinationRuntimeException.class);
    }

    @Test
    @Section("7.10")
    void shouldChainTheSettings() throws JMSException {
        Topic replies = context.createTopic("replies");
        context.createProducer()
                .setDeliveryMode(DeliveryMode.NON_PERSISTENT)
                .setPriority(7)
                .setTimeToLive(60_000)
                .setDeliveryDelay(1)
                .setJMSType("type")
                .setJMSCorrelationID("id")
                .setJMSReplyTo(replies)
                .setProperty("text", "value")
                .setProperty("number", 3)
                .setProperty("flag", true)
                .send(queue, "body");
        Message message = takeOne();
        assertThat(message.getJMSDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
        assertThat(message.getJMSPriority()).isEqualTo(7);
        assertThat(message.getJMSExpiration()).isEqualTo(message.getJMSTimestamp() + 60_000);
        assertThat(message.getJMSDeliveryTime()).isEqualTo(message.getJMSTimestamp() + 1);
        assertThat(message.getJMSType()).isEqualTo("type");
        assertThat(message.getJMSCorrelationID()).isEqualTo("id");
        assertThat(message.getJMSReplyTo()).isEqualTo(replies);
        assertThat(message.getStringProperty("text")).isEqualTo("value");
        assertThat(message.getObjectProperty("number")).isEqualTo(3);
        assertThat(message.getBooleanProperty("flag")).isTrue();
    }

    @Test
    @Section("7.5")
    void shouldOverrideWhatTheMessageSays() throws JMSException {
        Message message = context.createTextMessage("text");
        message.setJMSType("its own");
        message.setJMSCorrelationID("its own");
        message.setStringProperty("p", "its own");
        message.setStringProperty("q", "its own");
        JMSProducer producer = context.createProducer().setProperty("p", "producer's");
        producer.setJMSType("producer's");
        producer.send(queue, message);
        Message received = takeOne();
        assertThat(received.getJMSType()).isEqualTo("producer's");
        assertThat(received.getJMSCorrelationID()).isEqualTo("its own");
        assertThat(received.getStringProperty("p")).isEqualTo("producer's");
        assertThat(received.getStringProperty("q")).isEqualTo("its own");
    }

    @Test
    @Section("7.5")
    void shouldKnowItsSettings() {
        JMSProducer producer = context.createProducer();
        assertThat(producer.getDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
        assertThat(producer.getPriority()).isEqualTo(4);
        assertThat(producer.getTimeToLive()).isZero();
        assertThat(producer.getDeliveryDelay()).isZero();
        assertThat(producer.getAsync()).isNull();
        assertThat(producer.getPropertyNames()).isEmpty();
        producer.setProperty("s", "42").setProperty("l", 7L);
        assertThat(producer.getPropertyNames()).containsExactlyInAnyOrder("s", "l");
        assertThat(producer.propertyExists("s")).isTrue();
        assertThat(producer.getIntProperty("s")).isEqualTo(42);
        assertThat(producer.getObjectProperty("l")).isEqualTo(7L);
        assertThatThrownBy(() -> producer.getBooleanProperty("l")).isInstanceOf(MessageFormatRuntimeException.class);
        assertThat(producer.clearProperties().propertyExists("s")).isFalse();
        assertThatThrownBy(() -> producer.setProperty("", 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> producer.setProperty("p", new Object()))
                .isInstanceOf(MessageFormatRuntimeException.class);
        assertThatThrownBy(() -> producer.setPriority(10)).isInstanceOf(JMSRuntimeException.class);
        assertThatThrownBy(() -> producer.setDeliveryMode(0)).isInstanceOf(JMSRuntimeException.class);
    }

    @Test
    @Section("7.3")
    void shouldSendAsynchronously() throws Exception {
        BlockingQueue<Message> sent = new LinkedBlockingQueue<>();
        CompletionListener listener = new CompletionListener() {
            @Override
            public void onCompletion(Message message) {
                sent.add(message);
            }

            @Override
            public void onException(Message message, Exception exception) {
                throw new IllegalStateException(exception);
            }
        };
        Message message = context.createTextMessage("1");
        JMSProducer producer = context.createProducer().setAsync(listener);
        assertThat(producer.getAsync()).isSameAs(listener);
        producer.send(queue, "0").send(queue, message);
        assertThat(text(take(sent))).isEqualTo("0");
        assertThat(take(sent)).isSameAs(message);
        JMSConsumer consumer = context.createConsumer(queue);
        assertThat(text(take(consumer))).isEqualTo("0");
        assertThat(text(take(consumer))).isEqualTo("1");
    }

    @Test
    @Section("6.2.7")
    void shouldCommitAndRollBack() {
        JMSContext transacted = context(JMSContext.SESSION_TRANSACTED);
        JMSProducer producer = transacted.createProducer();
        producer.send(queue, "rolled back");
        transacted.rollback();
        producer.send(queue, "committed");
        transacted.commit();
        JMSConsumer consumer = transacted.createConsumer(queue);
        assertThat(consumer.receiveBody(String.class, patienceMs())).isEqualTo("committed");
        transacted.rollback();
        assertThat(consumer.receiveBody(String.class, patienceMs())).isEqualTo("committed");
        transacted.commit();
        assertThat(consumer.receiveNoWait()).isNull();
        assertThatThrownBy(transacted::recover).isInstanceOf(IllegalStateRuntimeException.class);
        assertThatThrownBy(context::commit).isInstanceOf(IllegalStateRuntimeException.class);
        assertThatThrownBy(context::rollback).isInstanceOf(IllegalStateRuntimeException.class);
    }

    @Test
    @Section("6.2.10")
    void shouldAcknowledgeAllOfTheContext() throws JMSException {
        context.createProducer().send(queue, "0").send(queue, "1").send(queue, "2");
        JMSContext client = context(JMSContext.CLIENT_ACKNOWLEDGE);
        JMSConsumer consumer = client.createConsumer(queue);
        take(consumer);
        take(consumer);
        client.acknowledge();
        take(consumer);
        client.recover();
        assertThat(take(consumer).getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
        client.close();
        assertThat(left(queue)).isEqualTo("2 again");
        context.acknowledge(); // nothing, in its mode
    }

    @ParameterizedTest
    @Section("8.6")
    @ValueSource(ints = {JMSContext.AUTO_ACKNOWLEDGE, JMSContext.DUPS_OK_ACKNOWLEDGE})
    void shouldDeliverAgainABodyThatIsSomethingElse(int mode) throws JMSException {
        context.createProducer().send(queue, "0").send(queue, "1");
        JMSContext own = context(mode);
        JMSConsumer consumer = own.createConsumer(queue);
        assertThatThrownBy(() -> consumer.receiveBody(byte[].class, patienceMs()))
                .isInstanceOf(MessageFormatRuntimeException.class);
        assertThatThrownBy(() -> consumer.receiveBodyNoWait(Map.class))
                .isInstanceOf(MessageFormatRuntimeException.class);
        Message again = take(consumer);
        assertThat(text(again)).isEqualTo("0");
        assertThat(again.getJMSRedelivered()).isFalse();
        assertThat(again.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
        assertThat(text(take(consumer))).isEqualTo("1");
        own.close();
        assertThat(isEmpty(queue)).isTrue();
    }

    @ParameterizedTest
    @Section("8.6")
    @ValueSource(ints = {JMSContext.CLIENT_ACKNOWLEDGE, JMSContext.SESSION_TRANSACTED})
    void shouldNotDeliverAgainABodyThatIsSomethingElseWhereTheClientDecides(int mode) throws JMSException {
        context.createProducer().send(queue, "0").send(queue, "1");
        JMSContext own = context(mode);
        JMSConsumer consumer = own.createConsumer(queue);
        assertThatThrownBy(() -> consumer.receiveBody(byte[].class, patienceMs()))
                .isInstanceOf(MessageFormatRuntimeException.class);
        assertThat(text(take(consumer))).isEqualTo("1");
        if (mode == JMSContext.CLIENT_ACKNOWLEDGE) {
            own.recover();
        } else {
            own.rollback();
        }
        Message again = take(consumer);
        assertThat(text(again)).isEqualTo("0");
        assertThat(again.getJMSRedelivered()).isTrue();
        assertThat(again.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
    }

    @Test
    @Section("8.6")
    void shouldLeaveAnUnreadableBodyToWhoComesNext() {
        context.createProducer().send(queue, "0");
        JMSContext own = context();
        JMSConsumer consumer = own.createConsumer(queue);
        assertThatThrownBy(() -> consumer.receiveBody(byte[].class, patienceMs()))
                .isInstanceOf(MessageFormatRuntimeException.class);
        own.close();
        assertThat(context.createConsumer(queue).receiveBody(String.class, patienceMs()))
                .isEqualTo("0");
    }

    @Test
    @Section("8.6")
    @Differs(
            on = Run.QPID_CLIENT,
            seen = "Expecting code to raise a throwable",
            because = "it gives null as the body of a message without one")
    void shouldHaveNoBodyOfStreamsAndPlainMessages() throws JMSException {
        StreamMessage stream = context.createStreamMessage();
        stream.writeInt(1);
        context.createProducer().send(queue, stream);
        JMSContext own = context(JMSContext.CLIENT_ACKNOWLEDGE);
        JMSConsumer consumer = own.createConsumer(queue);
        assertThatThrownBy(() -> consumer.receiveBody(Object.class, patienceMs()))
                .isInstanceOf(MessageFormatRuntimeException.class);
        context.createProducer().send(queue, context.createMessage());
        assertThatThrownBy(() -> consumer.receiveBody(String.class, patienceMs()))
                .isInstanceOf(MessageFormatRuntimeException.class);
    }

    @Test
    @Section("8.7")
    void shouldListen() throws Exception {
        BlockingQueue<String> seen = new LinkedBlockingQueue<>();
        JMSContext own = context();
        JMSConsumer first = own.createConsumer(queue);
        first.setMessageListener(listener(message -> seen.add(text(message))));
        Queue another = own.createQueue(unique("queue"));
        own.createConsumer(another).setMessageListener(listener(message -> seen.add("other " + text(message))));
        assertThat(first.getMessageListener()).isNotNull();
        context.createProducer().send(queue, "0");
        assertThat(take(seen)).isEqualTo("0");
        context.createProducer().send(another, "1");
        assertThat(take(seen)).isEqualTo("other 1");
        assertThatThrownBy(() -> first.receive(1)).isInstanceOf(JMSRuntimeException.class);
    }

    @Test
    @Section("10.2")
    void shouldThrowWhatIsNotChecked() {
        assertThatThrownBy(() -> context.createConsumer(queue, "i ="))
                .isInstanceOf(InvalidSelectorRuntimeException.class);
        assertThatThrownBy(() -> context.createConsumer((Destination) null))
                .isInstanceOf(InvalidDestinationRuntimeException.class);
        assertThatThrownBy(() -> context.unsubscribe(unique("nobody")))
                .isInstanceOf(InvalidDestinationRuntimeException.class);
        assertThatThrownBy(() -> context.createDurableConsumer(context.createTopic("t"), "name"))
                .isInstanceOf(IllegalStateRuntimeException.class);
        JMSConsumer consumer = context.createConsumer(queue, "i = 1");
        assertThat(consumer.getMessageSelector()).isEqualTo("i = 1");
        consumer.close();
        assertThatThrownBy(consumer::getMessageSelector).isInstanceOf(IllegalStateRuntimeException.class);
    }

    @Test
    @Section("8.3")
    void shouldSubscribe() throws JMSException {
        Topic topic = context.createTopic(unique("topic"));
        JMSContext own = closing(provider().factory(unique("client")).createContext());
        JMSConsumer plain = own.createConsumer(topic);
        JMSConsumer shared = own.createSharedConsumer(topic, "shared");
        JMSConsumer durable = own.createDurableConsumer(topic, "durable");
        JMSConsumer sharedDurable = own.createSharedDurableConsumer(topic, "shared durable");
        context.createProducer().send(topic, "text");
        for (JMSConsumer consumer : new JMSConsumer[] {plain, shared, durable, sharedDurable}) {
            assertThat(text(take(consumer))).isEqualTo("text");
            consumer.close();
        }
        own.unsubscribe("durable");
        own.unsubscribe("shared durable");
    }
}
