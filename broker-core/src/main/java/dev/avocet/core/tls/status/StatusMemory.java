package dev.avocet.core.tls.status;

import dev.avocet.core.time.Clock;
import java.math.BigInteger;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Answers about certificates, each until it is over. A certificate that was revoked stays so until a newer answer says
 * something else: silence makes nothing good again. Thread-safe.
 */
final class StatusMemory {
    /** Some 40 MB. */
    private static final int CAPACITY = 100_000;
    /** So long a responder that has not answered is not asked again about the same certificate. */
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(5);
    /** A responder that says nothing of the next answer, or that it is at hand, is not asked all the time. */
    private static final Duration LEAST = Duration.ofSeconds(1);

    private final Duration interval;
    private final Clock clock;
    private final Map<Fingerprint, Held> answers = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Fingerprint, Held> eldest) {
            return size() > CAPACITY;
        }
    };

    /** @param interval for how long an answer is used at most */
    StatusMemory(Duration interval, Clock clock) {
        this.interval = interval;
        this.clock = clock;
    }

    /** Null when a responder has to be asked. */
    synchronized @Nullable Held find(Fingerprint key) {
        Held held = answers.get(key);
        return held == null || isOver(held) ? null : held;
    }

    /** Remembers an answer, and tells what counts now: an older answer or none does not undo a newer one. */
    synchronized Held keep(Fingerprint key, CertificateStatus found) {
        Held held = answers.get(key);
        boolean isOlder = held != null
                && held.status.isAnswered()
                && (found.isAnswered() ? found.since().isBefore(held.status.since()) : held.status.isRevoked());
        CertificateStatus kept = isOlder ? held.status : found;
        boolean isNews = !isOlder && found.isAnswered();
        Held now = new Held(kept, clock.nanoTime() + (isNews ? goodFor(kept) : AFTER_FAILURE).toNanos());
        answers.put(key, now);
        return now;
    }

    private Duration goodFor(CertificateStatus status) {
        Instant until = status.until();
        if (until == null) {
            return interval;
        }
        Duration left = Duration.between(Instant.ofEpochMilli(clock.wallTimeMs()), until);
        Duration shorter = left.compareTo(interval) < 0 ? left : interval;
        return shorter.compareTo(LEAST) < 0 ? LEAST : shorter;
    }

    private boolean isOver(Held held) {
        return clock.nanoTime() - held.overAtNs >= 0;
    }

    /**
     * What counts.
     *
     * @param overAtNs when a responder has to be asked again
     */
    record Held(CertificateStatus status, long overAtNs) {}

    /** A certificate by its fingerprint (SHA-256). */
    record Fingerprint(BigInteger sha256) {
        static Fingerprint of(X509Certificate certificate) {
            try {
                return new Fingerprint(
                        new BigInteger(1, MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded())));
            } catch (NoSuchAlgorithmException | CertificateEncodingException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
