package dev.avocet.mqtt.faults;

import dev.avocet.testkit.TestAuthority.Issued;
import java.io.IOException;
import java.math.BigInteger;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.Date;
import java.util.Set;
import javax.net.ssl.KeyManager;
import javax.net.ssl.X509ExtendedKeyManager;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1EncodableVector;
import org.bouncycastle.asn1.ASN1Sequence;
import org.bouncycastle.asn1.ASN1TaggedObject;
import org.bouncycastle.asn1.DERBitString;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.DERTaggedObject;

/** A certificate that Java would not read, so that a client of Java can send it all the same. */
final class ForgedCertificate extends X509Certificate {
    private static final long serialVersionUID = 1L;
    private static final int EXTENSIONS = 3;

    private final X509Certificate like;
    private final byte[] encoded;

    private ForgedCertificate(X509Certificate like, byte[] encoded) {
        this.like = like;
        this.encoded = encoded;
    }

    /** The same certificate with its last extension twice, signed as it has to be. */
    static ForgedCertificate withAnExtensionTwice(X509Certificate good, PrivateKey authority)
            throws IOException, GeneralSecurityException {
        ASN1Sequence whole = ASN1Sequence.getInstance(good.getEncoded());
        ASN1EncodableVector parts = new ASN1EncodableVector();
        for (ASN1Encodable part : ASN1Sequence.getInstance(whole.getObjectAt(0))) {
            boolean isExtensions =
                    part.toASN1Primitive() instanceof ASN1TaggedObject tagged && tagged.getTagNo() == EXTENSIONS;
            parts.add(isExtensions ? doubled((ASN1TaggedObject) part.toASN1Primitive()) : part);
        }
        DERSequence signed = new DERSequence(parts);
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(authority);
        signature.update(signed.getEncoded());
        ASN1EncodableVector all = new ASN1EncodableVector();
        all.add(signed);
        all.add(whole.getObjectAt(1));
        all.add(new DERBitString(signature.sign()));
        return new ForgedCertificate(good, new DERSequence(all).getEncoded());
    }

    private static ASN1Encodable doubled(ASN1TaggedObject extensions) {
        ASN1Sequence single = ASN1Sequence.getInstance(extensions, true);
        ASN1EncodableVector twice = new ASN1EncodableVector();
        for (ASN1Encodable each : single) {
            twice.add(each);
        }
        twice.add(single.getObjectAt(single.size() - 1));
        return new DERTaggedObject(true, EXTENSIONS, new DERSequence(twice));
    }

    /** Has a client show these, whatever they are. */
    static KeyManager[] showing(Issued own, X509Certificate... chain) {
        return new KeyManager[] {new Shown(own.key(), chain)};
    }

    private static final class Shown extends X509ExtendedKeyManager {
        private final PrivateKey key;
        private final X509Certificate[] chain;

        Shown(PrivateKey key, X509Certificate... chain) {
            this.key = key;
            this.chain = chain;
        }

        @Override
        public String[] getClientAliases(String keyType, Principal[] issuers) {
            return new String[] {"own"};
        }

        @Override
        public String chooseClientAlias(String[] keyTypes, Principal[] issuers, Socket socket) {
            return "own";
        }

        @Override
        public String[] getServerAliases(String keyType, Principal[] issuers) {
            return new String[0];
        }

        @Override
        public String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
            return "own";
        }

        @Override
        public X509Certificate[] getCertificateChain(String alias) {
            return chain.clone();
        }

        @Override
        public PrivateKey getPrivateKey(String alias) {
            return key;
        }
    }

    @Override
    public byte[] getEncoded() {
        return encoded.clone();
    }

    @Override
    public PublicKey getPublicKey() {
        return like.getPublicKey();
    }

    @Override
    public void checkValidity() {}

    @Override
    public void checkValidity(Date date) {}

    @Override
    public int getVersion() {
        return like.getVersion();
    }

    @Override
    public BigInteger getSerialNumber() {
        return like.getSerialNumber();
    }

    @Override
    @SuppressWarnings("deprecation")
    public Principal getIssuerDN() {
        return like.getIssuerDN();
    }

    @Override
    @SuppressWarnings("deprecation")
    public Principal getSubjectDN() {
        return like.getSubjectDN();
    }

    @Override
    public Date getNotBefore() {
        return like.getNotBefore();
    }

    @Override
    public Date getNotAfter() {
        return like.getNotAfter();
    }

    @Override
    public byte[] getTBSCertificate() {
        return encoded.clone();
    }

    @Override
    public byte[] getSignature() {
        return like.getSignature();
    }

    @Override
    public String getSigAlgName() {
        return like.getSigAlgName();
    }

    @Override
    public String getSigAlgOID() {
        return like.getSigAlgOID();
    }

    @Override
    public byte[] getSigAlgParams() {
        return like.getSigAlgParams();
    }

    @Override
    public boolean[] getIssuerUniqueID() {
        return like.getIssuerUniqueID();
    }

    @Override
    public boolean[] getSubjectUniqueID() {
        return like.getSubjectUniqueID();
    }

    @Override
    public boolean[] getKeyUsage() {
        return like.getKeyUsage();
    }

    @Override
    public int getBasicConstraints() {
        return like.getBasicConstraints();
    }

    @Override
    public void verify(PublicKey key) {}

    @Override
    public void verify(PublicKey key, String provider) {}

    @Override
    public String toString() {
        return "forged " + like;
    }

    @Override
    public boolean hasUnsupportedCriticalExtension() {
        return false;
    }

    @Override
    public Set<String> getCriticalExtensionOIDs() {
        return like.getCriticalExtensionOIDs();
    }

    @Override
    public Set<String> getNonCriticalExtensionOIDs() {
        return like.getNonCriticalExtensionOIDs();
    }

    @Override
    public byte[] getExtensionValue(String oid) {
        return like.getExtensionValue(oid);
    }
}
