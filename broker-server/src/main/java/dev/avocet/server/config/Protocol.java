package dev.avocet.server.config;

/** What an endpoint speaks. */
public enum Protocol {
    /** MQTT straight over TCP. */
    MQTT("mqtt"),
    /** MQTT in WebSocket binary frames. */
    WEBSOCKET("websocket"),
    /** AMQP 1.0, as JMS clients speak it. */
    AMQP("amqp");

    private final String jsonName;

    Protocol(String jsonName) {
        this.jsonName = jsonName;
    }

    @Override
    public String toString() {
        return jsonName;
    }
}
