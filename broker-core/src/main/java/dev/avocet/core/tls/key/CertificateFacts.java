package dev.avocet.core.tls.key;

import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;

/**
 * What administrators want to know about a certificate.
 *
 * @param subject whose it is
 * @param expiry when it, or one that vouches for it, runs out
 */
public record CertificateFacts(String subject, Instant expiry) {
    /**
     * Reads a certificate and its key, and tries whether they belong together. Blocks on the disk.
     *
     * @throws TlsException when they cannot be used; the message says which and why
     */
    public static CertificateFacts of(KeySource source) throws TlsException {
        CertifiedKey certified = CertificateFiles.read(source);
        return new CertificateFacts(
                certified.certificate().getSubjectX500Principal().getName(), certified.expiry());
    }

    /**
     * Reads the first certificate of a PEM file. Blocks on the disk.
     *
     * @throws TlsException when there is none; the message says why
     */
    public static CertificateFacts of(Path file) throws TlsException {
        X509Certificate certificate = CertificateFiles.certificates(file).get(0);
        return new CertificateFacts(
                certificate.getSubjectX500Principal().getName(),
                certificate.getNotAfter().toInstant());
    }
}
