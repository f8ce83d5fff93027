package dev.avocet.core.tls.key;

import java.util.List;

/** The oldest version of TLS that is spoken. Older ones than these are broken and not offered. */
public enum TlsVersion {
    TLS_1_2("TLSv1.3 TLSv1.2"),
    TLS_1_3("TLSv1.3");

    private final String protocols;

    TlsVersion(String protocols) {
        this.protocols = protocols;
    }

    /** This one and the newer ones, as Java calls them. */
    public List<String> protocols() {
        return List.of(protocols.split(" ", -1));
    }
}
