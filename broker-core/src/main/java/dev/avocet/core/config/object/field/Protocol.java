package dev.avocet.core.config.object.field;

/** What clients speak. */
public enum Protocol {
    /** AMQP 1.0, as JMS clients speak it. */
    JMS("JMS"),
    /** MQTT over TCP and WebSocket. */
    MQTT("MQTT");

    private final String word;

    Protocol(String word) {
        this.word = word;
    }

    /** As it is written in the configuration. */
    @Override
    public String toString() {
        return word;
    }
}
