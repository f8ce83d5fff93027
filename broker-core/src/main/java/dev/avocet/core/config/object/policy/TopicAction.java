package dev.avocet.core.config.object.policy;

/** What a topic policy allows. */
public enum TopicAction {
    /** To publish. */
    PUBLISH("Publish"),
    /** To subscribe. */
    SUBSCRIBE("Subscribe");

    private final String word;

    TopicAction(String word) {
        this.word = word;
    }

    /** As it is written in the configuration. */
    @Override
    public String toString() {
        return word;
    }
}
