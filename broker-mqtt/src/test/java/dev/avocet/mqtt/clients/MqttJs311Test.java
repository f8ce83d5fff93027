package dev.avocet.mqtt.clients;

import dev.avocet.testkit.turn.InTurn;
import java.util.Map;

/** MQTT.js with MQTT 3.1.1. */
@InTurn
class MqttJs311Test extends ClientScenarios {
    @Override
    TestClient open(int port, ClientOptions options) {
        return new LineClient(ForeignClients.node(), Map.of("NODE_PATH", ForeignClients.nodePath()), port, 4, options);
    }
}
