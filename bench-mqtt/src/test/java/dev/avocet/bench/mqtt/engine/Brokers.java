package dev.avocet.bench.mqtt.engine;

import dev.avocet.core.security.admission.AnonymousAuthenticator;
import dev.avocet.core.tls.TlsContext;
import dev.avocet.mqtt.admission.MqttOptions;
import dev.avocet.mqtt.connection.MqttConnections;
import dev.avocet.mqtt.frontend.MqttFrontEnd;
import dev.avocet.mqtt.frontend.MqttWebSocketFrontEnd;
import dev.avocet.mqtt.frontend.WebSocketOptions;
import dev.avocet.testkit.TestBroker;

/** Servers to measure. */
public final class Brokers {
    private Brokers() {}

    /** One that speaks MQTT, over TCP and WebSocket. */
    public static TestBroker start() {
        return builder().start();
    }

    /** The same with TLS. */
    static TestBroker withTls(TlsContext tls) {
        return builder().tls(tls).start();
    }

    private static TestBroker.Builder builder() {
        return TestBroker.with(broker -> new MqttFrontEnd(
                        new MqttConnections(broker, MqttOptions.DEFAULT, new AnonymousAuthenticator())))
                .and(broker -> new MqttWebSocketFrontEnd(
                        new MqttConnections(broker, MqttOptions.DEFAULT, new AnonymousAuthenticator()),
                        WebSocketOptions.DEFAULT));
    }
}
