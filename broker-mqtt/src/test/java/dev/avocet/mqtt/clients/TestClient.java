package dev.avocet.mqtt.clients;

import java.util.Map;

/** A client that is connected; drives somebody else's library. All calls wait for the broker's answer. */
interface TestClient extends AutoCloseable {
    /** Whether the broker said in CONNACK that the session was present. */
    boolean sessionPresent();

    /** The code of SUBACK, 0 to 2 or an error. */
    int subscribe(String filter, int qos);

    /**
     * Publishes, and returns the reason code of PUBACK or PUBREC; 0 where there is none.
     *
     * @param topic may be empty when a topic alias is given
     * @param properties as {@link Received#properties}, and {@code topicAlias}
     */
    int publish(String topic, int qos, boolean retain, String payload, Map<String, String> properties);

    default int publish(String topic, int qos, String payload) {
        return publish(topic, qos, false, payload, Map.of());
    }

    /** The next message; fails when none comes in ten seconds. */
    Received receive();

    /** True when no message has come so far that was not received. */
    boolean isIdle();

    void disconnect();

    /** Ends the client without ceremony, whatever its state. Never fails. */
    @Override
    void close();
}
