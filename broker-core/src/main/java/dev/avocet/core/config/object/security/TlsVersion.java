package dev.avocet.core.config.object.security;

import java.util.List;

/** The oldest version of TLS that is asked for. */
public enum TlsVersion {
    /** TLS 1.0, which is broken and never spoken. */
    TLS_1_0("TLSv1"),
    /** TLS 1.1, which is broken and never spoken. */
    TLS_1_1("TLSv1.1"),
    /** TLS 1.2. */
    TLS_1_2("TLSv1.2"),
    /** TLS 1.3. */
    TLS_1_3("TLSv1.3");

    private final String word;

    TlsVersion(String word) {
        this.word = word;
    }

    /** What is spoken when this is the oldest version, as Java names it, the newest first. */
    public List<String> protocols() {
        return this == TLS_1_3 ? List.of(TLS_1_3.word) : List.of(TLS_1_3.word, TLS_1_2.word);
    }

    /** Whether it is too weak to be spoken. */
    public boolean isBroken() {
        return this == TLS_1_0 || this == TLS_1_1;
    }

    /** As it is written in the configuration. */
    @Override
    public String toString() {
        return word;
    }
}
