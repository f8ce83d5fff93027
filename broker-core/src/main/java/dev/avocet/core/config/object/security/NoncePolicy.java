package dev.avocet.core.config.object.security;

/** Whether OCSP requests have a random value that the answer must repeat. */
public enum NoncePolicy {
    /** They have none. */
    NEVER("Never"),
    /** They have one; answers without are taken. */
    OPTIONAL("Optional"),
    /** They have one; answers without are not taken. */
    REQUIRED("Required");

    private final String word;

    NoncePolicy(String word) {
        this.word = word;
    }

    /** As it is written in the configuration. */
    @Override
    public String toString() {
        return word;
    }
}
