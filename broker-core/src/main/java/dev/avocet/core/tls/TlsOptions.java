package dev.avocet.core.tls;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How an endpoint speaks TLS.
 *
 * @param key its certificate and key
 * @param trust what clients' certificates are held against; nothing when they show none
 * @param minimumVersion the oldest version that is spoken
 * @param ciphers which suites are taken
 * @param clientOrder whether the client's order of suites decides which is taken, rather than the endpoint's
 * @param clientCertificates whether clients show certificates
 * @param library who does the cryptography
 * @param handshakeTimeoutMs how long a handshake may take, in milliseconds
 * @param maxHandshakes handshakes that have begun on the endpoint and are not over; more connections are closed at once
 * @param resumption whether clients that come back may skip half of the handshake
 * @param revocation how the broker learns that clients' certificates were revoked; null where it does not ask
 */
public record TlsOptions(
        KeySource key,
        ClientTrust trust,
        TlsVersion minimumVersion,
        CipherClass ciphers,
        boolean clientOrder,
        ClientCertificates clientCertificates,
        TlsLibrary library,
        int handshakeTimeoutMs,
        int maxHandshakes,
        boolean resumption,
        @Nullable RevocationOptions revocation) {
    /** Half of what a connection has for everything until CONNECT. */
    public static final int DEFAULT_HANDSHAKE_TIMEOUT_MS = 5_000;
    /** Some 50 MB of engines at most. */
    public static final int DEFAULT_MAX_HANDSHAKES = 1_000;

    public TlsOptions {
        if (clientCertificates != ClientCertificates.NONE && trust.files().isEmpty()) {
            throw new IllegalArgumentException("client certificates need something to hold them against");
        }
    }

    /** One at which clients may resume sessions. */
    public TlsOptions(
            KeySource key,
            ClientTrust trust,
            TlsVersion minimumVersion,
            CipherClass ciphers,
            boolean clientOrder,
            ClientCertificates clientCertificates,
            TlsLibrary library,
            int handshakeTimeoutMs,
            int maxHandshakes) {
        this(
                key,
                trust,
                minimumVersion,
                ciphers,
                clientOrder,
                clientCertificates,
                library,
                handshakeTimeoutMs,
                maxHandshakes,
                true,
                null);
    }

    /** The same, with or without sessions that are resumed. */
    public TlsOptions withResumption(boolean other) {
        return new TlsOptions(
                key,
                trust,
                minimumVersion,
                ciphers,
                clientOrder,
                clientCertificates,
                library,
                handshakeTimeoutMs,
                maxHandshakes,
                other,
                revocation);
    }

    /** The same, looking up what is revoked. */
    public TlsOptions withRevocation(@Nullable RevocationOptions other) {
        return new TlsOptions(
                key,
                trust,
                minimumVersion,
                ciphers,
                clientOrder,
                clientCertificates,
                library,
                handshakeTimeoutMs,
                maxHandshakes,
                resumption,
                other);
    }

    /** What most endpoints want: TLS 1.2 or newer, no client certificates. */
    public static TlsOptions of(KeySource key) {
        return new TlsOptions(
                key,
                ClientTrust.NONE,
                TlsVersion.TLS_1_2,
                CipherClass.MEDIUM,
                false,
                ClientCertificates.NONE,
                TlsLibrary.BEST,
                DEFAULT_HANDSHAKE_TIMEOUT_MS,
                DEFAULT_MAX_HANDSHAKES);
    }

    /** Every file that is read, so that somebody can watch them. */
    public List<Path> files() {
        List<Path> files = new ArrayList<>(key.files());
        files.addAll(trust.files());
        return files;
    }
}
