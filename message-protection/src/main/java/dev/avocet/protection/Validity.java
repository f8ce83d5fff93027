package dev.avocet.protection;

import java.security.cert.X509Certificate;
import java.time.Instant;

/** The time for which a certificate is valid. */
final class Validity {
    private Validity() {}

    static boolean isValid(X509Certificate certificate, long nowMs) {
        Instant now = Instant.ofEpochMilli(nowMs);
        return !now.isBefore(certificate.getNotBefore().toInstant())
                && !now.isAfter(certificate.getNotAfter().toInstant());
    }
}
