package dev.avocet.server.config;

/** How often a client gets a message that several of its subscriptions match; MQTT leaves the choice [MQTT-3.3.4-2]. */
public enum OverlappingDelivery {
    /** Once, with the highest quality of service among them. */
    ONCE("once"),
    /** Once for each of them. */
    EACH("each");

    private final String jsonName;

    OverlappingDelivery(String jsonName) {
        this.jsonName = jsonName;
    }

    @Override
    public String toString() {
        return jsonName;
    }
}
