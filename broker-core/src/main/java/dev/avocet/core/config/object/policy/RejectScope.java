package dev.avocet.core.config.object.policy;

/** Whom it concerns that a subscriber is full. */
public enum RejectScope {
    /** The publish is refused as a whole, and no subscriber gets the message. */
    EVERYBODY("Everybody"),
    /** The full subscriber goes without it, everybody else gets it, and the publish succeeds. */
    FULL_SUBSCRIBER("FullSubscriber");

    private final String word;

    RejectScope(String word) {
        this.word = word;
    }

    /** As it is written in the configuration. */
    @Override
    public String toString() {
        return word;
    }
}
