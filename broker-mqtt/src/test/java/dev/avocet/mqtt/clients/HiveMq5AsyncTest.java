package dev.avocet.mqtt.clients;

import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.message.connect.Mqtt5Connect;
import com.hivemq.client.mqtt.mqtt5.message.connect.connack.Mqtt5ConnAck;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5PublishResult;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.Mqtt5Subscribe;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.suback.Mqtt5SubAck;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The HiveMQ client with MQTT 5, called with futures. */
class HiveMq5AsyncTest extends Client5Scenarios {
    @Override
    TestClient open(int port, ClientOptions options) {
        return new HiveMq5Client(port, options, client -> new Async(client.toAsync()));
    }

    @Override
    boolean setsAliasesItself() {
        return true;
    }

    private record Async(Mqtt5AsyncClient client) implements HiveMq5Style {
        @Override
        public void listen(Consumer<Mqtt5Publish> consumer) {
            client.publishes(MqttGlobalPublishFilter.ALL, consumer);
        }

        @Override
        public Mqtt5ConnAck connect(Mqtt5Connect connect) {
            return await(client.connect(connect));
        }

        @Override
        public Mqtt5SubAck subscribe(Mqtt5Subscribe subscribe) {
            return await(client.subscribe(subscribe));
        }

        @Override
        public Mqtt5PublishResult publish(Mqtt5Publish publish) {
            return await(client.publish(publish));
        }

        @Override
        public void disconnect() {
            await(client.disconnect());
        }

        private static <T> T await(CompletableFuture<T> future) {
            try {
                return future.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
            } catch (CompletionException e) {
                if (e.getCause() instanceof RuntimeException cause) {
                    throw cause;
                }
                throw e;
            }
        }
    }
}
