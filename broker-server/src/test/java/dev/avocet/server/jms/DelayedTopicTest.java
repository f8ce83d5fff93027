package dev.avocet.server.jms;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.jms.AvocetConnectionFactory;
import dev.avocet.testkit.turn.InTurn;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.Message;
import jakarta.jms.Topic;
import jakarta.jms.XAJMSContext;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.transaction.xa.XAResource;
import org.eclipse.paho.mqttv5.client.IMqttMessageListener;
import org.eclipse.paho.mqttv5.client.MqttClient;
import org.eclipse.paho.mqttv5.client.persist.MemoryPersistence;
import org.eclipse.paho.mqttv5.common.MqttMessage;
import org.eclipse.paho.mqttv5.common.MqttSubscription;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is published to topics with a delivery delay [Jakarta Messaging 3.1, 7.9], with a broker that is killed. */
@InTurn
@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class DelayedTopicTest {
    private static final long PATIENCE_MS = 30_000;
    private static final long SHORT_MS = 400;

    private static KilledBroker broker;

    @BeforeAll
    static void start(@TempDir Path directory) throws Exception {
        broker = new KilledBroker(directory);
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    @Test
    void shouldHaveWhatIsDelayedAfterTheBrokerWasKilled() throws Exception {
        // given
        long deliveryTime;
        try (JMSContext context = context("killed")) {
            Topic topic = context.createTopic("killed");
            context.createDurableConsumer(topic, "kept").close();
            context.createSharedDurableConsumer(topic, "shared").close();
            JMSProducer producer = context.createProducer();
            Message later = context.createTextMessage("later");
            producer.setDeliveryDelay(8_000).send(topic, later);
            deliveryTime = later.getJMSDeliveryTime();
            producer.setDeliveryDelay(0).send(topic, "now");
        }

        // when
        broker.kill();
        broker.start();

        // then
        try (JMSContext context = context("killed")) {
            Topic topic = context.createTopic("killed");
            for (JMSConsumer consumer : new JMSConsumer[] {
                context.createDurableConsumer(topic, "kept"), context.createSharedDurableConsumer(topic, "shared")
            }) {
                Map<String, Message> received = new HashMap<>();
                for (int i = 0; i < 2; i++) {
                    Message message = consumer.receive(PATIENCE_MS);
                    // where the start has taken longer than the delay, either may come first
                    assertThat(isDue(message)).isTrue();
                    received.put(message.getBody(String.class), message);
                }
                assertThat(received).containsOnlyKeys("now", "later");
                Message later = received.get("later");
                assertThat(later.getJMSDeliveryTime()).isEqualTo(deliveryTime);
                assertThat(later.getJMSRedelivered()).isFalse();
                consumer.close();
            }
            context.unsubscribe("kept");
            context.unsubscribe("shared");
        }
    }

    @Test
    void shouldDelayForMqttSubscribersToo() throws Exception {
        repeatWithMoreTime(delay -> {
            String name = "mqtt/" + delay;
            BlockingQueue<MqttMessage> received = new LinkedBlockingQueue<>();
            MqttClient mqtt = mqtt("delayed-mqtt", name, received);
            try (JMSContext context = context(null)) {
                Topic topic = context.createTopic(name);
                Message later = context.createTextMessage("later");

                // when
                context.createProducer().setDeliveryDelay(delay).send(topic, later);
                context.createProducer().send(topic, "now");
                if (isDue(later)) {
                    return false;
                }

                // then
                assertThat(text(received)).isEqualTo("now");
                assertThat(text(received)).isEqualTo("later");
                assertThat(isDue(later)).isTrue();
                return true;
            } finally {
                mqtt.disconnect();
            }
        });
    }

    @Test
    void shouldGiveARetainedMessageToNewSubscriptionsNotBeforeItsTime() throws Exception {
        BlockingQueue<MqttMessage> received = new LinkedBlockingQueue<>();
        try (JMSContext context = context(null)) {
            Message later = context.createTextMessage("retained");
            later.setIntProperty("JMS_IBM_Retain", 1);
            context.createProducer().setDeliveryDelay(SHORT_MS).send(context.createTopic("retained/1"), later);

            // when
            MqttClient mqtt = mqtt("delayed-retained", "retained/#", received);

            // then
            MqttMessage message = received.poll(PATIENCE_MS, TimeUnit.MILLISECONDS);
            assertThat(System.currentTimeMillis()).isGreaterThanOrEqualTo(later.getJMSDeliveryTime());
            assertThat(new String(message.getPayload(), UTF_8)).isEqualTo("retained");
            assertThat(message.isRetained()).isTrue();
            mqtt.disconnect();
        }
    }

    @Test
    void shouldGiveItToTheSubscriptionsThereWereWhenItWasSent() throws Exception {
        try (JMSContext context = context("times");
                JMSContext other = context(null)) {
            Topic topic = context.createTopic("times");
            context.createDurableConsumer(topic, "ended").close();
            JMSConsumer early = context.createConsumer(topic);

            // when
            context.createProducer().setDeliveryDelay(SHORT_MS).send(topic, "delayed");
            context.unsubscribe("ended");
            JMSConsumer late = other.createConsumer(topic);
            JMSConsumer again = context.createDurableConsumer(topic, "ended");

            // then
            assertThat(early.receiveBody(String.class, PATIENCE_MS)).isEqualTo("delayed");
            context.createProducer().send(topic, "now");
            assertThat(late.receiveBody(String.class, PATIENCE_MS)).isEqualTo("now");
            assertThat(again.receiveBody(String.class, PATIENCE_MS)).isEqualTo("now");
            again.close();
            context.unsubscribe("ended");
        }
    }

    @Test
    void shouldExpireWhileItIsDelayed() throws Exception {
        try (JMSContext context = context(null)) {
            Topic topic = context.createTopic("expiry");
            JMSConsumer consumer = context.createConsumer(topic);

            // when
            context.createProducer()
                    .setDeliveryDelay(SHORT_MS)
                    .setTimeToLive(SHORT_MS / 2)
                    .send(topic, "never");
            context.createProducer().setDeliveryDelay(2 * SHORT_MS).send(topic, "later");

            // then
            assertThat(consumer.receiveBody(String.class, PATIENCE_MS)).isEqualTo("later");
        }
    }

    @Test
    void shouldDelayWhatTransactionsPublishFromTheSend() throws Exception {
        repeatWithMoreTime(delay -> {
            try (JMSContext context = context(null);
                    JMSContext transacted = context.createContext(JMSContext.SESSION_TRANSACTED)) {
                Topic topic = context.createTopic("transacted/" + delay);
                JMSConsumer consumer = context.createConsumer(topic);
                Message later = transacted.createTextMessage("later");

                // when
                transacted.createProducer().setDeliveryDelay(delay).send(topic, later);
                transacted.createProducer().send(topic, "now");
                transacted.commit();
                if (isDue(later)) {
                    return false;
                }

                // then
                assertThat(consumer.receiveBody(String.class, PATIENCE_MS)).isEqualTo("now");
                Message received = consumer.receive(PATIENCE_MS);
                assertThat(isDue(later)).isTrue();
                assertThat(received.getJMSDeliveryTime()).isEqualTo(later.getJMSDeliveryTime());
                return true;
            }
        });
    }

    @Test
    void shouldDelayWhatWasInDoubtWhenTheBrokerWasKilled() throws Exception {
        // given
        BranchName branch = new BranchName(9);
        long deliveryTime;
        try (XAJMSContext context = new AvocetConnectionFactory(broker.url() + "?reconnect=false").createXAContext()) {
            context.setClientID("doubt");
            Topic topic = context.createTopic("doubt");
            context.createDurableConsumer(topic, "doubt").close();
            context.getXAResource().start(branch, XAResource.TMNOFLAGS);
            Message later = context.createTextMessage("later");
            context.createProducer().setDeliveryDelay(8_000).send(topic, later);
            deliveryTime = later.getJMSDeliveryTime();
            context.getXAResource().end(branch, XAResource.TMSUCCESS);
            context.getXAResource().prepare(branch);
            broker.kill();
        }

        // when
        broker.start();
        try (XAJMSContext context = new AvocetConnectionFactory(broker.url()).createXAContext()) {
            context.getXAResource().commit(branch, false);
        }

        // then
        try (JMSContext context = context("doubt")) {
            JMSConsumer consumer = context.createDurableConsumer(context.createTopic("doubt"), "doubt");
            assertThat(consumer.receiveBody(String.class, PATIENCE_MS)).isEqualTo("later");
            assertThat(System.currentTimeMillis()).isGreaterThanOrEqualTo(deliveryTime);
            consumer.close();
            context.unsubscribe("doubt");
        }
    }

    /** A play with a delay; it answers whether all was sent before the delay was over. */
    private interface Play {
        boolean isInTime(long delayMs) throws Exception;
    }

    /** A short delay may pass before the next message is sent: such a play tells nothing of the order. */
    private static void repeatWithMoreTime(Play play) throws Exception {
        long delayMs = SHORT_MS;
        while (!play.isInTime(delayMs)) {
            delayMs *= 4;
            assertThat(delayMs).isLessThan(PATIENCE_MS);
        }
    }

    private static boolean isDue(Message message) throws JMSException {
        return System.currentTimeMillis() >= message.getJMSDeliveryTime();
    }

    private static JMSContext context(String clientId) throws JMSException {
        JMSContext context = new AvocetConnectionFactory(broker.url()).createContext();
        if (clientId != null) {
            context.setClientID(clientId);
        }
        return context;
    }

    private static MqttClient mqtt(String clientId, String filter, BlockingQueue<MqttMessage> received)
            throws Exception {
        MqttClient client = new MqttClient("tcp://127.0.0.1:" + broker.port(), clientId, new MemoryPersistence());
        client.connect();
        client.subscribe(
                new MqttSubscription[] {new MqttSubscription(filter, 2)},
                new IMqttMessageListener[] {(topic, message) -> received.add(message)});
        return client;
    }

    private static String text(BlockingQueue<MqttMessage> received) throws InterruptedException {
        return new String(received.poll(PATIENCE_MS, TimeUnit.MILLISECONDS).getPayload(), UTF_8);
    }
}
