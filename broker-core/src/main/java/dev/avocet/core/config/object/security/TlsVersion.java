package dev.avocet.core.config.object.security;

/** A version of TLS. */
public enum TlsVersion {
    /** TLS 1.0, which is broken. */
    TLS_1_0("TLSv1"),
    /** TLS 1.1, which is broken. */
    TLS_1_1("TLSv1.1"),
    /** TLS 1.2. */
    TLS_1_2("TLSv1.2"),
    /** TLS 1.3. */
    TLS_1_3("TLSv1.3");

    private final String word;

    TlsVersion(String word) {
        this.word = word;
    }

    /** As it is written in the configuration. */
    @Override
    public String toString() {
        return word;
    }
}
