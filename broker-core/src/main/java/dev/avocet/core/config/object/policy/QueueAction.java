package dev.avocet.core.config.object.policy;

/** What a queue policy allows. */
public enum QueueAction {
    /** To send. */
    SEND("Send"),
    /** To receive. */
    RECEIVE("Receive"),
    /** To look at messages without taking them. */
    BROWSE("Browse"),
    /** To have a queue made, if it is not there, by sending to it, receiving from it or browsing it. */
    CREATE("Create");

    private final String word;

    QueueAction(String word) {
        this.word = word;
    }

    /** As it is written in the configuration. */
    @Override
    public String toString() {
        return word;
    }
}
