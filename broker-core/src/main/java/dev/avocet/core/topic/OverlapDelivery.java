package dev.avocet.core.topic;

/** What a client gets whose subscriptions overlap; MQTT leaves the choice [MQTT-3.3.4-2]. */
public enum OverlapDelivery {
    /** One copy, at the highest quality of service, with every matching subscription identifier. */
    ONCE("once"),
    /** One copy for each matching subscription, each with its own quality of service and identifier. */
    EACH("each");

    private final String word;

    OverlapDelivery(String word) {
        this.word = word;
    }

    /** As it is written in the configuration. */
    @Override
    public String toString() {
        return word;
    }
}
