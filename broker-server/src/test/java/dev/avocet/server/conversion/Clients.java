package dev.avocet.server.conversion;

import static org.assertj.core.api.Assertions.assertThat;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient.Mqtt5Publishes;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5PublishBuilder;
import dev.avocet.jms.AvocetConnectionFactory;
import dev.avocet.server.broker.OneBroker;
import dev.avocet.server.broker.RunningBroker;
import dev.avocet.server.config.ConfigurationFile;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** A broker, a client of MQTT 5 and one of JMS. */
final class Clients implements AutoCloseable {
    static final long PATIENCE_MS = 20_000;

    private final RunningBroker broker;
    private final Mqtt5BlockingClient mqtt;
    private final Mqtt5Publishes published;
    private final JMSContext jms;
    private final AtomicInteger topics = new AtomicInteger();

    Clients(Path data) throws Exception {
        broker = OneBroker.start(
                ConfigurationFile.parse("{\"ioThreads\": 2, \"store\": {\"mode\": \"memory\"},"
                        + " \"endpoints\": [{\"name\": \"all\", \"host\": \"127.0.0.1\", \"port\": 0}]}"),
                data,
                failure -> {});
        mqtt = MqttClient.builder()
                .useMqttVersion5()
                .identifier("conversion")
                .serverHost("127.0.0.1")
                .serverPort(port())
                .buildBlocking();
        mqtt.connectWith()
                .restrictions()
                .topicAliasMaximum(8)
                .sendTopicAliasMaximum(8)
                .applyRestrictions()
                .send();
        published = mqtt.publishes(MqttGlobalPublishFilter.ALL);
        jms = new AvocetConnectionFactory(url()).createContext();
    }

    int port() {
        return broker.endpoints().get(0).getPort();
    }

    String url() {
        return "avocet://127.0.0.1:" + port() + "?trustedClasses=java.";
    }

    JMSContext jms() {
        return jms;
    }

    Mqtt5BlockingClient mqtt() {
        return mqtt;
    }

    /** One that nobody has used. */
    String newTopic() {
        return "conversion/" + topics.incrementAndGet();
    }

    void publish(String topic, UnaryOperator<Mqtt5PublishBuilder.Complete> as) {
        mqtt.publish(as.apply(Mqtt5Publish.builder().topic(topic).qos(MqttQos.AT_LEAST_ONCE))
                .build());
    }

    /** The next message of all that the client of MQTT has subscribed to. */
    Mqtt5Publish published() throws InterruptedException {
        return published.receive(PATIENCE_MS, TimeUnit.MILLISECONDS).orElseThrow();
    }

    void subscribe(String filter, MqttQos qos) {
        mqtt.subscribeWith()
                .topicFilter(filter)
                .qos(qos)
                .retainAsPublished(true)
                .send();
    }

    static Message received(JMSConsumer consumer) {
        Message message = consumer.receive(PATIENCE_MS);
        assertThat(message).isNotNull();
        return message;
    }

    @Override
    public void close() {
        jms.close();
        published.close();
        mqtt.disconnect();
        broker.close();
    }
}
