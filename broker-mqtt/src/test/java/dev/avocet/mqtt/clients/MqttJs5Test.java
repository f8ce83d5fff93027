package dev.avocet.mqtt.clients;

import dev.avocet.testkit.turn.InTurn;
import java.util.Map;

/** MQTT.js with MQTT 5. */
@InTurn
class MqttJs5Test extends Client5Scenarios {
    @Override
    TestClient open(int port, ClientOptions options) {
        return new LineClient(ForeignClients.node(), Map.of("NODE_PATH", ForeignClients.nodePath()), port, 5, options);
    }
}
