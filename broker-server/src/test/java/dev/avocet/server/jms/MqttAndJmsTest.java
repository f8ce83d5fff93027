package dev.avocet.server.jms;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.server.broker.OneBroker;
import dev.avocet.server.broker.RunningBroker;
import dev.avocet.server.config.ConfigurationFile;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.eclipse.paho.mqttv5.client.IMqttMessageListener;
import org.eclipse.paho.mqttv5.client.MqttClient;
import org.eclipse.paho.mqttv5.client.persist.MemoryPersistence;
import org.eclipse.paho.mqttv5.common.MqttMessage;
import org.eclipse.paho.mqttv5.common.MqttSubscription;
import org.eclipse.paho.mqttv5.common.packet.MqttProperties;
import org.eclipse.paho.mqttv5.common.packet.UserProperty;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** MQTT and JMS on one port of one broker with a store. */
final class MqttAndJmsTest {
    private static final long PATIENCE_MS = 30_000;
    private static final long MOMENT_MS = 200;

    @TempDir
    private Path data;

    private RunningBroker broker;

    @BeforeEach
    void start() throws Exception {
        broker = OneBroker.start(
                ConfigurationFile.parse("{\"store\": {\"mode\": \"sync\", \"segmentBytes\": 4194304},"
                        + " \"endpoints\": [{\"name\": \"all\", \"host\": \"127.0.0.1\", \"port\": 0}]}"),
                data,
                failure -> {});
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @Test
    void shouldGiveMqttMessagesToJms() throws Exception {
        // given
        MqttClient mqtt = mqtt();
        try (Connection connection = connect(null)) {
            Session session = connection.createSession();
            MessageConsumer consumer = session.createConsumer(session.createTopic("sensors/#"));
            MqttProperties properties = new MqttProperties();
            properties.setUserProperties(List.of(new UserProperty("unit", "C")));
            properties.setContentType("reading");
            properties.setResponseTopic("answers");
            properties.setCorrelationData("42".getBytes(UTF_8));
            MqttMessage text = new MqttMessage("21.5 °".getBytes(UTF_8), 1, false, properties);

            // when
            mqtt.publish("sensors/1", text);
            mqtt.publish("sensors/2", new MqttMessage(new byte[] {0, 1, -1}, 0, false, new MqttProperties()));

            // then
            TextMessage first = (TextMessage) consumer.receive(PATIENCE_MS);
            assertThat(first.getText()).isEqualTo("21.5 °");
            assertThat(first.getJMSDestination()).isEqualTo(session.createTopic("sensors/1"));
            assertThat(first.getStringProperty("unit")).isEqualTo("C");
            assertThat(first.getJMSType()).isEqualTo("reading");
            assertThat(first.getJMSReplyTo()).isEqualTo(session.createTopic("answers"));
            assertThat(first.getJMSCorrelationID()).isEqualTo("42");
            assertThat(first.getJMSDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
            Message second = consumer.receive(PATIENCE_MS);
            assertThat(second).isInstanceOf(BytesMessage.class);
            assertThat(second.getBody(byte[].class)).containsExactly(0, 1, -1);
            assertThat(second.getJMSDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
            mqtt.disconnect();
        }
    }

    @Test
    void shouldGiveJmsMessagesToMqtt() throws Exception {
        // given
        BlockingQueue<MqttMessage> received = new LinkedBlockingQueue<>();
        MqttClient mqtt = mqtt();
        try (Connection connection = connect(null)) {
            mqtt.subscribe(
                    new MqttSubscription[] {new MqttSubscription("out/#", 2)},
                    new IMqttMessageListener[] {(topic, message) -> received.add(message)});
            Session session = connection.createSession();
            Topic topic = session.createTopic("out/1");
            TextMessage text = session.createTextMessage("Grüße");
            text.setJMSType("greeting");
            text.setJMSCorrelationID("42");
            text.setJMSReplyTo(session.createTopic("answers"));
            text.setIntProperty("count", 7);
            BytesMessage bytes = session.createBytesMessage();
            bytes.writeBytes(new byte[] {1, 0});
            MapMessage map = session.createMapMessage();
            map.setString("name", "avocet");
            var stream = session.createStreamMessage();
            stream.writeInt(3);
            stream.writeBoolean(true);

            // when
            for (Message each : List.of(text, bytes, map, stream)) {
                session.createProducer(topic).send(each);
            }

            // then
            MqttMessage first = take(received);
            assertThat(new String(first.getPayload(), UTF_8)).isEqualTo("Grüße");
            assertThat(first.getQos()).isEqualTo(2);
            assertThat(first.getProperties().getPayloadFormat()).isTrue();
            assertThat(first.getProperties().getContentType()).isEqualTo("greeting");
            assertThat(first.getProperties().getResponseTopic()).isEqualTo("answers");
            assertThat(first.getProperties().getCorrelationData()).isEqualTo("42".getBytes(UTF_8));
            assertThat(first.getProperties().getUserProperties())
                    .contains(new UserProperty("count", "7"), new UserProperty("JMSMessageID", text.getJMSMessageID()));
            assertThat(take(received).getPayload()).containsExactly(1, 0);
            assertThat(new String(take(received).getPayload(), UTF_8)).isEqualTo("{\"name\":\"avocet\"}");
            assertThat(new String(take(received).getPayload(), UTF_8)).isEqualTo("[3,true]");
            mqtt.disconnect();
        }
    }

    @Test
    void shouldFindQueuesAndDurableSubscriptionsAfterARestart() throws Exception {
        // given
        try (Connection connection = connect("reader")) {
            Session session = connection.createSession();
            Queue queue = session.createQueue("orders");
            Topic topic = session.createTopic("news");
            session.createDurableConsumer(topic, "daily", "n > 1", false).close();
            session.createSharedDurableConsumer(topic, "team").close();
            for (int i = 1; i <= 3; i++) {
                Message message = session.createTextMessage("" + i);
                message.setIntProperty("n", i);
                session.createProducer(queue).send(message);
                session.createProducer(topic).send(message);
            }
            assertThat(session.createConsumer(queue).receive(PATIENCE_MS).getBody(String.class))
                    .isEqualTo("1");
        }

        // when
        stop();
        start();

        // then
        try (Connection connection = connect("reader")) {
            Session session = connection.createSession();
            Topic topic = session.createTopic("news");
            assertBodies(session.createConsumer(session.createQueue("orders")), "2", "3");
            assertBodies(session.createDurableConsumer(topic, "daily", "n > 1", false), "2", "3");
            assertBodies(session.createSharedDurableConsumer(topic, "team"), "1", "2", "3");
        }
    }

    private static void assertBodies(MessageConsumer consumer, String... bodies) throws JMSException {
        for (String body : bodies) {
            Message message = consumer.receive(PATIENCE_MS);
            assertThat(message).isNotNull();
            assertThat(message.getBody(String.class)).isEqualTo(body);
        }
        assertThat(consumer.receive(MOMENT_MS)).isNull();
        consumer.close();
    }

    private int port() {
        return broker.endpoints().get(0).getPort();
    }

    private Connection connect(String clientId) throws JMSException {
        JmsConnectionFactory factory = new JmsConnectionFactory("amqp://127.0.0.1:" + port());
        if (clientId != null) {
            factory.setClientID(clientId);
        }
        Connection connection = factory.createConnection();
        connection.start();
        return connection;
    }

    private MqttClient mqtt() throws Exception {
        MqttClient client = new MqttClient("tcp://127.0.0.1:" + port(), "mqtt-client", new MemoryPersistence());
        client.connect();
        return client;
    }

    private static MqttMessage take(BlockingQueue<MqttMessage> from) throws InterruptedException {
        MqttMessage message = from.poll(PATIENCE_MS, TimeUnit.MILLISECONDS);
        assertThat(message).isNotNull();
        return message;
    }
}
