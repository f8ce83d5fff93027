package dev.avocet.ha.trust;

import dev.avocet.core.tls.key.TlsException;
import dev.avocet.ha.trust.NoMemberException.Kind;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x500.style.IETFUtils;
import org.jspecify.annotations.Nullable;

/** A member that knows the secret of its group, and takes all for members that know it too. */
final class SecretIdentity implements Identity {
    private final GroupNames names;
    private final SecretAuthority authority;
    private final PrivateKey key;
    private final List<X509Certificate> chain;

    private SecretIdentity(GroupNames names, SecretAuthority authority, PrivateKey key, List<X509Certificate> chain) {
        this.names = names;
        this.authority = authority;
        this.key = key;
        this.chain = chain;
    }

    static SecretIdentity of(PairSecret secret, GroupNames names) throws TlsException {
        try {
            SecretAuthority authority = SecretAuthority.of(secret);
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            KeyPair pair = generator.generateKeyPair();
            return new SecretIdentity(
                    names,
                    authority,
                    pair.getPrivate(),
                    List.of(authority.sign(names.group(), names.self(), pair.getPublic())));
        } catch (GeneralSecurityException e) {
            throw new TlsException("TLS cannot be set up with the secret of the pair: " + e.getMessage(), e);
        }
    }

    @Override
    public PrivateKey key() {
        return key;
    }

    @Override
    public List<X509Certificate> chain() {
        return chain;
    }

    @Override
    public @Nullable Instant expiry() {
        return null;
    }

    @Override
    public void check(X509Certificate[] shown, boolean dialed, Set<String> members) throws NoMemberException {
        X509Certificate certificate = shown[0];
        if (shown.length > 1 || !authority.hasSigned(certificate)) {
            throw isOfAnAuthority(certificate)
                    ? new NoMemberException(
                            Kind.CERTIFICATE,
                            "shows the certificate of " + FileIdentity.subject(certificate)
                                    + ", and this node has a secret alone: give certificates to all members, or to none")
                    : new NoMemberException(
                            Kind.WRONG_SECRET, "does not know the secret of group " + names.group() + ": " + advice());
        }
        X500Name subject =
                X500Name.getInstance(certificate.getSubjectX500Principal().getEncoded());
        String group = part(subject, BCStyle.O);
        String member = part(subject, BCStyle.CN);
        if (!group.equals(names.group())) {
            throw new NoMemberException(
                    Kind.OTHER_GROUP,
                    "belongs to group " + group + ", and this node to group " + names.group()
                            + ": check the name of the group and the addresses of its members on both");
        }
        if (!members.contains(member)) {
            throw new NoMemberException(
                    Kind.OTHER_NODE,
                    "is node " + member + " and not " + String.join(" or ", members)
                            + ": check the names and the addresses of the members on both");
        }
    }

    /** Rather than of a pair with another secret. */
    private static boolean isOfAnAuthority(X509Certificate certificate) {
        return !new X500Name(SecretAuthority.NAME)
                .equals(X500Name.getInstance(
                        certificate.getIssuerX500Principal().getEncoded()));
    }

    private static String part(X500Name name, ASN1ObjectIdentifier which) {
        RDN[] parts = name.getRDNs(which);
        return parts.length == 1 ? IETFUtils.valueToString(parts[0].getFirst().getValue()) : "";
    }

    @Override
    public String advice() {
        return "give all members the same secret file";
    }
}
