package dev.avocet.core.tls.status;

import dev.avocet.core.tls.key.TlsException;
import java.io.IOException;
import java.net.URI;
import java.security.SecureRandom;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Locale;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.ocsp.OCSPObjectIdentifiers;
import org.bouncycastle.asn1.x509.AccessDescription;
import org.bouncycastle.asn1.x509.AuthorityInformationAccess;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.Extensions;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.cert.ocsp.CertificateID;
import org.bouncycastle.cert.ocsp.OCSPException;
import org.bouncycastle.cert.ocsp.OCSPReqBuilder;
import org.bouncycastle.cert.ocsp.jcajce.JcaCertificateID;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaDigestCalculatorProviderBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Which certificate is asked about.
 *
 * @param issuer whose word about it counts
 */
record OcspQuestion(X509Certificate certificate, X509Certificate issuer) {
    /** As RFC 9654 has it. */
    private static final int NONCE_BYTES = 32;

    /** A random value for a request; see {@link OcspOptions.Nonce}. */
    static byte[] nonce(SecureRandom random) {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        return nonce;
    }

    /** How requests and answers call the certificate: by its authority and its number. */
    CertificateID id() throws TlsException {
        try {
            return new JcaCertificateID(
                    new JcaDigestCalculatorProviderBuilder().build().get(CertificateID.HASH_SHA1),
                    issuer,
                    certificate.getSerialNumber());
        } catch (OperatorCreationException | OCSPException | CertificateEncodingException e) {
            throw new TlsException("no question about " + subject() + " can be made: " + e.getMessage(), e);
        }
    }

    /** The request in DER. */
    byte[] encoded(byte @Nullable [] nonce) throws TlsException {
        try {
            OCSPReqBuilder request = new OCSPReqBuilder().addRequest(id());
            if (nonce != null) {
                ASN1OctetString value = new DEROctetString(nonce);
                request.setRequestExtensions(new Extensions(
                        new Extension(OCSPObjectIdentifiers.id_pkix_ocsp_nonce, false, value.getEncoded())));
            }
            return request.build().getEncoded();
        } catch (OCSPException | IOException e) {
            throw new TlsException("no question about " + subject() + " can be made: " + e.getMessage(), e);
        }
    }

    /** The responder that the certificate names; null when it names none by HTTP. */
    @Nullable URI responder() {
        try {
            byte[] value = certificate.getExtensionValue(Extension.authorityInfoAccess.getId());
            if (value == null) {
                return null;
            }
            AuthorityInformationAccess access = AuthorityInformationAccess.getInstance(
                    ASN1OctetString.getInstance(value).getOctets());
            for (AccessDescription each : access.getAccessDescriptions()) {
                GeneralName place = each.getAccessLocation();
                boolean isResponder = each.getAccessMethod().equals(AccessDescription.id_ad_ocsp)
                        && place.getTagNo() == GeneralName.uniformResourceIdentifier;
                if (isResponder && isWeb(place.getName().toString())) {
                    return URI.create(place.getName().toString());
                }
            }
        } catch (IllegalArgumentException e) {
            return null; // what cannot be read names no responder
        }
        return null;
    }

    String subject() {
        return certificate.getSubjectX500Principal().toString();
    }

    private static boolean isWeb(String url) {
        String lower = url.toLowerCase(Locale.ROOT);
        return lower.startsWith("http://") || lower.startsWith("https://");
    }
}
