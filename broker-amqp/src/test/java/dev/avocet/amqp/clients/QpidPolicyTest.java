package dev.avocet.amqp.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.core.config.object.policy.QueuePolicy;
import dev.avocet.core.config.object.policy.SubscriptionPolicy;
import dev.avocet.core.destination.Queues;
import dev.avocet.core.metrics.Counter;
import dev.avocet.testkit.PolicyFixture;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.util.Map;
import java.util.Objects;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What policies forbid a JMS client, and how it hears of it: amqp:unauthorized-access, which Qpid JMS makes a
 * {@link JMSSecurityException}.
 */
final class QpidPolicyTest {
    private static final long PATIENCE_MS = 30_000;

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
    void shouldRefuseConnectionsOfAnotherProtocol() throws JMSException {
        jms.apply(everyTopic().connection("mqtt", Map.of("ClientID", "*", "Protocol", "MQTT")));
        assertRefused(jms::connect);
        assertThat(jms.broker().count(Counter.CONNECTIONS_UNAUTHORIZED)).isEqualTo(1);

        jms.apply(everyTopic().connection("both", Map.of("ClientID", "*", "Protocol", "MQTT,JMS")));
        assertThat(jms.connect().createSession()).isNotNull();
    }

    @Test
    void shouldAskConnectionPoliciesForTheClientIdentifier() throws JMSException {
        jms.apply(everyTopic().connection("known", Map.of("ClientID", "known-*")));

        assertThat(jms.connect("known-1").getClientID()).isEqualTo("known-1");
        assertRefused(() -> jms.connect("stranger"));
    }

    @Test
    void shouldRefuseTopicsThatAClientMayNotPublishTo() throws JMSException {
        // given
        jms.apply(new PolicyFixture()
                .topic("some", Map.of("ClientID", "*", "Topic", "allowed/*", "ActionList", "Publish")));
        Session session = jms.connect().createSession();
        Topic forbidden = session.createTopic("forbidden");
        MessageProducer anywhere = session.createProducer(null);

        // when, then
        session.createProducer(session.createTopic("allowed/1")).send(session.createTextMessage("x"));
        anywhere.send(session.createTopic("allowed/2"), session.createTextMessage("x"));
        assertRefused(() -> session.createProducer(forbidden));
        assertThatThrownBy(() -> anywhere.send(forbidden, session.createTextMessage("x")))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("forbidden");
        assertThat(jms.broker().count(Counter.PUBLISHES_UNAUTHORIZED)).isEqualTo(2);
    }

    @Test
    void shouldRefuseTopicsThatAClientMayNotSubscribeTo() throws JMSException {
        // given
        jms.apply(new PolicyFixture()
                .topic("some", Map.of("ClientID", "*", "Topic", "allowed/*", "ActionList", "Subscribe")));
        Session session = jms.connect("reader").createSession();
        Topic forbidden = session.createTopic("forbidden");

        // when, then
        assertThat(session.createConsumer(session.createTopic("allowed/1"))).isNotNull();
        assertRefused(() -> session.createConsumer(forbidden));
        assertRefused(() -> session.createDurableConsumer(forbidden, "durable"));
        assertRefused(() -> session.createSharedConsumer(forbidden, "shared"));
        assertThat(jms.broker().count(Counter.SUBSCRIPTIONS_UNAUTHORIZED)).isEqualTo(3);
    }

    @Test
    void shouldRefuseDurableSubscriptionsWhereNoneAreAllowed() throws JMSException {
        jms.apply(everyTopic().connection("light", Map.of("ClientID", "*", "AllowDurable", false)));
        Session session = jms.connect("reader").createSession();
        Topic topic = session.createTopic("t");

        assertThat(session.createConsumer(topic)).isNotNull();
        assertRefused(() -> session.createDurableConsumer(topic, "durable"));
    }

    @Test
    void shouldLetThoseWithControlMakeAndEndASubscriptionThatAllShare() throws JMSException {
        // given
        PolicyFixture receive = everyTopic()
                .with(
                        SubscriptionPolicy.class,
                        "use",
                        Map.of("ClientID", "*", "Subscription", "team", "ActionList", "Receive"));
        PolicyFixture control = everyTopic()
                .with(
                        SubscriptionPolicy.class,
                        "make",
                        Map.of("ClientID", "*", "Subscription", "team", "ActionList", "Receive,Control"));
        jms.apply(receive);
        Session session = jms.connect().createSession();
        Topic topic = session.createTopic("t");

        // when, then
        assertRefused(() -> session.createSharedDurableConsumer(topic, "team"));
        jms.apply(control);
        session.createSharedDurableConsumer(topic, "team").close();
        jms.apply(receive);
        session.createSharedDurableConsumer(topic, "team").close();
        assertRefused(() -> session.unsubscribe("team"));
        jms.apply(control);
        session.unsubscribe("team");
    }

    @Test
    void shouldRefusePersistentMessagesWhereNoneAreAllowed() throws JMSException {
        // given
        jms.apply(everyTopic().connection("light", Map.of("ClientID", "*", "AllowPersistentMessages", false)));
        Session session = jms.connect().createSession();
        Topic topic = session.createTopic("t");
        MessageConsumer consumer = session.createConsumer(topic);
        MessageProducer producer = session.createProducer(topic);

        // when, then
        assertThatThrownBy(() -> producer.send(session.createTextMessage("kept")))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("persistent");
        producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
        producer.send(session.createTextMessage("light"));
        assertThat(consumer.receive(PATIENCE_MS).getBody(String.class)).isEqualTo("light");
    }

    @ParameterizedTest
    @CsvSource({"Send,true,false,false", "Receive,false,true,false", "Browse,false,false,true"})
    void shouldAllowOfAQueueWhatItsPolicySays(String action, boolean sends, boolean receives, boolean browses)
            throws JMSException {
        // given
        Session maker = jms.connect().createSession();
        maker.createProducer(maker.createQueue("orders")).send(maker.createTextMessage("x"));
        jms.apply(queues("*", action));
        Session session = jms.connect().createSession();
        Queue queue = session.createQueue("orders");

        // when, then
        check(sends, () -> session.createProducer(queue).close());
        check(receives, () -> session.createConsumer(queue).close());
        check(browses, () -> session.createBrowser(queue).getEnumeration());
        assertThat(jms.broker().count(Counter.PUBLISHES_UNAUTHORIZED)).isEqualTo(sends ? 0 : 1);
        assertThat(jms.broker().count(Counter.SUBSCRIPTIONS_UNAUTHORIZED))
                .isEqualTo((receives ? 0 : 1) + (browses ? 0 : 1));
    }

    @Test
    void shouldMakeNoQueuesWherePoliciesAre() throws JMSException {
        jms.apply(queues("*", "Send,Receive,Browse"));
        Session session = jms.connect().createSession();

        assertThatThrownBy(() -> session.createProducer(session.createQueue("unknown")))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("amqp:not-found");
    }

    @Test
    void shouldMakeQueuesWhereAPolicySaysSo() throws JMSException {
        // given
        jms.apply(queues("made/*", "Send,Receive,Create"));
        Session session = jms.connect().createSession();
        Queue sentTo = session.createQueue("made/by sender");
        Queue receivedFrom = session.createQueue("made/by receiver");

        // when
        MessageConsumer receiver = session.createConsumer(receivedFrom);
        session.createProducer(sentTo).send(session.createTextMessage("1"));
        session.createProducer(null).send(receivedFrom, session.createTextMessage("2"));

        // then
        assertThat(receiver.receive(PATIENCE_MS).getBody(String.class)).isEqualTo("2");
        assertThat(session.createConsumer(sentTo).receive(PATIENCE_MS).getBody(String.class))
                .isEqualTo("1");
        assertRefused(() -> session.createProducer(session.createQueue("elsewhere")));
        assertRefused(() -> session.createBrowser(session.createQueue("made/3")).getEnumeration());
    }

    @Test
    void shouldMakeNoMoreQueuesWhenThePolicyHasChangedAndLeaveThoseThatAre() throws JMSException {
        // given
        jms.apply(queues("*", "Send,Receive,Create"));
        Session session = jms.connect().createSession();
        MessageProducer producer = session.createProducer(session.createQueue("first"));

        // when
        jms.apply(queues("*", "Send,Receive"));

        // then
        producer.send(session.createTextMessage("x"));
        assertThat(session.createConsumer(session.createQueue("first")).receive(PATIENCE_MS))
                .isNotNull();
        assertThatThrownBy(() -> session.createConsumer(session.createQueue("second")))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("amqp:not-found");
    }

    @Test
    void shouldMakeNoMoreQueuesThanThereMayBe() throws JMSException {
        // given
        jms.broker().broker().queues().dynamicMax(2);
        Session session = jms.connect().createSession();
        session.createTemporaryQueue();

        // when, then
        session.createProducer(session.createQueue("1"));
        session.createProducer(session.createQueue("2"));
        session.createProducer(session.createQueue("1"));
        assertThatThrownBy(() -> session.createProducer(session.createQueue("3")))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("MaxDynamicQueues");
    }

    @Test
    void shouldMakeAQueueAgainThatHasGoneSinceAnAnonymousProducerSentThere() throws JMSException {
        // given
        jms.apply(queues("*", "Send,Receive,Create"));
        Session session = jms.connect().createSession();
        Queue orders = session.createQueue("orders");
        MessageProducer anywhere = session.createProducer(null);
        anywhere.send(orders, session.createTextMessage("1"));

        // when
        Queues queues = jms.broker().broker().queues();
        queues.delete(Objects.requireNonNull(queues.find("orders")));
        jms.broker().settle();

        // then
        anywhere.send(orders, session.createTextMessage("2"));
        assertThat(session.createConsumer(orders).receive(PATIENCE_MS).getBody(String.class))
                .isEqualTo("2");
    }

    @Test
    void shouldRefuseToSendOnALinkThatIsOpenWhenTheRightIsTakenAway() throws JMSException {
        // given
        Session session = jms.connect().createSession();
        Queue queue = session.createQueue("orders");
        MessageProducer producer = session.createProducer(queue);
        producer.send(session.createTextMessage("1"));

        // when
        jms.apply(queues("*", "Receive"));

        // then
        assertThatThrownBy(() -> producer.send(session.createTextMessage("2")))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("orders");
        MessageConsumer consumer = session.createConsumer(queue);
        assertThat(consumer.receive(PATIENCE_MS).getBody(String.class)).isEqualTo("1");
        assertThat(consumer.receiveNoWait()).isNull();
    }

    @Test
    void shouldLeaveTemporaryQueuesToTheirConnection() throws JMSException {
        jms.apply(queues("orders", "Send"));
        Connection connection = jms.connect();
        Session session = connection.createSession();
        Queue replies = session.createTemporaryQueue();

        session.createProducer(replies).send(session.createTextMessage("pong"));

        assertThat(session.createConsumer(replies).receive(PATIENCE_MS)).isNotNull();
    }

    private static void check(boolean allowed, ThrowingCallable action) {
        if (allowed) {
            assertThatCode(action).doesNotThrowAnyException();
        } else {
            assertRefused(action);
        }
    }

    private static void assertRefused(ThrowingCallable action) {
        assertThatThrownBy(action)
                .isInstanceOf(JMSSecurityException.class)
                .hasMessageContaining("amqp:unauthorized-access");
    }

    private static PolicyFixture everyTopic() {
        return new PolicyFixture()
                .topic("everything", Map.of("ClientID", "*", "Topic", "*", "ActionList", "Publish,Subscribe"));
    }

    private static PolicyFixture queues(String pattern, String actions) {
        return everyTopic()
                .with(QueuePolicy.class, "queues", Map.of("ClientID", "*", "Queue", pattern, "ActionList", actions));
    }
}
