package dev.avocet.core.config.object.security;

/** The algorithms by which tokens may be signed, all of them with a public key (RFC 7518, RFC 8037). */
public enum TokenAlgorithm {
    RS256("RS256"),
    RS384("RS384"),
    RS512("RS512"),
    PS256("PS256"),
    PS384("PS384"),
    PS512("PS512"),
    ES256("ES256"),
    ES384("ES384"),
    ES512("ES512"),
    /** With the curve Ed25519. */
    ED_DSA("EdDSA");

    private final String word;

    TokenAlgorithm(String word) {
        this.word = word;
    }

    /** As it is written in the configuration and in tokens. */
    @Override
    public String toString() {
        return word;
    }
}
