package dev.avocet.server.config;

/** Where clients may connect without saying who they are. */
public enum AnonymousAccess {
    /** On endpoints that only this machine can reach, and on those that ask for it with {@code allowInsecure}. */
    ON_LOOPBACK("onLoopback"),
    /** Everywhere. */
    ALWAYS("always"),
    /** Nowhere. */
    NEVER("never");

    private final String jsonName;

    AnonymousAccess(String jsonName) {
        this.jsonName = jsonName;
    }

    @Override
    public String toString() {
        return jsonName;
    }
}
