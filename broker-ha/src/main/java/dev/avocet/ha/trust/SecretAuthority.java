package dev.avocet.ha.trust;

import dev.avocet.core.security.user.Argon2Cost;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPrivateKeySpec;
import java.security.spec.ECPublicKeySpec;
import java.time.Instant;
import java.util.Date;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.crypto.ec.CustomNamedCurves;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;
import org.bouncycastle.math.ec.ECPoint;
import org.bouncycastle.math.ec.FixedPointCombMultiplier;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * An authority for certificates whose key (P-256) is derived from a secret: all who know the secret have the same
 * authority, and no other party can sign as it does. Each process signs one certificate, for a key that it makes anew.
 *
 * <p>What it signs never expires: it is worth as much as the secret, and clocks of members may differ.
 */
final class SecretAuthority {
    static final String NAME = "CN=Authority of an Avocet pair";

    private static final String CURVE = "secp256r1";
    private static final String SIGNATURE = "SHA256withECDSA";

    /** Half as many again as the key has, so that all keys are as likely as each other (FIPS 186-5, A.2.1). */
    private static final int DERIVED_BYTES = 48;

    private static final byte[] SALT = "avocet pair authority 1".getBytes(StandardCharsets.US_ASCII);
    private static final int SERIAL_BITS = 127;
    private static final Instant BEGIN = Instant.parse("2000-01-01T00:00:00Z");
    /** Which says that it has no end (RFC 5280, 4.1.2.5). */
    private static final Instant NO_END = Instant.parse("9999-12-31T23:59:59Z");

    private final PrivateKey key;
    private final PublicKey verifier;

    private SecretAuthority(PrivateKey key, PublicKey verifier) {
        this.key = key;
        this.verifier = verifier;
    }

    /** Takes some 40 ms of a core and 19 MiB, so that a secret which is weak against the advice costs time to guess. */
    static SecretAuthority of(PairSecret secret) throws GeneralSecurityException {
        var domain = CustomNamedCurves.getByName(CURVE);
        BigInteger most = domain.getN().subtract(BigInteger.ONE);
        BigInteger number = new BigInteger(1, derived(secret)).mod(most).add(BigInteger.ONE);
        ECPoint point =
                new FixedPointCombMultiplier().multiply(domain.getG(), number).normalize();
        AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC");
        parameters.init(new ECGenParameterSpec(CURVE));
        ECParameterSpec curve = parameters.getParameterSpec(ECParameterSpec.class);
        KeyFactory factory = KeyFactory.getInstance("EC");
        return new SecretAuthority(
                factory.generatePrivate(new ECPrivateKeySpec(number, curve)),
                factory.generatePublic(new ECPublicKeySpec(
                        new java.security.spec.ECPoint(
                                point.getAffineXCoord().toBigInteger(),
                                point.getAffineYCoord().toBigInteger()),
                        curve)));
    }

    private static byte[] derived(PairSecret secret) {
        Argon2BytesGenerator generator = new Argon2BytesGenerator();
        generator.init(new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
                .withVersion(Argon2Parameters.ARGON2_VERSION_13)
                .withMemoryAsKB(Argon2Cost.DEFAULT.memoryKib())
                .withIterations(Argon2Cost.DEFAULT.passes())
                .withParallelism(Argon2Cost.DEFAULT.lanes())
                .withSalt(SALT)
                .build());
        byte[] bytes = new byte[DERIVED_BYTES];
        generator.generateBytes(secret.bytes(), bytes);
        return bytes;
    }

    /** A certificate for a member of a group, and that key of its. */
    X509Certificate sign(String group, String member, PublicKey owned) throws GeneralSecurityException {
        try {
            var builder = new JcaX509v3CertificateBuilder(
                    new X500Name(NAME),
                    new BigInteger(SERIAL_BITS, new SecureRandom()).setBit(0),
                    Date.from(BEGIN),
                    Date.from(NO_END),
                    new X500NameBuilder()
                            .addRDN(BCStyle.O, group)
                            .addRDN(BCStyle.CN, member)
                            .build(),
                    owned);
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
            return new JcaX509CertificateConverter()
                    .getCertificate(builder.build(new JcaContentSignerBuilder(SIGNATURE).build(key)));
        } catch (OperatorCreationException | CertIOException e) {
            throw new GeneralSecurityException("a certificate cannot be made: " + e.getMessage(), e);
        }
    }

    /** Whether this authority has signed it. */
    boolean hasSigned(X509Certificate certificate) {
        try {
            certificate.verify(verifier);
            return true;
        } catch (GeneralSecurityException e) {
            return false;
        }
    }
}
