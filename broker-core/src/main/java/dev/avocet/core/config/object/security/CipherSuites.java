package dev.avocet.core.config.object.security;

/** Which cipher suites are offered. */
public enum CipherSuites {
    /** The strongest only. */
    BEST("Best"),
    /** Strong ones, quick ones first. */
    MEDIUM("Medium"),
    /** The quickest that are still considered safe. */
    FAST("Fast");

    private final String word;

    CipherSuites(String word) {
        this.word = word;
    }

    /** As it is written in the configuration. */
    @Override
    public String toString() {
        return word;
    }
}
