package dev.avocet.core.tls.client;

import java.security.cert.X509Certificate;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.bouncycastle.asn1.ASN1String;
import org.bouncycastle.asn1.x500.AttributeTypeAndValue;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.jspecify.annotations.Nullable;

/** The name in the certificate that a client has shown. */
public final class CommonName {
    private CommonName() {}

    /** The most specific common name of the client's verified certificate; null without certificate or name. */
    public static @Nullable String of(SSLSession session) {
        try {
            return of((X509Certificate) session.getPeerCertificates()[0]);
        } catch (SSLPeerUnverifiedException e) {
            return null;
        }
    }

    /** The most specific common name in a certificate; null where there is none. */
    public static @Nullable String of(X509Certificate certificate) {
        byte[] subject = certificate.getSubjectX500Principal().getEncoded();
        String found = null;
        for (RDN name : X500Name.getInstance(subject).getRDNs(BCStyle.CN)) {
            found = text(name);
        }
        return found;
    }

    private static @Nullable String text(RDN name) {
        for (AttributeTypeAndValue part : name.getTypesAndValues()) {
            if (part.getType().equals(BCStyle.CN) && part.getValue() instanceof ASN1String text) {
                return text.getString().isBlank() ? null : text.getString();
            }
        }
        return null;
    }
}
