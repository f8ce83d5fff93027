package dev.avocet.core.config.object.security;

/** How it is found out whether a token of an OAuth server is good. */
public enum TokenCheck {
    /** The resource server is asked, as the reference product does it. */
    RESOURCE("Resource"),
    /** The token is a signed JWT, which the broker checks itself by the public keys of the server. */
    KEY_SET("KeySet"),
    /** The server is asked about the token (RFC 7662). */
    INTROSPECTION("Introspection");

    private final String word;

    TokenCheck(String word) {
        this.word = word;
    }

    /** As it is written in the configuration. */
    @Override
    public String toString() {
        return word;
    }
}
