package dev.avocet.jms.chapters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.TemporaryTopic;
import jakarta.jms.Topic;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicRequestor;
import jakarta.jms.TopicSession;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sections 4.2 and 8.3. */
public abstract class Topics extends Chapter {
    private static final String END = "the end";

    private Session session;
    private Topic topic;
    private String client;

    protected Topics(Provider provider) {
        super(provider);
    }

    @BeforeEach
    final void prepare() throws JMSException {
        session = session();
        topic = topic(session);
        client = unique("client");
    }

    private void publish(String... texts) throws JMSException {
        send(session, topic, texts);
    }

    /** All that comes until the end that is published now. */
    private List<String> all(MessageConsumer consumer) throws JMSException {
        publish(END);
        List<String> texts = new ArrayList<>();
        for (String text = takeText(consumer); !text.equals(END); text = takeText(consumer)) {
            texts.add(text);
        }
        return texts;
    }

    @Test
    @Section("4.2.2")
    void shouldGiveEachSubscriptionItsCopy() throws JMSException {
        Session first = session(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer one = first.createConsumer(topic);
        MessageConsumer other = session().createConsumer(topic);
        publish("0", "1");
        take(one);
        take(one).acknowledge();
        assertThat(takeTexts(other, 2)).containsExactly("0", "1");
        first.recover();
        assertThat(all(one)).isEmpty();
        assertThat(takeText(other)).isEqualTo(END);
    }

    @Test
    @Section("8.3.1")
    void shouldGetWhatIsPublishedWhileTheConsumerIsThere() throws JMSException {
        publish("before");
        MessageConsumer consumer = session().createConsumer(topic);
        publish("0", "1");
        assertThat(all(consumer)).containsExactly("0", "1");
        consumer.close();
        publish("between");
        assertThat(all(session().createConsumer(topic))).isEmpty();
    }

    @Test
    @Section("8.3.1")
    void shouldAddToASubscriptionWhatIsSelected() throws JMSException {
        MessageConsumer consumer = session().createConsumer(topic, "i > 1");
        for (int i = 0; i < 4; i++) {
            Message message = session.createTextMessage("" + i);
            message.setIntProperty("i", i);
            send(session, topic, message);
        }
        assertThat(takeTexts(consumer, 2)).containsExactly("2", "3");
        assertThat(consumer.receiveNoWait()).isNull();
    }

    @Test
    @Section("8.3.1")
    void shouldNotGetTheConnectionsOwnWhenTheyAreNotWanted() throws JMSException {
        Connection connection = connect();
        Session own = connection.createSession();
        MessageConsumer consumer = own.createConsumer(topic, null, true);
        send(own, topic, "own");
        send(connection.createSession(), topic, "own of another session");
        publish("of others");
        assertThat(all(consumer)).containsExactly("of others");
    }

    @Test
    @Section("8.3.1")
    void shouldGetTheConnectionsOwnUnlessTheyAreNotWanted() throws JMSException {
        Session own = session();
        MessageConsumer consumer = own.createConsumer(topic);
        send(own, topic, "own");
        assertThat(takeText(consumer)).isEqualTo("own");
    }

    @Test
    @Section("8.3.3")
    void shouldNotKeepTheClientsOwnForADurableSubscriptionThatDoesNotWantThem() throws JMSException {
        Connection connection = connect(client);
        Session own = connection.createSession();
        MessageConsumer consumer = own.createDurableConsumer(topic, "name", null, true);
        send(own, topic, "own");
        publish("of others");
        assertThat(all(consumer)).containsExactly("of others");
        consumer.close();
        own.unsubscribe("name");
    }

    @Test
    @Section("8.3.2")
    void shouldShareASubscription() throws JMSException {
        String name = unique("shared");
        Session first = session();
        MessageConsumer one = first.createSharedConsumer(topic, name);
        MessageConsumer other = session().createSharedConsumer(topic, name);
        for (int i = 0; i < 20; i++) {
            publish("" + i);
        }
        List<String> texts = new ArrayList<>();
        while (texts.size() < 20) {
            for (MessageConsumer each : List.of(one, other)) {
                Message message = each.receive(MOMENT_MS);
                if (message != null) {
                    texts.add(text(message));
                }
            }
        }
        assertThat(texts).doesNotHaveDuplicates();
        assertThat(one.receiveNoWait()).isNull();
        assertThat(other.receiveNoWait()).isNull();
    }

    @Test
    @Section("8.3.2")
    void shouldEndASharedSubscriptionWithItsLastConsumer() throws JMSException {
        String name = unique("shared");
        MessageConsumer one = session().createSharedConsumer(topic, name);
        MessageConsumer other = session().createSharedConsumer(topic, name);
        one.close();
        publish("kept");
        assertThat(takeText(other)).isEqualTo("kept");
        other.close();
        publish("lost");
        assertThat(all(session().createSharedConsumer(topic, name))).isEmpty();
    }

    @Test
    @Section("8.3.2")
    @Differs(
            on = Run.ARTEMIS_BROKER,
            seen = "Expecting code to raise a throwable",
            because = "the server does not compare the subscriptions of different links",
            always = false)
    void shouldRefuseToShareWithAnotherTopicOrSelector() throws JMSException {
        String name = unique("shared");
        Session sharing = session();
        sharing.createSharedConsumer(topic, name, "i = 1");
        assertThatThrownBy(() -> sharing.createSharedConsumer(topic, name, "i = 2"))
                .isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> session().createSharedConsumer(topic, name)).isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> session().createSharedConsumer(topic(session), name, "i = 1"))
                .isInstanceOf(JMSException.class);
        session().createSharedConsumer(topic, name, "i = 1");
    }

    @Test
    @Section("8.3.2")
    void shouldKeepSharedSubscriptionsOfClientsApart() throws JMSException {
        MessageConsumer one = connect(client).createSession().createSharedConsumer(topic, "name");
        MessageConsumer other = connect(unique("client")).createSession().createSharedConsumer(topic, "name");
        publish("text");
        assertThat(takeText(one)).isEqualTo("text");
        assertThat(takeText(other)).isEqualTo("text");
    }

    @Test
    @Section("8.3.2")
    void shouldLetSharedAndDurableSubscriptionsHaveOneName() throws JMSException {
        Session own = connect(client).createSession();
        MessageConsumer shared = own.createSharedConsumer(topic, "name");
        MessageConsumer durable = own.createDurableConsumer(topic, "name");
        publish("text");
        assertThat(takeText(shared)).isEqualTo("text");
        assertThat(takeText(durable)).isEqualTo("text");
        durable.close();
        own.unsubscribe("name");
    }

    @Test
    @Section("8.3.3")
    void shouldKeepMessagesForADurableSubscription() throws JMSException {
        Connection connection = connect(client);
        connection.createSession().createDurableConsumer(topic, "name").close();
        publish("0");
        connection.close();
        publish("1");

        Session again = connect(client).createSession();
        MessageConsumer consumer = again.createDurableConsumer(topic, "name");
        publish("2");
        assertThat(all(consumer)).containsExactly("0", "1", "2");
        consumer.close();
        again.unsubscribe("name");
    }

    @Test
    @Section("8.3.3")
    void shouldNeedAClientIdentifierForAnUnsharedDurableSubscription() {
        assertThatThrownBy(() -> session.createDurableConsumer(topic, "name"))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> session.createDurableSubscriber(topic, "name"))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    @Section("8.3.3")
    void shouldHaveOneConsumerOfAnUnsharedDurableSubscription() throws JMSException {
        Connection connection = connect(client);
        Session own = connection.createSession();
        MessageConsumer consumer = own.createDurableConsumer(topic, "name");
        assertThatThrownBy(() -> own.createDurableConsumer(topic, "name")).isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> connection.createSession().createDurableConsumer(topic, "name"))
                .isInstanceOf(JMSException.class);
        publish("text");
        assertThat(takeText(consumer)).isEqualTo("text");
    }

    @Test
    @Section("8.3.3")
    void shouldEndADurableSubscriptionWithUnsubscribe() throws JMSException {
        Session own = connect(client).createSession();
        own.createDurableConsumer(topic, "name").close();
        publish("lost");
        own.unsubscribe("name");
        assertThatThrownBy(() -> own.unsubscribe("name")).isInstanceOf(InvalidDestinationException.class);
        assertThat(all(own.createDurableConsumer(topic, "name"))).isEmpty();
    }

    @Test
    @Section("8.3.3")
    void shouldNotUnsubscribeWhileThereIsAConsumer() throws JMSException {
        Session own = connect(client).createSession();
        MessageConsumer consumer = own.createDurableConsumer(topic, "name");
        assertThatThrownBy(() -> own.unsubscribe("name")).isInstanceOf(JMSException.class);
        publish("text");
        assertThat(takeText(consumer)).isEqualTo("text");
    }

    @Test
    @Section("8.3.4")
    @Differs(
            on = Run.ARTEMIS_BROKER,
            seen = "Expecting code to raise a throwable",
            because = "the server does not compare the subscriptions of different links")
    void shouldNotUnsubscribeWhileAnotherConnectionShares() throws JMSException {
        String name = unique("shared");
        MessageConsumer consumer = session().createSharedDurableConsumer(topic, name);
        assertThatThrownBy(() -> session().unsubscribe(name)).isInstanceOf(JMSException.class);
        publish("text");
        assertThat(takeText(consumer)).isEqualTo("text");
        consumer.close();
        session().unsubscribe(name);
    }

    @ParameterizedTest
    @Section("8.3.3")
    @ValueSource(strings = {"selector", "topic", "noLocal"})
    void shouldBeginAnewWhenADurableSubscriptionIsMadeOtherwise(String changed) throws JMSException {
        Session own = connect(client).createSession();
        own.createDurableConsumer(topic, "name", null, false).close();
        publish("old");
        MessageConsumer consumer =
                switch (changed) {
                    case "selector" -> own.createDurableConsumer(topic, "name", "TRUE", false);
                    case "noLocal" -> own.createDurableConsumer(topic, "name", null, true);
                    default -> {
                        topic = topic(session);
                        yield own.createDurableConsumer(topic, "name", null, false);
                    }
                };
        assertThat(all(consumer)).isEmpty();
    }

    @Test
    @Section("8.3.3")
    void shouldDeliverAgainWhatADurableSubscriberDidNotAcknowledge() throws JMSException {
        Connection connection = connect(client);
        Session own = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = own.createDurableConsumer(topic, "name");
        publish("0", "1");
        take(consumer).acknowledge();
        take(consumer);
        connection.close();

        Message again = take(connect(client).createSession().createDurableConsumer(topic, "name"));
        assertThat(text(again)).isEqualTo("1");
        assertThat(again.getJMSRedelivered()).isTrue();
        assertThat(again.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
    }

    @Test
    @Section("8.3.4")
    void shouldShareADurableSubscription() throws JMSException {
        String name = unique("shared");
        session().createSharedDurableConsumer(topic, name).close();
        publish("0", "1");
        MessageConsumer one = session().createSharedDurableConsumer(topic, name);
        assertThat(takeText(one)).isEqualTo("0");
        one.close();
        Session last = session();
        MessageConsumer other = last.createSharedDurableConsumer(topic, name);
        assertThat(all(other)).containsExactly("1");
        other.close();
        last.unsubscribe(name);
    }

    @Test
    @Section("8.3.4")
    void shouldRefuseToShareADurableSubscriptionWithAnotherTopicOrSelector() throws JMSException {
        String name = unique("shared");
        MessageConsumer consumer = session().createSharedDurableConsumer(topic, name, "i = 1");
        assertThatThrownBy(() -> session().createSharedDurableConsumer(topic, name, "i = 2"))
                .isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> session().createSharedDurableConsumer(topic(session), name, "i = 1"))
                .isInstanceOf(JMSException.class);
        consumer.close();
        session().unsubscribe(name);
    }

    @Test
    @Section("8.3.4")
    void shouldBeginAnewWhenASharedDurableSubscriptionIsMadeOtherwise() throws JMSException {
        String name = unique("shared");
        session().createSharedDurableConsumer(topic, name).close();
        publish("old");
        MessageConsumer consumer = session().createSharedDurableConsumer(topic, name, "TRUE");
        assertThat(all(consumer)).isEmpty();
        consumer.close();
        session().unsubscribe(name);
    }

    @Test
    @Section("8.3.4")
    @Differs(
            on = Run.ARTEMIS_BROKER,
            seen = "Expecting code to raise a throwable",
            because = "the server does not compare the subscriptions of different links")
    void shouldRefuseSharedAndUnsharedDurableSubscriptionsOfOneName() throws JMSException {
        Session own = connect(client).createSession();
        own.createDurableConsumer(topic, "unshared").close();
        own.createSharedDurableConsumer(topic, "shared").close();
        assertThatThrownBy(() -> own.createSharedDurableConsumer(topic, "unshared"))
                .isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> own.createDurableConsumer(topic, "shared")).isInstanceOf(JMSException.class);
        own.unsubscribe("unshared");
        own.unsubscribe("shared");
    }

    @Test
    @Section("4.2.4")
    void shouldTakeSubscriptionNamesAsLongAsTheyMayBe() throws JMSException {
        Session own = connect(client).createSession();
        String name = ("aZ09_.-" + "ä".repeat(128)).substring(0, 128);
        own.createDurableConsumer(topic, name).close();
        publish("text");
        MessageConsumer consumer = own.createDurableConsumer(topic, name);
        assertThat(takeText(consumer)).isEqualTo("text");
        consumer.close();
        own.unsubscribe(name);
        own.createSharedConsumer(topic, name).close();
        own.createSharedDurableConsumer(topic, name).close();
        own.unsubscribe(name);
    }

    @Test
    @Section("4.2.7")
    @Differs(
            on = Run.QPID_CLIENT,
            seen = "Expecting code to raise a throwable",
            because = "it lets a temporary destination be used again that was deleted")
    void shouldConsumeFromTemporaryTopicsOfTheConnectionOnly() throws JMSException {
        TemporaryTopic temporary = session.createTemporaryTopic();
        MessageConsumer consumer = session.createConsumer(temporary);
        Session other = session();
        assertThatThrownBy(() -> other.createConsumer(temporary)).isInstanceOf(JMSException.class);
        send(other, temporary, "text");
        assertThat(takeText(consumer)).isEqualTo("text");
        assertThatThrownBy(temporary::delete).isInstanceOf(JMSException.class);
        consumer.close();
        temporary.delete();
        assertThatThrownBy(() -> session.createConsumer(temporary)).isInstanceOf(JMSException.class);
    }

    @Test
    @Section("4.2.8")
    void shouldRecoverWhatANondurableSubscriberDidNotAcknowledge() throws JMSException {
        Session own = session(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = own.createConsumer(topic);
        publish("0", "1");
        take(consumer);
        take(consumer);
        own.recover();
        Message again = take(consumer);
        assertThat(text(again)).isEqualTo("0");
        assertThat(again.getJMSRedelivered()).isTrue();
        assertThat(again.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
        assertThat(takeText(consumer)).isEqualTo("1");
    }

    @Test
    @Section("4.2.10")
    void shouldAnswerRequests() throws Exception {
        TopicConnection connection = closing(provider().topicFactory().createTopicConnection());
        connection.start();
        TopicSession asking = connection.createTopicSession(false, Session.AUTO_ACKNOWLEDGE);
        Session answering = session();
        MessageConsumer requests = answering.createConsumer(topic);
        CompletableFuture<Void> server = asideRun(() -> {
            Message request = take(requests);
            send(answering, request.getJMSReplyTo(), text(request) + "!");
        });
        TopicRequestor requestor = new TopicRequestor(asking, topic);
        assertThat(text(requestor.request(session.createTextMessage("hello")))).isEqualTo("hello!");
        await(server);
        requestor.close();
    }
}
