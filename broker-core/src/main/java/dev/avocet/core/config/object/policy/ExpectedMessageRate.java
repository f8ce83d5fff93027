package dev.avocet.core.config.object.policy;

/** How big a client is; sizes its windows and buffers. */
public enum ExpectedMessageRate {
    /** A device that says little. */
    LOW("Low"),
    /** The ordinary. */
    DEFAULT("Default"),
    /** Thousands of messages per second. */
    HIGH("High"),
    /** As many as the protocol has room for. */
    MAX("Max");

    private final String word;

    ExpectedMessageRate(String word) {
        this.word = word;
    }

    /** As it is written in the configuration. */
    @Override
    public String toString() {
        return word;
    }
}
