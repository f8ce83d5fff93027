package dev.avocet.core.tls.key;

import io.netty.util.NetUtil;
import java.io.IOException;
import java.io.StringWriter;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * A certificate that no authority vouches for, and its key (P-256): encryption for a start, for clients that are told
 * to trust it.
 *
 * @param certificate in PEM
 * @param key in PEM, PKCS#8
 */
public record SelfSigned(String certificate, String key) {
    private static final Duration CLOCKS_DIFFER = Duration.ofDays(1);
    private static final int SERIAL_BITS = 127;
    private static final List<String> LOOPBACK = List.of("127.0.0.1", "::1");

    /**
     * Makes one for this machine.
     *
     * @param host what others call the machine: a name or an IP address
     * @param goodFor counted from {@code now}
     * @param now when it begins to be good, but for clocks that differ
     * @throws TlsException when this Java cannot
     */
    public static SelfSigned of(String host, Duration goodFor, Instant now) throws TlsException {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            KeyPair keys = generator.generateKeyPair();
            var subject = new X500NameBuilder().addRDN(BCStyle.CN, host).build();
            X509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                    subject,
                    new BigInteger(SERIAL_BITS, new SecureRandom()),
                    Date.from(now.minus(CLOCKS_DIFFER)),
                    Date.from(now.plus(goodFor)),
                    subject,
                    keys.getPublic());
            builder.addExtension(Extension.subjectAlternativeName, false, names(host));
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
            var certificate = builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate()));
            return new SelfSigned(pem(certificate), pem(new JcaPKCS8Generator(keys.getPrivate(), null)));
        } catch (GeneralSecurityException | OperatorCreationException | IOException e) {
            throw new TlsException("a certificate cannot be made: " + e.getMessage(), e);
        }
    }

    private static GeneralNames names(String host) {
        List<GeneralName> names = new ArrayList<>();
        boolean isAddress = NetUtil.isValidIpV4Address(host) || NetUtil.isValidIpV6Address(host);
        names.add(new GeneralName(isAddress ? GeneralName.iPAddress : GeneralName.dNSName, host));
        names.add(new GeneralName(GeneralName.dNSName, "localhost"));
        LOOPBACK.forEach(address -> names.add(new GeneralName(GeneralName.iPAddress, address)));
        return new GeneralNames(names.toArray(new GeneralName[0]));
    }

    private static String pem(Object object) throws IOException {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter pem = new JcaPEMWriter(text)) {
            pem.writeObject(object);
        }
        return text.toString();
    }

    /** Shows no key. */
    @Override
    public String toString() {
        return "SelfSigned[]";
    }
}
