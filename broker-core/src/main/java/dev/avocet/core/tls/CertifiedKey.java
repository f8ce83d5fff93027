package dev.avocet.core.tls;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

/** A key and the certificates that vouch for it, its own first. */
record CertifiedKey(PrivateKey key, List<X509Certificate> chain) {
    X509Certificate certificate() {
        return chain.get(0);
    }
}
