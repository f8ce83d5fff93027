package dev.avocet.core.tls.status;

import dev.avocet.core.tls.key.TlsException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.cert.CRLReason;
import java.security.cert.CertificateException;
import java.security.cert.X509CRL;
import java.security.cert.X509CRLEntry;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.ASN1OctetString;
import org.jspecify.annotations.Nullable;

/** What authorities have revoked, as their lists say, whose signatures were verified. Immutable. */
final class RevocationLists {
    static final RevocationLists NONE = new RevocationLists(Map.of());

    private static final String CRL_NUMBER = "2.5.29.20";
    private static final String DELTA_INDICATOR = "2.5.29.27";

    private final Map<X500Principal, OfIssuer> byIssuer;

    private RevocationLists(Map<X500Principal, OfIssuer> byIssuer) {
        this.byIssuer = byIssuer;
    }

    /**
     * Puts lists together, those that say what has changed after those that they belong to.
     *
     * @param authorities whose lists are taken
     * @throws TlsException when a list is signed by another, or does not belong to the one before
     */
    static RevocationLists of(List<X509CRL> lists, Collection<X509Certificate> authorities) throws TlsException {
        Map<X500Principal, OfIssuer> byIssuer = new HashMap<>();
        for (X509CRL list : lists) {
            verify(list, authorities);
            X500Principal issuer = list.getIssuerX500Principal();
            BigInteger base = number(list, DELTA_INDICATOR);
            byIssuer.put(issuer, base == null ? whole(list) : changed(byIssuer.get(issuer), list, base));
        }
        return new RevocationLists(Map.copyOf(byIssuer));
    }

    int count() {
        return byIssuer.values().stream().mapToInt(each -> each.revoked.size()).sum();
    }

    /**
     * Decides about the certificates of a chain whose authorities are known.
     *
     * @throws CertificateException when one of them was revoked, or is of an authority without a valid list
     */
    void check(X509Certificate[] chain, Instant now, boolean acceptUnknown) throws CertificateException {
        for (int i = 0; i < chain.length; i++) {
            X509Certificate each = chain[i];
            boolean isRoot = each.getIssuerX500Principal().equals(each.getSubjectX500Principal());
            OfIssuer list = byIssuer.get(each.getIssuerX500Principal());
            if (list != null && list.revoked.contains(each.getSerialNumber())) {
                throw new CertificateException(
                        "its authority has revoked the certificate of " + each.getSubjectX500Principal());
            }
            boolean isUnknown = list == null || (list.nextUpdate != null && list.nextUpdate.isBefore(now));
            if (i == 0 && !isRoot && isUnknown && !acceptUnknown) {
                throw new CertificateException("there is no valid revocation list of " + each.getIssuerX500Principal()
                        + "; renew the list, or set AcceptUnknownStatus in the CRLProfile");
            }
        }
    }

    private static OfIssuer whole(X509CRL list) throws TlsException {
        Set<BigInteger> revoked = new HashSet<>();
        change(revoked, list);
        return new OfIssuer(revoked, number(list, CRL_NUMBER), nextUpdate(list));
    }

    private static OfIssuer changed(@Nullable OfIssuer before, X509CRL delta, BigInteger base) throws TlsException {
        if (before == null || before.number == null || before.number.compareTo(base) < 0) {
            throw new TlsException("the delta list of " + delta.getIssuerX500Principal() + " belongs to list number "
                    + base + ", which is not there; fetch the whole list first");
        }
        BigInteger number = number(delta, CRL_NUMBER);
        if (number != null && number.compareTo(before.number) < 0) {
            return before; // the whole list is newer
        }
        Set<BigInteger> revoked = new HashSet<>(before.revoked);
        change(revoked, delta);
        return new OfIssuer(revoked, number, nextUpdate(delta));
    }

    private static void change(Set<BigInteger> revoked, X509CRL list) {
        Set<? extends X509CRLEntry> entries = list.getRevokedCertificates();
        if (entries == null) {
            return;
        }
        for (X509CRLEntry entry : entries) {
            if (entry.getRevocationReason() == CRLReason.REMOVE_FROM_CRL) {
                revoked.remove(entry.getSerialNumber());
            } else {
                revoked.add(entry.getSerialNumber());
            }
        }
    }

    private static @Nullable Instant nextUpdate(X509CRL list) {
        return list.getNextUpdate() == null ? null : list.getNextUpdate().toInstant();
    }

    private static @Nullable BigInteger number(X509CRL list, String extension) throws TlsException {
        byte[] value = list.getExtensionValue(extension);
        try {
            return value == null
                    ? null
                    : ASN1Integer.getInstance(ASN1OctetString.getInstance(value).getOctets())
                            .getPositiveValue();
        } catch (IllegalArgumentException e) {
            throw new TlsException(
                    "the list of " + list.getIssuerX500Principal() + " has a number that is not valid", e);
        }
    }

    private static void verify(X509CRL list, Collection<X509Certificate> authorities) throws TlsException {
        X500Principal issuer = list.getIssuerX500Principal();
        for (X509Certificate authority : authorities) {
            if (authority.getSubjectX500Principal().equals(issuer) && isSignedBy(list, authority)) {
                return;
            }
        }
        throw new TlsException("the revocation list of " + issuer
                + " has no signature of an authority that is trusted; create a TrustedCertificate for it");
    }

    private static boolean isSignedBy(X509CRL list, X509Certificate authority) {
        try {
            list.verify(authority.getPublicKey());
            return true;
        } catch (GeneralSecurityException e) {
            return false; // another authority of that name may have signed it
        }
    }

    private record OfIssuer(
            Set<BigInteger> revoked,
            @Nullable BigInteger number,
            @Nullable Instant nextUpdate) {}
}
