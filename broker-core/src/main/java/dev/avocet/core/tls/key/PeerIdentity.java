package dev.avocet.core.tls.key;

import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;

/**
 * What a process shows to others of its kind, and what it takes from them.
 *
 * @param key its own
 * @param chain certificates that vouch for the key, its own first
 * @param trusted certificates of authorities, or of the others themselves
 */
public record PeerIdentity(PrivateKey key, List<X509Certificate> chain, List<X509Certificate> trusted) {
    /**
     * Reads the files, and tries whether key and certificate belong together. Blocks on the disk.
     *
     * @param trust PEM files
     * @throws TlsException when they cannot be used; the message says which and why
     */
    public static PeerIdentity read(KeySource source, List<Path> trust) throws TlsException {
        CertifiedKey certified = CertificateFiles.read(source);
        return new PeerIdentity(certified.key(), certified.chain(), CertificateFiles.certificates(trust));
    }

    /** When the process's certificate, or one that vouches for it, runs out. */
    public Instant expiry() {
        return new CertifiedKey(key, chain).expiry();
    }

    /** Shows no key. */
    @Override
    public String toString() {
        return "PeerIdentity[" + chain.get(0).getSubjectX500Principal() + "]";
    }
}
