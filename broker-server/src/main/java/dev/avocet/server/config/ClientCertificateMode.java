package dev.avocet.server.config;

/** Whether clients show certificates. */
public enum ClientCertificateMode {
    /** They are not asked. */
    NONE("none"),
    /** They are asked, and may have none. */
    REQUEST("request"),
    /** No client comes in without. */
    REQUIRE("require");

    private final String jsonName;

    ClientCertificateMode(String jsonName) {
        this.jsonName = jsonName;
    }

    @Override
    public String toString() {
        return jsonName;
    }
}
