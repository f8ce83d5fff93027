package dev.avocet.protection;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;

/**
 * What a policy asks of the messages of a destination. Immutable.
 *
 * @param policy the name of the policy, for messages to people
 * @param level what is asked for; an envelope of another level is refused
 * @param digest the digest of signatures
 * @param cipher the cipher of contents
 * @param signers subject names (RFC 4514) of those who may sign; empty: each that is trusted
 * @param recipients subject names of those who can read; not empty where the level encrypts
 * @param messagesPerKey with {@link ProtectionLevel#CONFIDENTIALITY}, messages that one key seals at most; from 1
 * @param keyLifetime how long one key seals messages
 */
public record ProtectionTerms(
        String policy,
        ProtectionLevel level,
        Digest digest,
        Cipher cipher,
        List<String> signers,
        List<String> recipients,
        int messagesPerKey,
        Duration keyLifetime) {
    /** @throws IllegalArgumentException when a name is none, or the parts do not fit together */
    public ProtectionTerms {
        signers = List.copyOf(signers);
        recipients = List.copyOf(recipients);
        signers.forEach(SubjectName::canonical);
        recipients.forEach(SubjectName::canonical);
        if (level.encrypts() && recipients.isEmpty()) {
            throw new IllegalArgumentException(
                    "protection policy " + policy + " asks for " + level.title() + " and names no recipients");
        }
        if (messagesPerKey < 1 || keyLifetime.isNegative() || keyLifetime.isZero()) {
            throw new IllegalArgumentException("a key seals at least one message, for longer than no time");
        }
    }

    /** @throws ProtectionException when a certificate is not among those that may sign */
    void checkSigner(X509Certificate certificate) throws ProtectionException {
        String subject = SubjectName.canonical(certificate);
        if (!signers.isEmpty() && signers.stream().map(SubjectName::canonical).noneMatch(subject::equals)) {
            throw new ProtectionException(
                    ProtectionException.Reason.WRONG_SIGNER,
                    "protection policy " + policy + " does not name '" + SubjectName.of(certificate)
                            + "' among its signers");
        }
    }

    /** Digests of signatures. */
    public enum Digest {
        SHA256("SHA-256", "SHA256"),
        SHA384("SHA-384", "SHA384"),
        SHA512("SHA-512", "SHA512");

        private final String title;
        private final String prefix;

        Digest(String title, String prefix) {
            this.title = title;
            this.prefix = prefix;
        }

        /** Its name in policies. */
        public String title() {
            return title;
        }

        /** What the name of a signature algorithm begins with. */
        String prefix() {
            return prefix;
        }

        /** Its {@link #title}. */
        @Override
        public String toString() {
            return title;
        }

        /** @throws IllegalArgumentException naming those that there are */
        public static Digest of(String title) {
            for (Digest digest : values()) {
                if (digest.title.equalsIgnoreCase(title)) {
                    return digest;
                }
            }
            throw new IllegalArgumentException("there is no digest " + title + "; write SHA-256, SHA-384 or SHA-512");
        }
    }

    /** Ciphers of contents. */
    public enum Cipher {
        AES128_GCM("AES-128-GCM", 16),
        AES256_GCM("AES-256-GCM", 32);

        private final String title;
        private final int keyBytes;

        Cipher(String title, int keyBytes) {
            this.title = title;
            this.keyBytes = keyBytes;
        }

        /** Its name in policies. */
        public String title() {
            return title;
        }

        int keyBytes() {
            return keyBytes;
        }

        /** Its {@link #title}. */
        @Override
        public String toString() {
            return title;
        }

        /** @throws IllegalArgumentException naming those that there are */
        public static Cipher of(String title) {
            for (Cipher cipher : values()) {
                if (cipher.title.equalsIgnoreCase(title)) {
                    return cipher;
                }
            }
            throw new IllegalArgumentException("there is no cipher " + title + "; write AES-128-GCM or AES-256-GCM");
        }
    }
}
