package dev.avocet.server.config;

/** The oldest version of TLS that an endpoint speaks. */
public enum MinimumProtocol {
    /** TLS 1.2 and 1.3. */
    TLS_1_2("TLSv1.2"),
    /** TLS 1.3 only. */
    TLS_1_3("TLSv1.3");

    private final String jsonName;

    MinimumProtocol(String jsonName) {
        this.jsonName = jsonName;
    }

    @Override
    public String toString() {
        return jsonName;
    }
}
