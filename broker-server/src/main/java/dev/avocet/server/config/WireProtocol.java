package dev.avocet.server.config;

/**
 * What the bytes of a connection may be; one endpoint tells them apart by the first ones. Policies know MQTT, over TCP
 * or WebSocket, and JMS: {@link dev.avocet.core.config.object.field.Protocol}.
 */
public enum WireProtocol {
    /** MQTT straight over TCP. */
    MQTT("mqtt"),
    /** MQTT in WebSocket binary frames. */
    WEBSOCKET("websocket"),
    /** AMQP 1.0, as JMS clients speak it. */
    AMQP("amqp");

    private final String jsonName;

    WireProtocol(String jsonName) {
        this.jsonName = jsonName;
    }

    @Override
    public String toString() {
        return jsonName;
    }
}
