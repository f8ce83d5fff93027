package dev.avocet.mqtt.clients;

import java.util.Map;

/** Paho for Python with MQTT 3.1. */
class PythonPaho31Test extends ClientScenarios {
    @Override
    TestClient open(int port, ClientOptions options) {
        return new LineClient(ForeignClients.python(), Map.of(), port, 3, options);
    }

    @Override
    boolean hearsSessionPresent() {
        return false;
    }
}
