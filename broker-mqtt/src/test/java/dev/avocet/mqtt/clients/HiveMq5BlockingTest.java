package dev.avocet.mqtt.clients;

import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.exceptions.MqttSessionExpiredException;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient.Mqtt5Publishes;
import com.hivemq.client.mqtt.mqtt5.message.connect.Mqtt5Connect;
import com.hivemq.client.mqtt.mqtt5.message.connect.connack.Mqtt5ConnAck;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5PublishResult;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.Mqtt5Subscribe;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.suback.Mqtt5SubAck;
import java.util.function.Consumer;

/** The HiveMQ client with MQTT 5, called with blocking methods. */
class HiveMq5BlockingTest extends Client5Scenarios {
    @Override
    TestClient open(int port, ClientOptions options) {
        return new HiveMq5Client(port, options, client -> new Blocking(client.toBlocking()));
    }

    @Override
    boolean setsAliasesItself() {
        return true;
    }

    private record Blocking(Mqtt5BlockingClient client) implements HiveMq5Style {
        @Override
        public void listen(Consumer<Mqtt5Publish> consumer) {
            Mqtt5Publishes publishes = client.publishes(MqttGlobalPublishFilter.ALL);
            Thread reader = new Thread(() -> read(publishes, consumer), "hivemq-reader");
            reader.setDaemon(true);
            reader.start();
        }

        private static void read(Mqtt5Publishes publishes, Consumer<Mqtt5Publish> consumer) {
            try (publishes) {
                while (true) {
                    consumer.accept(publishes.receive());
                }
            } catch (MqttSessionExpiredException e) {
                // the end: the client has disconnected
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public Mqtt5ConnAck connect(Mqtt5Connect connect) {
            return client.connect(connect);
        }

        @Override
        public Mqtt5SubAck subscribe(Mqtt5Subscribe subscribe) {
            return client.subscribe(subscribe);
        }

        @Override
        public Mqtt5PublishResult publish(Mqtt5Publish publish) {
            return client.publish(publish);
        }

        @Override
        public void disconnect() {
            client.disconnect();
        }
    }
}
