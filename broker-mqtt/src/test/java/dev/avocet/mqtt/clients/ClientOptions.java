package dev.avocet.mqtt.clients;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a client is to connect.
 *
 * @param willTopic where its will goes, at QoS 1 with the payload {@code gone}; null for none
 * @param properties of MQTT 5: {@code sessionExpirySeconds}, {@code receiveMaximum}, {@code topicAliasMaximum}
 */
record ClientOptions(
        String clientId, boolean clean, @Nullable String willTopic, Map<String, String> properties) {
    static ClientOptions clean(String clientId) {
        return new ClientOptions(clientId, true, null, Map.of());
    }

    /** A session that outlives its connection by an hour, or in MQTT 3 for good. */
    static ClientOptions persistent(String clientId) {
        return new ClientOptions(clientId, false, null, Map.of("sessionExpirySeconds", "3600"));
    }

    ClientOptions withWill(String topic) {
        return new ClientOptions(clientId, clean, topic, properties);
    }

    ClientOptions with(String property, int value) {
        return new ClientOptions(clientId, clean, willTopic, Map.of(property, Integer.toString(value)));
    }

    /** A property's value, or null. */
    @Nullable Integer number(String property) {
        String value = properties.get(property);
        return value == null ? null : Integer.valueOf(value);
    }
}
