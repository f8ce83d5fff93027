package dev.avocet.core.tls.status;

import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is known about the revocation of a certificate.
 *
 * @param kind good, revoked or unknown
 * @param since when the responder found that; the beginning of time where none has said anything
 * @param until when a newer answer is there; null when no one has said
 * @param isAnswered whether a responder has said it
 * @param reason why it is unknown, or which certificate is revoked by whose word
 */
record CertificateStatus(
        OcspAnswer.Status kind, Instant since, @Nullable Instant until, boolean isAnswered, String reason) {
    static CertificateStatus unknown(String reason) {
        return new CertificateStatus(OcspAnswer.Status.UNKNOWN, Instant.EPOCH, null, false, reason);
    }

    boolean isGood() {
        return kind == OcspAnswer.Status.GOOD;
    }

    boolean isRevoked() {
        return kind == OcspAnswer.Status.REVOKED;
    }

    /** Why the client is refused. */
    CertificateException problem(X509Certificate certificate) {
        String subject = certificate.getSubjectX500Principal().toString();
        return isRevoked()
                ? new CertificateException("its authority has revoked the certificate of " + reason)
                : new CertificateException("it is not known whether the certificate of " + subject
                        + " is revoked (set AcceptUnknownStatus in the OCSPProfile to take such clients): " + reason);
    }
}
