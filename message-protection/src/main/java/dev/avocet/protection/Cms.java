package dev.avocet.protection;

import dev.avocet.protection.ProtectionException.Reason;
import dev.avocet.protection.ProtectionTerms.Cipher;
import dev.avocet.protection.ProtectionTerms.Digest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.cms.ContentInfo;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.RSAESOAEPparams;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaCertStore;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cms.CMSAlgorithm;
import org.bouncycastle.cms.CMSAuthEnvelopedData;
import org.bouncycastle.cms.CMSAuthEnvelopedDataGenerator;
import org.bouncycastle.cms.CMSException;
import org.bouncycastle.cms.CMSProcessableByteArray;
import org.bouncycastle.cms.CMSSignedData;
import org.bouncycastle.cms.CMSSignedDataGenerator;
import org.bouncycastle.cms.KeyAgreeRecipientInformation;
import org.bouncycastle.cms.Recipient;
import org.bouncycastle.cms.RecipientInformation;
import org.bouncycastle.cms.SignerInformation;
import org.bouncycastle.cms.jcajce.JcaSignerInfoGeneratorBuilder;
import org.bouncycastle.cms.jcajce.JcaSimpleSignerInfoVerifierBuilder;
import org.bouncycastle.cms.jcajce.JceCMSContentEncryptorBuilder;
import org.bouncycastle.cms.jcajce.JceKeyAgreeAuthEnvelopedRecipient;
import org.bouncycastle.cms.jcajce.JceKeyAgreeRecipientId;
import org.bouncycastle.cms.jcajce.JceKeyAgreeRecipientInfoGenerator;
import org.bouncycastle.cms.jcajce.JceKeyTransAuthEnvelopedRecipient;
import org.bouncycastle.cms.jcajce.JceKeyTransRecipientId;
import org.bouncycastle.cms.jcajce.JceKeyTransRecipientInfoGenerator;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.operator.DefaultAlgorithmNameFinder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.OutputAEADEncryptor;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.operator.jcajce.JcaDigestCalculatorProviderBuilder;
import org.bouncycastle.util.Selector;
import org.jspecify.annotations.Nullable;

/** Signatures and encryption by key pairs, in CMS. Any thread. */
final class Cms {
    /** For this library alone: it is not installed in the JVM. */
    static final Provider PROVIDER = new BouncyCastleProvider();

    private Cms() {}

    /**
     * A key in the form of the library, which signs by it in half the time. One that stays in its hardware is left as
     * it is.
     */
    static PrivateKey own(PrivateKey key) {
        byte[] encoded = key.getEncoded();
        if (encoded == null) {
            return key;
        }
        try {
            return KeyFactory.getInstance(key.getAlgorithm(), PROVIDER)
                    .generatePrivate(new PKCS8EncodedKeySpec(encoded));
        } catch (GeneralSecurityException e) {
            return key;
        }
    }

    /** The same for a certificate. */
    static X509Certificate own(X509Certificate certificate) {
        try {
            return (X509Certificate) CertificateFactory.getInstance("X.509", PROVIDER)
                    .generateCertificate(new ByteArrayInputStream(certificate.getEncoded()));
        } catch (GeneralSecurityException e) {
            return certificate;
        }
    }

    /** What was signed, and by whom; whether that certificate is any good is not looked at. */
    record Signed(byte[] content, X509Certificate signer, List<X509Certificate> chain, String digest) {}

    static byte[] sign(byte[] content, KeyRing keys, Digest digest) throws ProtectionException {
        PrivateKey key = keys.privateKey("a signature");
        try {
            CMSSignedDataGenerator generator = new CMSSignedDataGenerator();
            generator.addSignerInfoGenerator(new JcaSignerInfoGeneratorBuilder(new JcaDigestCalculatorProviderBuilder()
                            .setProvider(PROVIDER)
                            .build())
                    .build(
                            new JcaContentSignerBuilder(algorithm(digest, keys.certificate()))
                                    .setProvider(PROVIDER)
                                    .build(key),
                            keys.certificate()));
            generator.addCertificates(new JcaCertStore(keys.chain()));
            return generator
                    .generate(new CMSProcessableByteArray(content), true)
                    .getEncoded();
        } catch (OperatorCreationException | GeneralSecurityException | CMSException | IOException e) {
            throw new ProtectionException(Reason.NO_KEY, "the message cannot be signed: " + e.getMessage(), e);
        }
    }

    private static String algorithm(Digest digest, X509Certificate certificate) throws ProtectionException {
        if (certificate.getPublicKey() instanceof RSAPublicKey) {
            return digest.prefix() + "withRSA";
        }
        if (certificate.getPublicKey() instanceof ECPublicKey) {
            return digest.prefix() + "withECDSA";
        }
        throw new ProtectionException(
                Reason.NO_KEY,
                "a key of the kind " + certificate.getPublicKey().getAlgorithm() + " does not sign; use RSA or EC");
    }

    static Signed verify(byte[] der) throws ProtectionException {
        try {
            CMSSignedData signed = new CMSSignedData(content(der));
            List<SignerInformation> signers =
                    new ArrayList<>(signed.getSignerInfos().getSigners());
            if (signers.size() != 1 || signed.getSignedContent() == null) {
                throw new ProtectionException(
                        Reason.MALFORMED, "the envelope has " + signers.size() + " signatures, and one was expected");
            }
            SignerInformation signer = signers.get(0);
            List<X509Certificate> certificates = certificates(signed);
            X509Certificate own = ofSigner(signer, certificates);
            if (!signer.verify(new JcaSimpleSignerInfoVerifierBuilder()
                    .setProvider(PROVIDER)
                    .build(own.getPublicKey()))) {
                throw tampered();
            }
            String digest = new DefaultAlgorithmNameFinder().getAlgorithmName(signer.getDigestAlgorithmID());
            return new Signed((byte[]) signed.getSignedContent().getContent(), own, certificates, digest);
        } catch (CMSException | OperatorCreationException | CertificateException e) {
            throw new ProtectionException(
                    Reason.TAMPERED, "the signature of the message does not fit: " + e.getMessage(), e);
        }
    }

    /** The whole of the bytes: what comes behind would be unsigned. */
    private static ContentInfo content(byte[] der) throws ProtectionException {
        return ContentInfo.getInstance(Binding.parse(der));
    }

    private static List<X509Certificate> certificates(CMSSignedData signed) throws CertificateException {
        JcaX509CertificateConverter converter = new JcaX509CertificateConverter().setProvider(PROVIDER);
        List<X509Certificate> certificates = new ArrayList<>();
        for (X509CertificateHolder one : signed.getCertificates().getMatches(null)) {
            certificates.add(converter.getCertificate(one));
        }
        return certificates;
    }

    @SuppressWarnings("unchecked") // the library's own raw type
    private static X509Certificate ofSigner(SignerInformation signer, List<X509Certificate> certificates)
            throws ProtectionException, CertificateException {
        Selector<X509CertificateHolder> wanted = signer.getSID();
        for (X509Certificate one : certificates) {
            try {
                if (wanted.match(new X509CertificateHolder(one.getEncoded()))) {
                    return one;
                }
            } catch (IOException e) {
                throw new CertificateException(e);
            }
        }
        throw new ProtectionException(Reason.MALFORMED, "the envelope lacks the certificate of its signer");
    }

    static byte[] encrypt(byte[] content, List<X509Certificate> recipients, Cipher cipher) throws ProtectionException {
        try {
            CMSAuthEnvelopedDataGenerator generator = new CMSAuthEnvelopedDataGenerator();
            for (X509Certificate recipient : recipients) {
                addRecipient(generator, recipient);
            }
            OutputAEADEncryptor encryptor = (OutputAEADEncryptor) new JceCMSContentEncryptorBuilder(algorithm(cipher))
                    .setProvider(PROVIDER)
                    .build();
            return generator
                    .generate(new CMSProcessableByteArray(content), encryptor)
                    .getEncoded();
        } catch (GeneralSecurityException | CMSException | IOException e) {
            throw new ProtectionException(Reason.NO_KEY, "the message cannot be encrypted: " + e.getMessage(), e);
        }
    }

    private static ASN1ObjectIdentifier algorithm(Cipher cipher) {
        return cipher == Cipher.AES256_GCM ? CMSAlgorithm.AES256_GCM : CMSAlgorithm.AES128_GCM;
    }

    private static void addRecipient(CMSAuthEnvelopedDataGenerator generator, X509Certificate recipient)
            throws GeneralSecurityException, ProtectionException {
        if (recipient.getPublicKey() instanceof RSAPublicKey) {
            generator.addRecipientInfoGenerator(
                    new JceKeyTransRecipientInfoGenerator(recipient, oaep()).setProvider(PROVIDER));
        } else if (recipient.getPublicKey() instanceof ECPublicKey) {
            KeyPair pair = ephemeral(recipient);
            generator.addRecipientInfoGenerator(new JceKeyAgreeRecipientInfoGenerator(
                            CMSAlgorithm.ECDH_SHA256KDF, pair.getPrivate(), pair.getPublic(), CMSAlgorithm.AES256_WRAP)
                    .addRecipient(recipient)
                    .setProvider(PROVIDER));
        } else {
            throw new ProtectionException(
                    Reason.NO_KEY,
                    "the certificate of '" + SubjectName.of(recipient) + "' has a key of the kind "
                            + recipient.getPublicKey().getAlgorithm()
                            + ", which cannot be encrypted to; use RSA or EC");
        }
    }

    /**
     * A key pair on the curve of a recipient. The library knows a curve by its name several times as fast as by its
     * numbers.
     */
    private static KeyPair ephemeral(X509Certificate recipient) throws GeneralSecurityException, ProtectionException {
        ASN1Encodable curve = SubjectPublicKeyInfo.getInstance(
                        recipient.getPublicKey().getEncoded())
                .getAlgorithm()
                .getParameters();
        if (!(curve instanceof ASN1ObjectIdentifier name)) {
            throw new ProtectionException(
                    Reason.NO_KEY,
                    "the certificate of '" + SubjectName.of(recipient)
                            + "' spells its curve out; use one with a named curve, such as secp256r1");
        }
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC", PROVIDER);
        generator.initialize(new ECGenParameterSpec(name.getId()));
        return generator.generateKeyPair();
    }

    private static AlgorithmIdentifier oaep() {
        AlgorithmIdentifier sha256 = new AlgorithmIdentifier(NISTObjectIdentifiers.id_sha256);
        return new AlgorithmIdentifier(
                PKCSObjectIdentifiers.id_RSAES_OAEP,
                new RSAESOAEPparams(
                        sha256,
                        new AlgorithmIdentifier(PKCSObjectIdentifiers.id_mgf1, sha256),
                        RSAESOAEPparams.DEFAULT_P_SOURCE_ALGORITHM));
    }

    /** @param cipher the only one that is taken */
    static byte[] decrypt(byte[] der, KeyRing keys, Cipher cipher) throws ProtectionException {
        PrivateKey key = keys.privateKey("opening an encrypted message");
        CMSAuthEnvelopedData enveloped;
        RecipientInformation mine;
        try {
            enveloped = new CMSAuthEnvelopedData(content(der));
            mine = ownShare(enveloped, keys.certificate());
        } catch (CMSException e) {
            throw new ProtectionException(Reason.MALFORMED, "the encrypted part of the envelope cannot be read", e);
        }
        if (mine == null) {
            throw new ProtectionException(
                    Reason.NOT_A_RECIPIENT,
                    "the message is sealed for others than '" + keys.subject() + "', which is the key at hand");
        }
        if (!algorithm(cipher).getId().equals(enveloped.getEncryptionAlgOID())) {
            throw new ProtectionException(
                    Reason.WRONG_ALGORITHM, "the message is not encrypted with " + cipher.title());
        }
        try {
            return mine.getContent(recipient(mine, key));
        } catch (CMSException | RuntimeException e) { // a tag that does not fit comes as either
            throw new ProtectionException(
                    Reason.TAMPERED, "the message was changed, or encrypted with another key: it does not decrypt", e);
        }
    }

    private static @Nullable RecipientInformation ownShare(CMSAuthEnvelopedData enveloped, X509Certificate own) {
        boolean rsa = own.getPublicKey() instanceof RSAPublicKey;
        return enveloped
                .getRecipientInfos()
                .get(rsa ? new JceKeyTransRecipientId(own) : new JceKeyAgreeRecipientId(own));
    }

    private static Recipient recipient(RecipientInformation share, PrivateKey key) {
        return share instanceof KeyAgreeRecipientInformation
                ? new JceKeyAgreeAuthEnvelopedRecipient(key).setProvider(PROVIDER)
                : new JceKeyTransAuthEnvelopedRecipient(key).setProvider(PROVIDER);
    }

    static ProtectionException tampered() {
        return new ProtectionException(Reason.TAMPERED, "the message was changed: its signature does not fit");
    }
}
