package dev.avocet.core.config.object.security;

/** How the certificate of another server is checked. */
public enum ServerCheck {
    /** Not at all: any certificate is accepted. */
    DISABLE_VERIFY("DisableVerify"),
    /** By the uploaded certificate. */
    TRUST_STORE("TrustStore"),
    /** By the authorities that the Java runtime trusts. */
    PUBLIC_TRUST("PublicTrust");

    private final String word;

    ServerCheck(String word) {
        this.word = word;
    }

    /** As it is written in the configuration. */
    @Override
    public String toString() {
        return word;
    }
}
