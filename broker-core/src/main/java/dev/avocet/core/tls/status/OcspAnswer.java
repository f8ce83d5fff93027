package dev.avocet.core.tls.status;

import dev.avocet.core.tls.key.TlsException;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.ocsp.OCSPObjectIdentifiers;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.cert.CertException;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.ocsp.BasicOCSPResp;
import org.bouncycastle.cert.ocsp.CertificateID;
import org.bouncycastle.cert.ocsp.CertificateStatus;
import org.bouncycastle.cert.ocsp.OCSPException;
import org.bouncycastle.cert.ocsp.OCSPResp;
import org.bouncycastle.cert.ocsp.RespID;
import org.bouncycastle.cert.ocsp.RevokedStatus;
import org.bouncycastle.cert.ocsp.SingleResp;
import org.bouncycastle.cert.ocsp.jcajce.JcaRespID;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;
import org.bouncycastle.operator.jcajce.JcaDigestCalculatorProviderBuilder;
import org.jspecify.annotations.Nullable;

/**
 * What a responder has signed about one certificate, whose signature was verified.
 *
 * @param since when that was true, as the responder says
 * @param until when there is a newer answer at the latest; null when the responder does not say
 * @param encoded the whole answer, in DER
 */
record OcspAnswer(Status status, Instant since, @Nullable Instant until, byte[] encoded) {
    /** By how much the clock of a responder may be ahead. */
    private static final Duration SKEW = Duration.ofMinutes(5);
    /** An answer that does not say until when it holds must not be older. */
    private static final Duration MAX_AGE = Duration.ofDays(1);

    private static final List<String> REFUSALS = List.of(
            "nothing",
            "that the request is malformed",
            "that it has an internal error",
            "that it should be asked later",
            "with status 4, which is not defined",
            "that requests have to be signed",
            "that it does not answer for this authority (unauthorized)");

    /**
     * Reads an answer and verifies it: signed by the issuer, or by a certificate that the issuer has given out for it,
     * about this very certificate, and not over.
     *
     * @param nonce what the request had; null if nothing
     * @throws TlsException when the answer does not count; the message says why
     */
    static OcspAnswer verified(
            byte[] bytes, OcspQuestion question, byte @Nullable [] nonce, boolean nonceRequired, Instant now)
            throws TlsException {
        BasicOCSPResp answer = parsed(bytes);
        verifySigner(answer, question.issuer(), now);
        checkNonce(answer, nonce, nonceRequired);
        SingleResp single = about(answer, question.id());
        Instant since = single.getThisUpdate().toInstant();
        Instant until =
                single.getNextUpdate() == null ? null : single.getNextUpdate().toInstant();
        if (since.isAfter(now.plus(SKEW))) {
            throw new TlsException("the answer is of the future, from " + since + "; compare the clocks");
        }
        if (until != null && !until.isAfter(now)) {
            throw new TlsException("the answer is over since " + until);
        }
        if (until == null && since.isBefore(now.minus(MAX_AGE))) {
            throw new TlsException("the answer is of " + since + " and does not say until when it holds");
        }
        return new OcspAnswer(status(single.getCertStatus()), since, until, bytes.clone());
    }

    private static BasicOCSPResp parsed(byte[] bytes) throws TlsException {
        try {
            OCSPResp response = new OCSPResp(bytes);
            int status = response.getStatus();
            if (status != OCSPResp.SUCCESSFUL) {
                throw new TlsException("the responder says "
                        + (status > 0 && status < REFUSALS.size() ? REFUSALS.get(status) : "status " + status));
            }
            if (response.getResponseObject() instanceof BasicOCSPResp basic) {
                return basic;
            }
            throw new TlsException("the answer is of a kind that is not known");
        } catch (IOException | OCSPException | RuntimeException e) {
            throw new TlsException("what comes is not an OCSP answer: " + e.getMessage(), e);
        }
    }

    private static SingleResp about(BasicOCSPResp answer, CertificateID asked) throws TlsException {
        for (SingleResp each : answer.getResponses()) {
            if (each.getCertID().equals(asked)) {
                return each;
            }
        }
        throw new TlsException("the answer is about another certificate");
    }

    private static void checkNonce(BasicOCSPResp answer, byte @Nullable [] asked, boolean required)
            throws TlsException {
        Extension extension = answer.getExtension(OCSPObjectIdentifiers.id_pkix_ocsp_nonce);
        if (asked == null) {
            return;
        }
        if (extension == null) {
            if (required) {
                throw new TlsException("the answer has no nonce; a responder that signs in advance knows none,"
                        + " then set Nonce of the OCSPProfile to Optional");
            }
            return;
        }
        byte[] value = extension.getExtnValue().getOctets();
        boolean isOurs = Arrays.equals(value, asked) || Arrays.equals(unwrapped(value), asked);
        if (!isOurs) {
            throw new TlsException("the answer has another nonce: it was given to another request");
        }
    }

    private static byte[] unwrapped(byte[] value) {
        try {
            return ASN1OctetString.getInstance(value).getOctets();
        } catch (IllegalArgumentException e) {
            return value;
        }
    }

    private static void verifySigner(BasicOCSPResp answer, X509Certificate issuer, Instant now) throws TlsException {
        try {
            if (isOf(answer.getResponderId(), issuer) && isSignedBy(answer, issuer)) {
                return;
            }
            for (X509CertificateHolder holder : answer.getCerts()) {
                X509Certificate delegate = new JcaX509CertificateConverter().getCertificate(holder);
                if (isOf(answer.getResponderId(), delegate)
                        && isDelegate(holder, delegate, issuer, now)
                        && isSignedBy(answer, delegate)) {
                    return;
                }
            }
        } catch (GeneralSecurityException
                | OperatorCreationException
                | OCSPException
                | CertException
                | RuntimeException e) {
            throw new TlsException("the signature of the answer cannot be verified: " + e.getMessage(), e);
        }
        throw new TlsException("neither " + issuer.getSubjectX500Principal()
                + " has signed the answer, nor a valid certificate that it has given out for OCSP (OCSPSigning)");
    }

    private static boolean isDelegate(
            X509CertificateHolder holder, X509Certificate delegate, X509Certificate issuer, Instant now)
            throws GeneralSecurityException, OperatorCreationException, CertException {
        boolean isForAnswers = ExtendedKeyUsage.fromExtensions(holder.getExtensions()) != null
                && ExtendedKeyUsage.fromExtensions(holder.getExtensions())
                        .hasKeyPurposeId(KeyPurposeId.id_kp_OCSPSigning);
        boolean isValid = !delegate.getNotBefore().toInstant().isAfter(now)
                && !delegate.getNotAfter().toInstant().isBefore(now);
        return isForAnswers
                && isValid
                && delegate.getIssuerX500Principal().equals(issuer.getSubjectX500Principal())
                && holder.isSignatureValid(new JcaContentVerifierProviderBuilder().build(issuer.getPublicKey()));
    }

    private static boolean isOf(RespID named, X509Certificate signer) throws OCSPException, OperatorCreationException {
        var digest = new JcaDigestCalculatorProviderBuilder().build().get(RespID.HASH_SHA1);
        return named.equals(new JcaRespID(signer.getSubjectX500Principal()))
                || named.equals(new JcaRespID(signer.getPublicKey(), digest));
    }

    private static boolean isSignedBy(BasicOCSPResp answer, X509Certificate signer)
            throws OCSPException, OperatorCreationException {
        return answer.isSignatureValid(new JcaContentVerifierProviderBuilder().build(signer.getPublicKey()));
    }

    private static Status status(@Nullable CertificateStatus status) {
        if (status == CertificateStatus.GOOD) {
            return Status.GOOD;
        }
        return status instanceof RevokedStatus ? Status.REVOKED : Status.UNKNOWN;
    }

    /** What a responder says of a certificate. */
    enum Status {
        GOOD,
        REVOKED,
        /** The responder does not know the certificate. */
        UNKNOWN
    }
}
