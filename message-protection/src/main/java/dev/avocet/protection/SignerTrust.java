package dev.avocet.protection;

import dev.avocet.protection.ProtectionException.Reason;
import java.security.GeneralSecurityException;
import java.security.cert.CertPath;
import java.security.cert.CertPathValidator;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.security.auth.x500.X500Principal;

/**
 * Whether a signer's certificate leads to a trusted one. What was found out holds for a minute, as a path costs about
 * as much as a signature. Any thread.
 */
final class SignerTrust {
    private static final long HOLDS_MS = 60_000;
    private static final int REMEMBERED_MAX = 1_000;
    private static final int CHAIN_MAX = 10;
    private static final int KEY_USAGE_SIGNATURE = 0;

    private final List<X509Certificate> trusted;
    private final Set<TrustAnchor> anchors = new HashSet<>();
    /** Certificates that are good until a time, the eldest first. */
    private final Map<X509Certificate, Long> good = new LinkedHashMap<>();

    SignerTrust(List<X509Certificate> trusted) {
        this.trusted = trusted;
        trusted.forEach(one -> anchors.add(new TrustAnchor(one, null)));
    }

    /** @param chain certificates that came with the signature, in any order */
    synchronized void check(X509Certificate signer, List<X509Certificate> chain, long nowMs)
            throws ProtectionException {
        Long until = good.get(signer);
        if (until != null && nowMs < until && Validity.isValid(signer, nowMs)) {
            return;
        }
        good.remove(signer);
        checkNow(signer, chain, nowMs);
        if (good.size() >= REMEMBERED_MAX) {
            good.remove(good.keySet().iterator().next());
        }
        good.put(signer, nowMs + HOLDS_MS);
    }

    private void checkNow(X509Certificate signer, List<X509Certificate> chain, long nowMs) throws ProtectionException {
        String name = SubjectName.of(signer);
        if (!Validity.isValid(signer, nowMs)) {
            throw new ProtectionException(
                    Reason.EXPIRED_CERTIFICATE,
                    "the certificate of signer '" + name + "' is valid from "
                            + signer.getNotBefore().toInstant() + " to "
                            + signer.getNotAfter().toInstant());
        }
        boolean[] usage = signer.getKeyUsage();
        if (usage != null && !usage[KEY_USAGE_SIGNATURE]) {
            throw new ProtectionException(
                    Reason.UNTRUSTED_SIGNER, "the certificate of signer '" + name + "' is not for digital signatures");
        }
        if (trusted.contains(signer)) {
            return;
        }
        if (anchors.isEmpty()) {
            throw new ProtectionException(
                    Reason.UNTRUSTED_SIGNER,
                    "signer '" + name + "' is not trusted: the trust store has no certificates");
        }
        validate(signer, chain, nowMs, name);
    }

    @SuppressWarnings("JavaUtilDate") // the API of certificates has no other
    private void validate(X509Certificate signer, List<X509Certificate> chain, long nowMs, String name)
            throws ProtectionException {
        try {
            CertPath path = CertificateFactory.getInstance("X.509").generateCertPath(ordered(signer, chain));
            PKIXParameters parameters = new PKIXParameters(anchors);
            parameters.setRevocationEnabled(false);
            parameters.setDate(new Date(nowMs));
            CertPathValidator.getInstance("PKIX").validate(path, parameters);
        } catch (CertPathValidatorException e) {
            Reason reason = e.getReason() == BasicReason.EXPIRED || e.getReason() == BasicReason.NOT_YET_VALID
                    ? Reason.EXPIRED_CERTIFICATE
                    : Reason.UNTRUSTED_SIGNER;
            throw new ProtectionException(
                    reason, "the certificate of signer '" + name + "' is not trusted: " + e.getMessage(), e);
        } catch (GeneralSecurityException e) {
            throw new ProtectionException(
                    Reason.UNTRUSTED_SIGNER, "the certificate of signer '" + name + "' cannot be judged", e);
        }
    }

    /** The signer's certificate, the one above it, and so on, up to below a trusted one. */
    private List<X509Certificate> ordered(X509Certificate signer, List<X509Certificate> chain) {
        Map<X500Principal, X509Certificate> bySubject = new HashMap<>();
        chain.forEach(one -> bySubject.putIfAbsent(one.getSubjectX500Principal(), one));
        List<X509Certificate> path = new ArrayList<>();
        X509Certificate next = signer;
        while (next != null && path.size() < CHAIN_MAX && !path.contains(next) && !trusted.contains(next)) {
            path.add(next);
            next = bySubject.get(next.getIssuerX500Principal());
        }
        return path;
    }
}
