package dev.avocet.server.config;

/** Which cipher suites an endpoint with TLS takes. */
public enum Ciphers {
    /** Keys of 256 bits and forward secrecy only. */
    BEST("best"),
    /** Also keys of 128 bits; forward secrecy only. */
    MEDIUM("medium"),
    /** The quickest first, and one without forward secrecy for old clients. */
    FAST("fast");

    private final String jsonName;

    Ciphers(String jsonName) {
        this.jsonName = jsonName;
    }

    @Override
    public String toString() {
        return jsonName;
    }
}
