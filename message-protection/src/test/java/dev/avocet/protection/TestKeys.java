package dev.avocet.protection;

import java.math.BigInteger;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** An authority, and the certificates that it issues. */
final class TestKeys {
    private final KeyPair authorityKey;
    private final X509Certificate authority;
    private final List<X509Certificate> issued = new ArrayList<>();
    private int serial = 1;

    TestKeys(String authorityName) throws Exception {
        this(authorityName, Duration.ofDays(1));
    }

    TestKeys(String authorityName, Duration validFor) throws Exception {
        authorityKey = pair("EC", 256);
        authority = certificate(
                authorityName,
                authorityName,
                authorityKey,
                authorityKey,
                Instant.now().plus(validFor),
                true);
    }

    record Party(KeyPair pair, X509Certificate certificate) {}

    X509Certificate authority() {
        return authority;
    }

    Party rsa(String name) throws Exception {
        return issue(name, pair("RSA", 2048), Duration.ofDays(1));
    }

    Party ec(String name) throws Exception {
        return issue(name, pair("EC", 256), Duration.ofDays(1));
    }

    Party issue(String name, KeyPair pair, Duration validFor) throws Exception {
        X509Certificate certificate = certificate(
                name,
                authority.getSubjectX500Principal().getName(),
                pair,
                authorityKey,
                Instant.now().plus(validFor),
                false);
        issued.add(certificate);
        return new Party(pair, certificate);
    }

    /** Its own key, all certificates that were issued so far, and the authority as the one that is trusted. */
    KeyRing ring(Party own) {
        return new KeyRing(own.pair().getPrivate(), List.of(own.certificate()), issued, List.of(authority));
    }

    static KeyPair pair(String algorithm, int bits) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
        generator.initialize(bits);
        return generator.generateKeyPair();
    }

    private X509Certificate certificate(
            String subject, String issuer, KeyPair pair, KeyPair signer, Instant until, boolean isAuthority)
            throws Exception {
        X509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                name(issuer),
                BigInteger.valueOf(serial++),
                Date.from(Instant.now().minus(Duration.ofDays(1))),
                Date.from(until),
                name(subject),
                pair.getPublic());
        builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(isAuthority));
        if (!isAuthority) {
            builder.addExtension(
                    Extension.keyUsage,
                    true,
                    new KeyUsage(KeyUsage.digitalSignature | KeyUsage.keyEncipherment | KeyUsage.keyAgreement));
        }
        return new JcaX509CertificateConverter()
                .getCertificate(
                        builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(signer.getPrivate())));
    }

    /** In the order that RFC 4514 has for text. */
    private static X500Name name(String text) {
        return X500Name.getInstance(new X500Principal(text).getEncoded());
    }
}
