package dev.avocet.core.tls;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;

/** A key and the certificates that vouch for it, its own first. */
record CertifiedKey(PrivateKey key, List<X509Certificate> chain) {
    X509Certificate certificate() {
        return chain.get(0);
    }

    /** When the first of them runs out. */
    Instant expiry() {
        return chain.stream()
                .map(each -> each.getNotAfter().toInstant())
                .min(Instant::compareTo)
                .orElseThrow();
    }
}
