package dev.avocet.mqtt.testing;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.frontend.FrontEnd;
import dev.avocet.core.security.admission.AnonymousAuthenticator;
import dev.avocet.core.security.login.Authenticator;
import dev.avocet.mqtt.admission.MqttOptions;
import dev.avocet.mqtt.connection.MqttConnections;
import dev.avocet.mqtt.frontend.MqttFrontEnd;
import dev.avocet.mqtt.frontend.MqttWebSocketFrontEnd;
import dev.avocet.mqtt.frontend.WebSocketOptions;
import dev.avocet.testkit.TestBroker;
import java.util.function.Function;

/** Test brokers that speak MQTT. */
public final class MqttTestBroker {
    private MqttTestBroker() {}

    /** One with the defaults. */
    public static TestBroker start() {
        return TestBroker.with(mqtt(MqttOptions.DEFAULT)).start();
    }

    public static Function<Broker, FrontEnd> mqtt() {
        return mqtt(MqttOptions.DEFAULT);
    }

    /** MQTT over WebSocket. */
    public static Function<Broker, FrontEnd> webSocket(WebSocketOptions options) {
        return broker -> new MqttWebSocketFrontEnd(
                new MqttConnections(broker, MqttOptions.DEFAULT, new AnonymousAuthenticator()), options);
    }

    public static Function<Broker, FrontEnd> mqtt(MqttOptions options) {
        return mqtt(options, new AnonymousAuthenticator());
    }

    public static Function<Broker, FrontEnd> mqtt(MqttOptions options, Authenticator authenticator) {
        return broker -> new MqttFrontEnd(new MqttConnections(broker, options, authenticator));
    }
}
