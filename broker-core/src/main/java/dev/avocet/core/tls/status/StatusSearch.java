package dev.avocet.core.tls.status;

import dev.avocet.core.time.Clock;
import dev.avocet.core.tls.key.TlsException;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathBuilder;
import java.security.cert.CertStore;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.PKIXCertPathBuilderResult;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Looks a client's certificate up, and those between it and the authority that is trusted. Only addresses in
 * certificates that the authority vouches for are asked. Blocks; thread-safe.
 */
final class StatusSearch {
    private final OcspOptions options;
    private final Authorities authorities;
    private final StatusMemory memory;
    private final OcspClient client;
    private final Clock clock;

    StatusSearch(OcspOptions options, Authorities authorities, StatusMemory memory, Clock clock) {
        this.options = options;
        this.authorities = authorities;
        this.memory = memory;
        this.client = new OcspClient(options.nonce(), clock);
        this.clock = clock;
    }

    /** What is known of a chain: revoked if one of its certificates is, good or unknown as the client's own is. */
    CertificateStatus find(X509Certificate[] chain, Duration patience) {
        long deadlineNs = clock.nanoTime() + patience.toNanos();
        List<OcspQuestion> questions;
        try {
            questions = questions(chain, authorities.current());
        } catch (GeneralSecurityException | TlsException e) {
            return CertificateStatus.unknown("no way to a trusted authority: " + e.getMessage());
        }
        CertificateStatus own = null;
        Instant until = null;
        for (OcspQuestion each : questions) {
            boolean isOwn = own == null;
            CertificateStatus status = isOwn ? ask(each, deadlineNs) : remembered(each, deadlineNs);
            if (status.isRevoked()) {
                return status;
            }
            own = isOwn ? status : own;
            until = earlier(until, status.until());
        }
        return own == null
                ? CertificateStatus.unknown("the certificate is an authority itself")
                : new CertificateStatus(own.kind(), own.since(), until, own.isAnswered(), own.reason());
    }

    private CertificateStatus remembered(OcspQuestion question, long deadlineNs) {
        StatusMemory.Fingerprint key = StatusMemory.Fingerprint.of(question.certificate());
        StatusMemory.Held known = memory.find(key);
        return (known == null ? memory.keep(key, ask(question, deadlineNs)) : known).status();
    }

    private CertificateStatus ask(OcspQuestion question, long deadlineNs) {
        URI responder = options.responder() == null ? question.responder() : options.responder();
        if (responder == null) {
            return CertificateStatus.unknown("it names no OCSP responder; set ResponderURL in the OCSPProfile");
        }
        Duration left = Duration.ofNanos(deadlineNs - clock.nanoTime());
        if (left.isNegative()) {
            return CertificateStatus.unknown("the OCSP responder " + responder + " does not answer in time");
        }
        try {
            OcspAnswer answer = client.ask(question, responder, left);
            String word = answer.status() == OcspAnswer.Status.UNKNOWN
                    ? "the OCSP responder " + responder + " does not know it"
                    : question.subject() + ", says the OCSP responder " + responder;
            return new CertificateStatus(answer.status(), answer.since(), answer.until(), true, word);
        } catch (TlsException e) {
            return CertificateStatus.unknown(String.valueOf(e.getMessage()));
        }
    }

    private static List<OcspQuestion> questions(X509Certificate[] chain, List<X509Certificate> authorities)
            throws GeneralSecurityException {
        Set<TrustAnchor> anchors =
                authorities.stream().map(each -> new TrustAnchor(each, null)).collect(Collectors.toSet());
        PKIXCertPathBuilderResult path = path(chain, anchors);
        List<OcspQuestion> questions = new ArrayList<>();
        List<X509Certificate> way = path.getCertPath().getCertificates().stream()
                .map(X509Certificate.class::cast)
                .toList();
        for (int i = 0; i < way.size(); i++) {
            X509Certificate issuer =
                    i + 1 < way.size() ? way.get(i + 1) : path.getTrustAnchor().getTrustedCert();
            questions.add(new OcspQuestion(way.get(i), issuer));
        }
        return questions;
    }

    private static PKIXCertPathBuilderResult path(X509Certificate[] chain, Set<TrustAnchor> anchors)
            throws GeneralSecurityException {
        X509CertSelector target = new X509CertSelector();
        target.setCertificate(chain[0]);
        PKIXBuilderParameters parameters = new PKIXBuilderParameters(anchors, target);
        parameters.setRevocationEnabled(false);
        parameters.addCertStore(CertStore.getInstance("Collection", new CollectionCertStoreParameters(List.of(chain))));
        return (PKIXCertPathBuilderResult) CertPathBuilder.getInstance("PKIX").build(parameters);
    }

    private static @Nullable Instant earlier(@Nullable Instant one, @Nullable Instant other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return one.isBefore(other) ? one : other;
    }
}
