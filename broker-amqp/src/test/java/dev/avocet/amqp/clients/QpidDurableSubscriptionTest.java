package dev.avocet.amqp.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.testkit.TestBroker;
import jakarta.jms.Connection;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Durable and shared subscriptions, as Qpid JMS uses them, on a broker of two loops. */
final class QpidDurableSubscriptionTest {
    private static final long PATIENCE_MS = 30_000;
    private static final long MOMENT_MS = 100;

    private QpidJms jms;

    @BeforeEach
    void start() {
        jms = QpidJms.start(TestBroker.with(QpidJms.frontEnd()).loops(2));
    }

    @AfterEach
    void stop() throws JMSException {
        jms.close();
    }

    @Test
    void shouldKeepMessagesForADurableSubscriberThatIsAway() throws JMSException {
        // given
        Connection first = jms.connect("reader");
        Session session = first.createSession();
        Topic topic = session.createTopic("news");
        session.createDurableConsumer(topic, "daily").close();
        first.close();

        // when
        publish("news", 1, 2, 3);

        // then
        Session back = jms.connect("reader").createSession();
        MessageConsumer consumer = back.createDurableConsumer(back.createTopic("news"), "daily");
        assertThat(received(consumer, 3)).containsExactly("1", "2", "3");
        assertThat(consumer.receive(MOMENT_MS)).isNull();
    }

    @Test
    void shouldEndADurableSubscriptionWhenAsked() throws JMSException {
        // given
        Session session = jms.connect("reader").createSession();
        Topic topic = session.createTopic("news");
        MessageConsumer consumer = session.createDurableConsumer(topic, "daily");
        assertThatThrownBy(() -> session.unsubscribe("daily")).isInstanceOf(JMSException.class);
        consumer.close();
        publish("news", 1);

        // when
        session.unsubscribe("daily");

        // then
        publish("news", 2);
        MessageConsumer anew = session.createDurableConsumer(topic, "daily");
        assertThat(anew.receive(MOMENT_MS)).isNull();
        publish("news", 3);
        assertThat(received(anew, 1)).containsExactly("3");
        assertThatThrownBy(() -> session.unsubscribe("unknown")).isInstanceOf(InvalidDestinationException.class);
    }

    @Test
    void shouldBeginAnewWhenTheSelectorChanges() throws JMSException {
        // given
        Session session = jms.connect("reader").createSession();
        Topic topic = session.createTopic("news");
        session.createDurableConsumer(topic, "daily", "n > 1", false).close();
        publish("news", 1, 2);

        // when
        MessageConsumer other = session.createDurableConsumer(topic, "daily", "n > 3", false);
        publish("news", 3, 4);

        // then
        assertThat(received(other, 1)).containsExactly("4");
        assertThat(other.receive(MOMENT_MS)).isNull();
    }

    @Test
    void shouldLetOneConsumerHaveADurableSubscription() throws JMSException {
        // given
        Session session = jms.connect("reader").createSession();
        Topic topic = session.createTopic("news");
        MessageConsumer consumer = session.createDurableConsumer(topic, "daily");

        // when, then
        assertThatThrownBy(() -> session.createDurableConsumer(topic, "daily")).isInstanceOf(JMSException.class);
        publish("news", 1);
        assertThat(received(consumer, 1)).containsExactly("1");
    }

    @Test
    void shouldShareASubscription() throws JMSException {
        // given
        Session one = jms.connect().createSession();
        Session two = jms.connect().createSession();
        MessageConsumer first = one.createSharedConsumer(one.createTopic("work"), "team");
        MessageConsumer second = two.createSharedConsumer(two.createTopic("work"), "team");

        // when
        publish("work", 1, 2, 3, 4);

        // then
        List<String> all = new ArrayList<>();
        while (all.size() < 4) {
            for (MessageConsumer each : List.of(first, second)) {
                Message message = each.receive(MOMENT_MS);
                if (message != null) {
                    all.add(message.getBody(String.class));
                }
            }
        }
        assertThat(all).containsExactlyInAnyOrder("1", "2", "3", "4");
    }

    @Test
    void shouldKeepASharedDurableSubscriptionWithoutConsumers() throws JMSException {
        // given
        Session one = jms.connect().createSession();
        Topic topic = one.createTopic("work");
        one.createSharedDurableConsumer(topic, "team").close();

        // when
        publish("work", 1, 2);

        // then
        Session two = jms.connect().createSession();
        MessageConsumer consumer = two.createSharedDurableConsumer(two.createTopic("work"), "team");
        assertThat(received(consumer, 2)).containsExactly("1", "2");

        // when it is not needed any more
        consumer.close();
        two.unsubscribe("team");

        // then
        publish("work", 3);
        assertThat(two.createSharedDurableConsumer(topic, "team").receive(MOMENT_MS))
                .isNull();
    }

    @Test
    void shouldGiveBackWhatALostConnectionHad() throws JMSException {
        // given
        Connection lost = jms.connect("reader");
        Session session = lost.createSession(false, Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = session.createDurableConsumer(session.createTopic("news"), "daily");
        publish("news", 1, 2);
        assertThat(received(consumer, 2)).containsExactly("1", "2");

        // when
        lost.close();

        // then
        Session back = jms.connect("reader").createSession();
        MessageConsumer again = back.createDurableConsumer(back.createTopic("news"), "daily");
        assertThat(received(again, 2)).containsExactly("1", "2");
    }

    private void publish(String topic, int... numbers) throws JMSException {
        Connection connection = jms.connect();
        Session session = connection.createSession();
        MessageProducer producer = session.createProducer(session.createTopic(topic));
        for (int number : numbers) {
            Message message = session.createTextMessage("" + number);
            message.setIntProperty("n", number);
            producer.send(message);
        }
        connection.close();
    }

    private static List<String> received(MessageConsumer consumer, int count) throws JMSException {
        List<String> bodies = new ArrayList<>();
        Message last = null;
        for (int i = 0; i < count; i++) {
            last = consumer.receive(PATIENCE_MS);
            assertThat(last).isNotNull();
            bodies.add(last.getBody(String.class));
        }
        return bodies;
    }
}
