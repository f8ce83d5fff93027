package dev.avocet.core.config.object.security;

/** The two forms of LTPA tokens. */
public enum LtpaVersion {
    /** {@code LtpaToken2}: AES-128 and a signature over the name and the end. */
    TWO("LtpaToken2"),
    /** {@code LtpaToken}: Triple DES in blocks that can be exchanged, and a signature over the name alone. */
    ONE("LtpaToken");

    private final String word;

    LtpaVersion(String word) {
        this.word = word;
    }

    /** As it is written in the configuration, which is the name of the cookie too. */
    @Override
    public String toString() {
        return word;
    }
}
