package dev.avocet.mqtt.clients;

import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.mqtt5.Mqtt5RxClient;
import com.hivemq.client.mqtt.mqtt5.message.connect.Mqtt5Connect;
import com.hivemq.client.mqtt.mqtt5.message.connect.connack.Mqtt5ConnAck;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5PublishResult;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.Mqtt5Subscribe;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.suback.Mqtt5SubAck;
import io.reactivex.Flowable;
import io.reactivex.disposables.Disposable;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The HiveMQ client with MQTT 5, called with reactive streams. */
class HiveMq5ReactiveTest extends Client5Scenarios {
    @Override
    TestClient open(int port, ClientOptions options) {
        return new HiveMq5Client(port, options, client -> new Reactive(client.toRx()));
    }

    @Override
    boolean setsAliasesItself() {
        return true;
    }

    private record Reactive(Mqtt5RxClient client) implements HiveMq5Style {
        @Override
        public void listen(Consumer<Mqtt5Publish> consumer) {
            Disposable untilTheSessionEnds = client.publishes(MqttGlobalPublishFilter.ALL)
                    .onErrorResumeNext(Flowable.<Mqtt5Publish>empty()) // the end: the client has disconnected
                    .subscribe(consumer::accept);
            assert !untilTheSessionEnds.isDisposed();
        }

        @Override
        public Mqtt5ConnAck connect(Mqtt5Connect connect) {
            return client.connect(connect)
                    .timeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
                    .blockingGet();
        }

        @Override
        public Mqtt5SubAck subscribe(Mqtt5Subscribe subscribe) {
            return client.subscribe(subscribe)
                    .timeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
                    .blockingGet();
        }

        @Override
        public Mqtt5PublishResult publish(Mqtt5Publish publish) {
            return client.publish(Flowable.just(publish))
                    .timeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
                    .blockingSingle();
        }

        @Override
        public void disconnect() {
            client.disconnect().timeout(PATIENCE_SECONDS, TimeUnit.SECONDS).blockingAwait();
        }
    }
}
