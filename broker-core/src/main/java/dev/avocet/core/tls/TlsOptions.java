package dev.avocet.core.tls;

import dev.avocet.core.config.object.security.TlsVersion;
import dev.avocet.core.tls.client.CertificateUser;
import dev.avocet.core.tls.client.ClientCertificates;
import dev.avocet.core.tls.client.ClientTrust;
import dev.avocet.core.tls.key.CipherClass;
import dev.avocet.core.tls.key.KeySource;
import dev.avocet.core.tls.psk.PskOptions;
import dev.avocet.core.tls.status.OcspOptions;
import dev.avocet.core.tls.status.RevocationOptions;
import dev.avocet.core.tls.ticket.OwnTicketKeys;
import java.nio.file.Path;
import java.time.Duration;
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
 * @param extras what most endpoints leave as it is
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
        Extras extras) {
    /** Half of what a connection has for everything until CONNECT. */
    public static final int DEFAULT_HANDSHAKE_TIMEOUT_MS = 5_000;
    /** Some 50 MB of engines at most. */
    public static final int DEFAULT_MAX_HANDSHAKES = 1_000;

    public TlsOptions {
        if (clientCertificates != ClientCertificates.NONE && trust.files().isEmpty()) {
            throw new IllegalArgumentException("client certificates need something to hold them against");
        }
    }

    /** With the usual extras. */
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
                Extras.USUAL);
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

    /** The same with other extras. */
    public TlsOptions with(Extras other) {
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
                other);
    }

    /** The same, with or without sessions that are resumed. */
    public TlsOptions withResumption(boolean other) {
        return with(new Extras(
                other,
                extras.ticketKeyInterval,
                extras.revocation,
                extras.preSharedKeys,
                extras.userNames,
                extras.statuses,
                extras.stapling));
    }

    /** The same, with another time after which session tickets get a new key. */
    public TlsOptions withTicketKeyInterval(Duration other) {
        return with(new Extras(
                extras.resumption,
                other,
                extras.revocation,
                extras.preSharedKeys,
                extras.userNames,
                extras.statuses,
                extras.stapling));
    }

    /** The same, looking up what is revoked. */
    public TlsOptions withRevocation(@Nullable RevocationOptions other) {
        return with(new Extras(
                extras.resumption,
                extras.ticketKeyInterval,
                other,
                extras.preSharedKeys,
                extras.userNames,
                extras.statuses,
                extras.stapling));
    }

    /** The same with pre-shared keys. */
    public TlsOptions withPreSharedKeys(@Nullable PskOptions other) {
        return with(new Extras(
                extras.resumption,
                extras.ticketKeyInterval,
                extras.revocation,
                other,
                extras.userNames,
                extras.statuses,
                extras.stapling));
    }

    /** The same, with another way from certificates to users. */
    public TlsOptions withUserNames(CertificateUser other) {
        return with(new Extras(
                extras.resumption,
                extras.ticketKeyInterval,
                extras.revocation,
                extras.preSharedKeys,
                other,
                extras.statuses,
                extras.stapling));
    }

    /** The same, asking OCSP responders about clients' certificates. */
    public TlsOptions withStatuses(@Nullable OcspOptions other) {
        return with(new Extras(
                extras.resumption,
                extras.ticketKeyInterval,
                extras.revocation,
                extras.preSharedKeys,
                extras.userNames,
                other,
                extras.stapling));
    }

    /** The same, with or without the answer of an OCSP responder about the endpoint's own certificate. */
    public TlsOptions withStapling(boolean other) {
        return with(new Extras(
                extras.resumption,
                extras.ticketKeyInterval,
                extras.revocation,
                extras.preSharedKeys,
                extras.userNames,
                extras.statuses,
                other));
    }

    /**
     * The same with the cipher suites that FIPS 140 approves, by the providers of the Java runtime. Pre-shared keys are
     * served by another library and have to be refused before.
     */
    public TlsOptions approvedOnly() {
        return new TlsOptions(
                key,
                trust,
                minimumVersion,
                CipherClass.APPROVED,
                clientOrder,
                clientCertificates,
                TlsLibrary.JDK,
                handshakeTimeoutMs,
                maxHandshakes,
                extras);
    }

    /** Every file that is read, so that it can be watched. */
    public List<Path> files() {
        List<Path> files = new ArrayList<>(key.files());
        files.addAll(trust.files());
        if (extras.preSharedKeys != null) {
            files.add(extras.preSharedKeys.file());
        }
        return files;
    }

    /**
     * What most endpoints leave as it is.
     *
     * @param resumption whether clients that come back may skip half of the handshake
     * @param ticketKeyInterval after which session tickets get a new key; the one before is good as long again
     * @param revocation how the broker learns that clients' certificates were revoked; null where it does not ask
     * @param preSharedKeys null where there are none
     * @param userNames which user a certificate stands for
     * @param statuses how OCSP responders are asked about clients' certificates; null where they are not
     * @param stapling whether clients get the answer of an OCSP responder about the endpoint's certificate
     */
    public record Extras(
            boolean resumption,
            Duration ticketKeyInterval,
            @Nullable RevocationOptions revocation,
            @Nullable PskOptions preSharedKeys,
            CertificateUser userNames,
            @Nullable OcspOptions statuses,
            boolean stapling) {
        /** Sessions are resumed, nothing is looked up, and the common name is the user. */
        public static final Extras USUAL =
                new Extras(true, OwnTicketKeys.USUAL_INTERVAL, null, null, CertificateUser.COMMON_NAME, null, false);
    }
}
