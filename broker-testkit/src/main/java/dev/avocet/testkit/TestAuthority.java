package dev.avocet.testkit;

import dev.avocet.core.time.SystemClock;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.bouncycastle.asn1.ASN1Object;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.AccessDescription;
import org.bouncycastle.asn1.x509.AuthorityInformationAccess;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.CRLNumber;
import org.bouncycastle.asn1.x509.CRLReason;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.X509v2CRLBuilder;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.util.io.pem.PemGenerationException;
import org.jspecify.annotations.Nullable;

/** A certificate authority that a test makes up, with elliptic keys because they are quick to make. */
public final class TestAuthority {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final char[] PASSWORD = "changeit".toCharArray();

    private final String name;
    private final KeyPair keys;
    private final X509Certificate certificate;

    public TestAuthority(String name) {
        this.name = name;
        this.keys = ellipticKeys();
        Instant now = now();
        this.certificate = sign(name, keys, now.minus(Duration.ofDays(2)), now.plus(Duration.ofDays(3650)), true, keys);
    }

    public X509Certificate certificate() {
        return certificate;
    }

    /** For certificates that are wrong in another way than this class makes them. */
    public PrivateKey signingKey() {
        return keys.getPrivate();
    }

    /** A PEM file with the authority's certificate. */
    public Path writeTo(Path file) {
        return write(file, certificate);
    }

    /** A certificate for that common name, good for a year. */
    public Issued issue(String commonName) {
        return issue(commonName, now().plus(Duration.ofDays(365)));
    }

    /** A certificate that is good, or was, until then. */
    public Issued issue(String commonName, Instant expiry) {
        return issue(commonName, expiry, ellipticKeys());
    }

    /** A certificate that names an OCSP responder. */
    public Issued issue(String commonName, URI responder) {
        return issue(commonName, now().plus(Duration.ofDays(365)), ellipticKeys(), answeredBy(responder));
    }

    /** The same for the key of another one, which costs half. */
    public Issued issueAlike(Issued like, String commonName, URI responder) {
        KeyPair pair = new KeyPair(like.certificate().getPublicKey(), like.key());
        return issue(commonName, now().plus(Duration.ofDays(365)), pair, answeredBy(responder));
    }

    private static Extension answeredBy(URI responder) {
        return extension(
                Extension.authorityInfoAccess,
                new AuthorityInformationAccess(
                        AccessDescription.id_ad_ocsp,
                        new GeneralName(GeneralName.uniformResourceIdentifier, responder.toString())));
    }

    /** A certificate for a responder, which the authority lets sign answers about its certificates. */
    public Issued issueForAnswers(String commonName, Instant expiry) {
        Extension use = extension(Extension.extendedKeyUsage, new ExtendedKeyUsage(KeyPurposeId.id_kp_OCSPSigning));
        return issue(commonName, expiry, ellipticKeys(), use);
    }

    /** The authority with its own key. */
    Issued asSigner() {
        return new Issued(keys.getPrivate(), certificate, this);
    }

    /** A certificate for an RSA key, which old ciphers need. */
    public Issued issueRsa(String commonName) {
        return issue(commonName, now().plus(Duration.ofDays(365)), rsaKeys());
    }

    private Issued issue(String commonName, Instant expiry, KeyPair pair, Extension... more) {
        X509Certificate issued = sign(commonName, pair, expiry.minus(Duration.ofDays(400)), expiry, false, keys, more);
        return new Issued(pair.getPrivate(), issued, this);
    }

    private static Extension extension(ASN1ObjectIdentifier id, ASN1Object value) {
        try {
            return new Extension(id, false, value.getEncoded());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What a client needs that trusts this authority, and shows that certificate if it is not null. */
    public SSLContext clientContext(@Nullable Issued own, String protocol) {
        try {
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            trusted.setCertificateEntry("authority", certificate);
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            KeyManagerFactory keyManagers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keyManagers.init(own == null ? null : own.keyStore(), PASSWORD);
            SSLContext context = SSLContext.getInstance(protocol);
            context.init(own == null ? null : keyManagers.getKeyManagers(), trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Writes a list of certificates that are revoked.
     *
     * @param number of the list
     * @param base number of the list that this one changes; 0 for a whole list
     */
    public Path writeRevocations(Path file, int number, int base, Instant nextUpdate, Issued... revoked) {
        try {
            Instant thisUpdate = now().minusSeconds(3_600);
            X509v2CRLBuilder builder = new X509v2CRLBuilder(new X500Name("CN=" + name), Date.from(thisUpdate));
            builder.setNextUpdate(Date.from(nextUpdate));
            builder.addExtension(Extension.cRLNumber, false, new CRLNumber(BigInteger.valueOf(number)));
            if (base > 0) {
                builder.addExtension(Extension.deltaCRLIndicator, true, new CRLNumber(BigInteger.valueOf(base)));
            }
            for (Issued each : revoked) {
                builder.addCRLEntry(
                        each.certificate().getSerialNumber(), Date.from(thisUpdate), CRLReason.keyCompromise);
            }
            return write(file, builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate())));
        } catch (IOException | OperatorCreationException e) {
            throw new IllegalStateException(e);
        }
    }

    private X509Certificate sign(
            String commonName,
            KeyPair pair,
            Instant from,
            Instant until,
            boolean authority,
            KeyPair signer,
            Extension... more) {
        try {
            X509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                    new X500Name("CN=" + name),
                    new BigInteger(64, RANDOM),
                    Date.from(from),
                    Date.from(until),
                    new X500Name("O=Avocet, CN=" + commonName),
                    pair.getPublic());
            if (authority) {
                builder = new JcaX509v3CertificateBuilder(
                        new X500Name("CN=" + name),
                        BigInteger.ONE,
                        Date.from(from),
                        Date.from(until),
                        new X500Name("CN=" + name),
                        pair.getPublic());
            } else {
                builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(new GeneralName[] {
                    new GeneralName(GeneralName.iPAddress, "127.0.0.1"),
                    new GeneralName(GeneralName.dNSName, "localhost")
                }));
            }
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(authority));
            for (Extension each : more) {
                builder.addExtension(each);
            }
            return new JcaX509CertificateConverter()
                    .getCertificate(
                            builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(signer.getPrivate())));
        } catch (GeneralSecurityException | OperatorCreationException | CertIOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Clients look at the real time. */
    private static Instant now() {
        return Instant.ofEpochMilli(new SystemClock().wallTimeMs());
    }

    private static KeyPair ellipticKeys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static KeyPair rsaKeys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Path write(Path file, Object... objects) {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter pem = new JcaPEMWriter(text)) {
            for (Object object : objects) {
                pem.writeObject(object);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        try {
            return Files.writeString(file, text.toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A certificate with its key. */
    public record Issued(PrivateKey key, X509Certificate certificate, TestAuthority authority) {
        /** A PEM file with the certificate. */
        public Path writeCertificate(Path file) {
            return write(file, certificate);
        }

        /** A PEM file with the certificate and that of its authority. */
        public Path writeChain(Path file) {
            return write(file, certificate, authority.certificate());
        }

        /** A PEM file with the key, in PKCS#8. */
        public Path writeKey(Path file) {
            try {
                return write(file, new JcaPKCS8Generator(key, null));
            } catch (PemGenerationException e) {
                throw new IllegalStateException(e);
            }
        }

        /** A PEM file with the key in the form that its kind had before PKCS#8. */
        public Path writeOldKey(Path file) {
            return write(file, key);
        }

        /** A PKCS#12 file with both. */
        public Path writeKeyStore(Path file, String password) {
            try (var out = Files.newOutputStream(file)) {
                KeyStore store = KeyStore.getInstance("PKCS12");
                store.load(null, null);
                store.setKeyEntry("key", key, password.toCharArray(), chain());
                store.store(out, password.toCharArray());
                return file;
            } catch (GeneralSecurityException | IOException e) {
                throw new IllegalStateException(e);
            }
        }

        /** What a client needs to show it. */
        public KeyManager[] keyManagers() throws GeneralSecurityException, IOException {
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(keyStore(), PASSWORD);
            return factory.getKeyManagers();
        }

        KeyStore keyStore() throws GeneralSecurityException, IOException {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry("key", key, PASSWORD, chain());
            return store;
        }

        private Certificate[] chain() {
            return new Certificate[] {certificate, authority.certificate()};
        }
    }
}
