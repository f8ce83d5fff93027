package dev.avocet.protection;

import dev.avocet.protection.ProtectionException.Reason;
import javax.crypto.SecretKey;
import org.bouncycastle.asn1.ASN1EncodableVector;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.ASN1Sequence;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.DERUTF8String;

/**
 * A key for contents, and for which messages it is good. In DER:
 *
 * <pre>
 * ContentKey ::= SEQUENCE {
 *   key         OCTET STRING,
 *   destination UTF8String,
 *   sender      UTF8String,
 *   stream      OCTET STRING,
 *   first       INTEGER,      -- the first sequence number
 *   count       INTEGER }     -- of messages
 * </pre>
 */
record ContentKey(SecretKey key, String destination, String sender, StreamId stream, long first, long count) {
    private static final int FIELDS = 6;

    byte[] toDer() {
        ASN1EncodableVector fields = new ASN1EncodableVector(FIELDS);
        fields.add(new DEROctetString(key.getEncoded()));
        fields.add(new DERUTF8String(destination));
        fields.add(new DERUTF8String(sender));
        fields.add(new DEROctetString(stream.toBytes()));
        fields.add(new ASN1Integer(first));
        fields.add(new ASN1Integer(count));
        return Binding.der(new DERSequence(fields));
    }

    static ContentKey of(byte[] der, ProtectionTerms.Cipher cipher) throws ProtectionException {
        try {
            ASN1Sequence fields = ASN1Sequence.getInstance(Binding.parse(der));
            if (fields.size() != FIELDS) {
                throw new IllegalArgumentException(FIELDS + " fields were expected, not " + fields.size());
            }
            byte[] key = ASN1OctetString.getInstance(fields.getObjectAt(0)).getOctets();
            if (key.length != cipher.keyBytes()) {
                throw new ProtectionException(
                        Reason.WRONG_ALGORITHM, "the key of the message is not one for " + cipher.title());
            }
            return new ContentKey(
                    ConfidentialPart.key(key),
                    Binding.text(fields, 1),
                    Binding.text(fields, 2),
                    StreamId.of(
                            ASN1OctetString.getInstance(fields.getObjectAt(3)).getOctets()),
                    Binding.number(fields, 4),
                    Binding.number(fields, 5));
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new ProtectionException(Reason.MALFORMED, "the key block of the envelope cannot be read: " + e, e);
        }
    }

    /** A key is good for the messages that it was made for, and no recipient can use it for others unnoticed. */
    void check(Binding binding) throws ProtectionException {
        boolean fits = binding.destination().equals(destination)
                && binding.sender().equals(sender)
                && binding.stream().equals(stream)
                && binding.sequence() >= first
                && binding.sequence() - first < count;
        if (!fits) {
            throw new ProtectionException(
                    Reason.TAMPERED, "the message was put together of parts of others: its key is not made for it");
        }
    }
}
