package dev.avocet.core.config.object.security;

import java.util.List;

/** The oldest version of TLS that is asked for. */
public enum TlsVersion {
    /** TLS 1.0, which is broken and never spoken. */
    TLS_1_0("TLSv1", "TLSv1.3", "TLSv1.2"),
    /** TLS 1.1, which is broken and never spoken. */
    TLS_1_1("TLSv1.1", "TLSv1.3", "TLSv1.2"),
    /** TLS 1.2. */
    TLS_1_2("TLSv1.2", "TLSv1.3", "TLSv1.2"),
    /** TLS 1.3. */
    TLS_1_3("TLSv1.3", "TLSv1.3");

    private final String word;
    private final List<String> protocols;

    TlsVersion(String word, String... protocols) {
        this.word = word;
        this.protocols = List.of(protocols);
    }

    /** What is spoken when this is the oldest version, as Java names it, the newest first. */
    public List<String> protocols() {
        return protocols;
    }

    /** Whether it is too weak to be spoken. */
    public boolean isBroken() {
        return !protocols.contains(word);
    }

    /** As it is written in the configuration. */
    @Override
    public String toString() {
        return word;
    }
}
