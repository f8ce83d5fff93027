package dev.avocet.protection;

import dev.avocet.protection.ProtectionException.Reason;
import java.util.Arrays;

/**
 * The outer form of a sealed message: eight bytes by which anyone tells it from other messages, without any key, and
 * the sealed part behind them.
 *
 * <pre>
 * offset  bytes
 *      0      4  AE 41 50 4D
 *      4      1  version of the format, 1
 *      5      1  level: 1 integrity, 2 privacy, 3 confidentiality
 *      6      2  0
 *      8         the sealed part
 * </pre>
 *
 * The sealed part is a CMS ContentInfo (DER): SignedData for integrity, and AuthEnvelopedData around such for privacy.
 * For confidentiality it is a {@link ConfidentialPart}.
 */
final class Envelope {
    static final int HEAD_BYTES = 8;
    private static final byte[] MAGIC = {(byte) 0xAE, 'A', 'P', 'M'};
    private static final byte VERSION = 1;

    private Envelope() {}

    /** Whether the bytes claim to be an envelope, of whatever version. */
    static boolean isSealed(byte[] bytes) {
        return bytes.length >= HEAD_BYTES && Arrays.equals(bytes, 0, MAGIC.length, MAGIC, 0, MAGIC.length);
    }

    static byte[] head(ProtectionLevel level) {
        byte[] head = Arrays.copyOf(MAGIC, HEAD_BYTES);
        head[4] = VERSION;
        head[5] = (byte) level.code();
        return head;
    }

    static byte[] of(ProtectionLevel level, byte[] sealed) {
        byte[] whole = Arrays.copyOf(head(level), HEAD_BYTES + sealed.length);
        System.arraycopy(sealed, 0, whole, HEAD_BYTES, sealed.length);
        return whole;
    }

    /** Reads the head. */
    static ProtectionLevel level(byte[] bytes) throws ProtectionException {
        if (!isSealed(bytes)) {
            throw new ProtectionException(Reason.NOT_SEALED, "the message is not sealed");
        }
        if (bytes[4] != VERSION) {
            throw new ProtectionException(
                    Reason.MALFORMED,
                    "the envelope has format version " + (bytes[4] & 0xFF) + ", and this library reads version "
                            + VERSION + "; a newer library reads it");
        }
        if (bytes[6] != 0 || bytes[7] != 0) {
            throw new ProtectionException(Reason.MALFORMED, "the reserved bytes of the envelope are not zero");
        }
        return ProtectionLevel.ofCode(bytes[5]);
    }

    static byte[] sealed(byte[] bytes) {
        return Arrays.copyOfRange(bytes, HEAD_BYTES, bytes.length);
    }
}
