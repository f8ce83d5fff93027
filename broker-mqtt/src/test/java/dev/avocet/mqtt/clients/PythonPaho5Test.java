package dev.avocet.mqtt.clients;

import dev.avocet.testkit.turn.InTurn;
import java.util.Map;

/** Paho for Python with MQTT 5. */
@InTurn
class PythonPaho5Test extends Client5Scenarios {
    @Override
    TestClient open(int port, ClientOptions options) {
        return new LineClient(ForeignClients.python(), Map.of(), port, 5, options);
    }

    @Override
    boolean hearsPubRec() {
        return false;
    }
}
