package dev.avocet.core.config.object.server;

/** How much is written to a log. */
public enum LogDetail {
    /** Errors and what an administrator must know. */
    MIN("MIN"),
    /** What an administrator wants to know. */
    NORMAL("NORMAL"),
    /** Everything. */
    MAX("MAX");

    private final String word;

    LogDetail(String word) {
        this.word = word;
    }

    /** As it is written in the configuration. */
    @Override
    public String toString() {
        return word;
    }
}
