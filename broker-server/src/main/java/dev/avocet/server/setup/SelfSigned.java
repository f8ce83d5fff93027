package dev.avocet.server.setup;

import io.netty.util.NetUtil;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * A certificate that vouches for itself, with an elliptic key (P-256). Clients have to be told to trust it.
 *
 * @param certificate in PEM
 * @param key in PEM, PKCS #8
 */
record SelfSigned(byte[] certificate, byte[] key) {
    private static final Duration GOOD_FOR = Duration.ofDays(365);
    private static final Duration CLOCKS_DIFFER_BY = Duration.ofHours(1);
    private static final int SERIAL_BITS = 120;
    private static final int PEM_LINE = 64;

    /** @param host a name or an IP address; it is also good for this machine itself */
    static SelfSigned forHost(String host, Instant now) {
        try {
            SecureRandom random = new SecureRandom();
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"), random);
            KeyPair keys = generator.generateKeyPair();
            X500Name name = new X500NameBuilder(BCStyle.INSTANCE)
                    .addRDN(BCStyle.CN, host)
                    .build();
            X509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                            name,
                            new BigInteger(SERIAL_BITS, random),
                            Date.from(now.minus(CLOCKS_DIFFER_BY)),
                            Date.from(now.plus(GOOD_FOR)),
                            name,
                            keys.getPublic())
                    .addExtension(Extension.subjectAlternativeName, false, names(host))
                    .addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
            byte[] certificate = new JcaX509CertificateConverter()
                    .getCertificate(
                            builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate())))
                    .getEncoded();
            return new SelfSigned(
                    pem("CERTIFICATE", certificate),
                    pem("PRIVATE KEY", keys.getPrivate().getEncoded()));
        } catch (GeneralSecurityException | OperatorCreationException | CertIOException e) {
            throw new IllegalStateException("this Java runtime lacks what every Java 17 runtime has", e);
        }
    }

    private static GeneralNames names(String host) {
        boolean isAddress = NetUtil.isValidIpV4Address(host) || NetUtil.isValidIpV6Address(host);
        return new GeneralNames(new GeneralName[] {
            new GeneralName(isAddress ? GeneralName.iPAddress : GeneralName.dNSName, host),
            new GeneralName(GeneralName.dNSName, "localhost"),
            new GeneralName(GeneralName.iPAddress, "127.0.0.1")
        });
    }

    private static byte[] pem(String kind, byte[] content) {
        String text = Base64.getMimeEncoder(PEM_LINE, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(content);
        return ("-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n")
                .getBytes(StandardCharsets.US_ASCII);
    }
}
