package dev.avocet.server.certificates;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayInputStream;
import java.security.cert.CRLException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.Date;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What an uploaded file is, as far as administrators may see it: nothing of a key or of a pre-shared key is in it.
 * Immutable.
 *
 * @param kind what it holds
 * @param count how many certificates, revoked certificates or identities; 0 where that says nothing
 * @param subject whose the first certificate is; empty for others
 * @param issuer who vouches for it, or has made the list; empty for others
 * @param expiry when the first of its certificates runs out, or when a newer list is due; null for others
 * @param problem why it cannot be read as what it seems to be; empty when it can
 */
public record FileFacts(
        Kind kind,
        int count,
        String subject,
        String issuer,
        @Nullable Instant expiry,
        String problem) {
    /** What a file holds. */
    public enum Kind {
        CERTIFICATE("Certificate"),
        KEY("Key"),
        REVOCATION_LIST("RevocationList"),
        PRE_SHARED_KEYS("PreSharedKeys"),
        KEY_SET("KeySet"),
        OTHER("Other");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        /** As it is written. */
        @Override
        public String toString() {
            return word;
        }
    }

    private static final byte DER_SEQUENCE = 0x30;
    private static final Pattern SHARED_KEY = Pattern.compile("[^,\\s][^\\r\\n]*,\\s*[0-9A-Fa-f]{8,512}");
    private static final Pattern KEY_SET = Pattern.compile("(?s)\\s*\\{.*\"keys\"\\s*:\\s*\\[.*");

    /** Reads the bytes of a file. */
    static FileFacts of(byte[] bytes) {
        String text = new String(bytes, ISO_8859_1);
        if (text.contains("-----BEGIN X509 CRL-----")) {
            return list(bytes);
        }
        if (text.contains("-----BEGIN CERTIFICATE-----") || text.contains("-----BEGIN TRUSTED CERTIFICATE-----")) {
            return certificate(bytes);
        }
        if (text.contains("PRIVATE KEY-----")) {
            return plain(Kind.KEY, 0);
        }
        if (bytes.length > 0 && bytes[0] == DER_SEQUENCE) {
            FileFacts certificate = certificate(bytes);
            FileFacts list = certificate.problem().isEmpty() ? certificate : list(bytes);
            return list.problem().isEmpty() ? list : plain(Kind.OTHER, 0);
        }
        if (KEY_SET.matcher(text).matches()) {
            return plain(Kind.KEY_SET, 0);
        }
        List<String> lines = text.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .toList();
        boolean isShared = !lines.isEmpty()
                && lines.stream().allMatch(line -> SHARED_KEY.matcher(line).matches());
        return isShared ? plain(Kind.PRE_SHARED_KEYS, lines.size()) : plain(Kind.OTHER, 0);
    }

    private static FileFacts plain(Kind kind, int count) {
        return new FileFacts(kind, count, "", "", null, "");
    }

    private static FileFacts unreadable(Kind kind, Exception e) {
        return new FileFacts(kind, 0, "", "", null, "cannot be read: " + e.getMessage());
    }

    private static FileFacts certificate(byte[] bytes) {
        try {
            Collection<X509Certificate> read = factory().generateCertificates(new ByteArrayInputStream(bytes)).stream()
                    .map(X509Certificate.class::cast)
                    .toList();
            if (read.isEmpty()) {
                throw new CertificateException("it holds no certificate");
            }
            X509Certificate first = read.iterator().next();
            Instant expiry = read.stream()
                    .map(each -> each.getNotAfter().toInstant())
                    .min(Comparator.naturalOrder())
                    .orElseThrow();
            return new FileFacts(
                    Kind.CERTIFICATE,
                    read.size(),
                    first.getSubjectX500Principal().getName(),
                    first.getIssuerX500Principal().getName(),
                    expiry,
                    "");
        } catch (CertificateException e) {
            return unreadable(Kind.CERTIFICATE, e);
        }
    }

    private static FileFacts list(byte[] bytes) {
        try {
            List<X509CRL> read = factory().generateCRLs(new ByteArrayInputStream(bytes)).stream()
                    .map(X509CRL.class::cast)
                    .toList();
            if (read.isEmpty()) {
                throw new CRLException("it holds no list");
            }
            int revoked = read.stream()
                    .map(X509CRL::getRevokedCertificates)
                    .filter(Objects::nonNull)
                    .mapToInt(Collection::size)
                    .sum();
            Instant due = read.stream()
                    .map(X509CRL::getNextUpdate)
                    .filter(Objects::nonNull)
                    .map(Date::toInstant)
                    .min(Comparator.naturalOrder())
                    .orElse(null);
            String issuer = read.get(0).getIssuerX500Principal().getName();
            return new FileFacts(Kind.REVOCATION_LIST, revoked, "", issuer, due, "");
        } catch (CRLException | CertificateException e) {
            return unreadable(Kind.REVOCATION_LIST, e);
        }
    }

    private static CertificateFactory factory() throws CertificateException {
        return CertificateFactory.getInstance("X.509");
    }
}
