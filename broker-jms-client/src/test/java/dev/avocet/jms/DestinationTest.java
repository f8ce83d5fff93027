package dev.avocet.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.avocet.testkit.FreePort;
import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import jakarta.jms.Topic;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullAndEmptySource;

final class DestinationTest extends ServerTest {
    @Test
    void shouldLookAtTheTopicBeforeTheClientIdentifier() throws Exception {
        final Connection connection = connect();
        final Session session = connection.createSession();

        assertThatThrownBy(() -> session.createDurableConsumer(null, "name"))
                .isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> session.createDurableSubscriber(null, "name"))
                .isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> connection.createDurableConnectionConsumer(null, "name", null, () -> null, 1))
                .isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> session.createDurableConsumer(session.createTopic("t"), "name"))
                .isInstanceOf(IllegalStateException.class);
    }

    @ParameterizedTest
    @NullAndEmptySource
    void shouldSayThatANameIsMissing(final String name) throws Exception {
        final Session session = connect().createSession();

        assertThatThrownBy(() -> session.unsubscribe(name))
                .isInstanceOf(InvalidDestinationException.class)
                .hasMessage("unsubscribe needs the name of a durable subscription; it was given none");
        assertThatThrownBy(() -> session.createQueue(name))
                .isInstanceOf(InvalidDestinationException.class)
                .hasMessageContaining("needs a name");
        assertThatThrownBy(() -> session.createSharedConsumer(session.createTopic("t"), name))
                .hasMessageContaining("needs a name");
    }

    private static String text(final Message message) throws JMSException {
        return message == null ? "none" : message.getBody(String.class);
    }

    @Test
    void shouldSendToAllSubscribersOfATopic() throws Exception {
        final Session session = connect().createSession();
        final Topic topic = session.createTopic(unique("topic"));
        final MessageConsumer one = session.createConsumer(topic);
        final MessageConsumer two = session.createConsumer(topic);

        session.createProducer(topic).send(session.createTextMessage("all"));

        assertThat(text(one.receive(WAIT_MS))).isEqualTo("all");
        assertThat(text(two.receive(WAIT_MS))).isEqualTo("all");
    }

    @Test
    void shouldSelectAndLeaveOutItsOwn() throws Exception {
        final Connection connection = connect();
        final Session session = connection.createSession();
        final Topic topic = session.createTopic(unique("topic"));
        final MessageConsumer selecting = session.createConsumer(topic, "colour = 'red'");
        final MessageConsumer notOwn = session.createConsumer(topic, null, true);
        final MessageProducer producer = session.createProducer(topic);
        for (final String colour : List.of("blue", "red")) {
            final Message message = session.createTextMessage(colour);
            message.setStringProperty("colour", colour);
            producer.send(message);
        }

        assertThat(text(selecting.receive(WAIT_MS))).isEqualTo("red");
        assertThat(notOwn.receive(SHORT_MS)).isNull();
        assertThatThrownBy(() -> session.createConsumer(topic, "colour ="))
                .isInstanceOf(InvalidSelectorException.class);
    }

    @Test
    void shouldKeepADurableSubscriptionUntilItIsUnsubscribed() throws Exception {
        final String clientId = unique("client");
        final Connection first = connect("clientID=" + clientId);
        final Session session = first.createSession();
        final Topic topic = session.createTopic(unique("topic"));
        session.createDurableConsumer(topic, "sub").close();
        session.createProducer(topic).send(session.createTextMessage("kept"));
        first.close();

        final Session second = connect("clientID=" + clientId).createSession();
        final MessageConsumer consumer = second.createDurableConsumer(topic, "sub");
        assertThat(text(consumer.receive(WAIT_MS))).isEqualTo("kept");
        assertThatThrownBy(() -> second.createDurableConsumer(topic, "sub")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> second.unsubscribe("sub")).isInstanceOf(IllegalStateException.class);
        consumer.close();
        second.createProducer(topic).send(second.createTextMessage("gone"));
        second.unsubscribe("sub");

        assertThat(second.createDurableConsumer(topic, "sub").receive(SHORT_MS)).isNull();
        assertThatThrownBy(() -> second.unsubscribe("unknown")).isInstanceOf(InvalidDestinationException.class);
    }

    @Test
    void shouldShareASubscription() throws Exception {
        final Session session = connect().createSession();
        final Topic topic = session.createTopic(unique("topic"));
        for (final boolean durable : new boolean[] {true, false}) {
            final String name = unique("shared");
            final MessageConsumer one = durable
                    ? session.createSharedDurableConsumer(topic, name)
                    : session.createSharedConsumer(topic, name);
            final Session other = connect().createSession();
            final MessageConsumer two =
                    durable ? other.createSharedDurableConsumer(topic, name) : other.createSharedConsumer(topic, name);
            final MessageProducer producer = session.createProducer(topic);
            for (int i = 0; i < 10; i++) {
                producer.send(session.createTextMessage(String.valueOf(i)));
            }

            int received = 0;
            for (int i = 0; i < 10; i++) {
                received += one.receive(SHORT_MS) == null ? 0 : 1;
                received += two.receive(SHORT_MS) == null ? 0 : 1;
            }
            assertThat(received).isEqualTo(10);
            one.close();
            two.close();
        }
    }

    @Test
    void shouldAnswerThroughATemporaryQueue() throws Exception {
        final Connection connection = connect();
        final Session session = connection.createSession();
        final Queue queue = session.createQueue(unique("requests"));
        final TemporaryQueue answers = session.createTemporaryQueue();
        final MessageConsumer consumer = session.createConsumer(answers);
        final Message request = session.createTextMessage("request");
        request.setJMSReplyTo(answers);
        session.createProducer(queue).send(request);
        final Session server = connect().createSession();
        final Message received = server.createConsumer(queue).receive(WAIT_MS);

        server.createProducer(null).send(received.getJMSReplyTo(), server.createTextMessage("answer"));

        assertThat(text(consumer.receive(WAIT_MS))).isEqualTo("answer");
        assertThatThrownBy(() -> server.createConsumer(received.getJMSReplyTo()))
                .isInstanceOf(JMSException.class);
        assertThatThrownBy(answers::delete).isInstanceOf(IllegalStateException.class);
        consumer.close();
        answers.delete();
        assertThatThrownBy(() -> session.createProducer(answers)).isInstanceOf(InvalidDestinationException.class);
    }

    @Test
    void shouldPublishToATemporaryTopic() throws Exception {
        final Session session = connect().createSession();
        final TemporaryTopic topic = session.createTemporaryTopic();
        final MessageConsumer consumer = session.createConsumer(topic);

        session.createProducer(topic).send(session.createTextMessage("temporary"));

        assertThat(text(consumer.receive(WAIT_MS))).isEqualTo("temporary");
    }

    @Test
    void shouldTellWhenAnAsynchronousSendIsDone() throws Exception {
        final Session session = connect().createSession();
        final Queue queue = session.createQueue(unique("async"));
        final MessageProducer producer = session.createProducer(queue);
        final List<String> done = new CopyOnWriteArrayList<>();
        final CompletionListener listener = new CompletionListener() {
            @Override
            public void onCompletion(final Message message) {
                try {
                    done.add(text(message));
                } catch (final JMSException e) {
                    done.add(e.toString());
                }
            }

            @Override
            public void onException(final Message message, final Exception exception) {
                done.add(exception.toString());
            }
        };
        for (int i = 0; i < 100; i++) {
            producer.send(session.createTextMessage(String.valueOf(i)), listener);
        }

        session.close();

        assertThat(done).hasSize(100).startsWith("0", "1", "2").endsWith("99");
    }

    @Test
    void shouldRefuseAClientIdentifierInUseOrLate() throws Exception {
        final String clientId = unique("client");
        connect("clientID=" + clientId);

        assertThatThrownBy(() -> connect("clientID=" + clientId)).isInstanceOf(InvalidClientIDException.class);
        assertThatThrownBy(() -> connect().setClientID("late")).isInstanceOf(IllegalStateException.class);
        try (Connection early = factory("").createConnection()) {
            early.setClientID(unique("early"));
            assertThatThrownBy(() -> early.setClientID("again")).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void shouldSayWhichServerCannotBeReached() throws Exception {
        final int port = FreePort.next();

        assertThatThrownBy(() -> new AvocetConnectionFactory("avocet://localhost:" + port).createConnection())
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("localhost:" + port);
    }

    @Test
    void shouldReceiveLittleByLittleFromSeveralConsumers() throws Exception {
        final Session session = connect("clientMessageCache=2").createSession();
        final Queue queue = session.createQueue(unique("fair"));
        final List<String> heard = new CopyOnWriteArrayList<>();
        for (int i = 0; i < 3; i++) {
            final Session own = connect("clientMessageCache=0").createSession();
            own.createConsumer(queue).setMessageListener(message -> {
                try {
                    heard.add(text(message));
                } catch (final JMSException e) {
                    heard.add(e.toString());
                }
            });
        }
        final MessageProducer producer = session.createProducer(queue);
        for (int i = 0; i < 30; i++) {
            producer.send(session.createTextMessage(String.valueOf(i)));
        }

        await().untilAsserted(() -> assertThat(heard).hasSize(30).doesNotHaveDuplicates());
    }
}
