package dev.avocet.protection;

import java.security.cert.X509Certificate;

/** The time for which a certificate is valid. */
final class Validity {
    private Validity() {}

    static boolean isValid(X509Certificate certificate, long nowMs) {
        return nowMs >= certificate.getNotBefore().getTime()
                && nowMs <= certificate.getNotAfter().getTime();
    }
}
