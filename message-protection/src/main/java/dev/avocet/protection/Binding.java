package dev.avocet.protection;

import dev.avocet.protection.ProtectionException.Reason;
import java.io.IOException;
import java.math.BigInteger;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1EncodableVector;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.ASN1Primitive;
import org.bouncycastle.asn1.ASN1Sequence;
import org.bouncycastle.asn1.ASN1UTF8String;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.DERUTF8String;

/**
 * What an envelope is tied to, so that it is good for this destination and this once. In DER:
 *
 * <pre>
 * Binding ::= SEQUENCE {
 *   destination UTF8String,   -- queue:NAME or topic:NAME
 *   sender      UTF8String,   -- subject of the sender's certificate
 *   stream      OCTET STRING, -- 16 random bytes: one sender's run of numbers
 *   sequence    INTEGER,      -- from 1
 *   time        INTEGER,      -- milliseconds since 1970
 *   kind        UTF8String }  -- what the content is
 * </pre>
 *
 * @param kind what the content is, for the application
 */
record Binding(String destination, String sender, StreamId stream, long sequence, long timeMs, String kind) {
    private static final int FIELDS = 6;

    ASN1Sequence toAsn1() {
        ASN1EncodableVector fields = new ASN1EncodableVector(FIELDS);
        fields.add(new DERUTF8String(destination));
        fields.add(new DERUTF8String(sender));
        fields.add(new DEROctetString(stream.toBytes()));
        fields.add(new ASN1Integer(sequence));
        fields.add(new ASN1Integer(timeMs));
        fields.add(new DERUTF8String(kind));
        return new DERSequence(fields);
    }

    static Binding of(ASN1Encodable value) throws ProtectionException {
        try {
            ASN1Sequence fields = ASN1Sequence.getInstance(value);
            if (fields.size() != FIELDS) {
                throw new IllegalArgumentException(FIELDS + " fields were expected, not " + fields.size());
            }
            return new Binding(
                    text(fields, 0),
                    text(fields, 1),
                    StreamId.of(
                            ASN1OctetString.getInstance(fields.getObjectAt(2)).getOctets()),
                    number(fields, 3),
                    number(fields, 4),
                    text(fields, 5));
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new ProtectionException(Reason.MALFORMED, "the envelope says not what it is tied to: " + e, e);
        }
    }

    static String text(ASN1Sequence fields, int index) {
        return ASN1UTF8String.getInstance(fields.getObjectAt(index)).getString();
    }

    static long number(ASN1Sequence fields, int index) {
        BigInteger value = ASN1Integer.getInstance(fields.getObjectAt(index)).getValue();
        if (value.signum() < 0) {
            throw new IllegalArgumentException("a number is negative");
        }
        return value.longValueExact();
    }

    static byte[] der(ASN1Encodable value) {
        try {
            return value.toASN1Primitive().getEncoded("DER");
        } catch (IOException e) {
            throw new IllegalStateException("memory does not fail so", e);
        }
    }

    /** Reads one value that takes all the bytes. */
    static ASN1Primitive parse(byte[] der) throws ProtectionException {
        try {
            return ASN1Primitive.fromByteArray(der);
        } catch (IOException | IllegalArgumentException | IllegalStateException | ClassCastException e) {
            throw new ProtectionException(Reason.MALFORMED, "the envelope is not DER", e);
        }
    }
}
