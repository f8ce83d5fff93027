package dev.avocet.server.export;

import dev.avocet.core.security.user.Argon2Cost;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.zip.CRC32C;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The form of a file with sessions, which only a password opens. All numbers are big-endian.
 *
 * <pre>
 *  8 bytes  AVCTCSET
 *  2        version of all that follows: 2; 1 in files whose messages all lie in a store
 *  4        memory of Argon2id in KiB
 *  1        its passes
 *  1        its lanes
 * 16        salt
 * 32        HMAC-SHA-256 of the above, with the second key of the password: tells a wrong password from a changed file
 *  4        CRC32C of the above
 *  …        parts: 4 bytes with the length of their content, the highest bit set in the last part; then AES-256-GCM of
 * the
 *           content with its tag of 16 bytes. Nonce: 4 bytes of zero and the number of the part in 8. Authenticated
 * too:
 *           the head, and the 4 bytes
 * </pre>
 *
 * <p>The contents of the parts behind each other are records: one byte of kind, 4 with the length, and the bytes.
 */
final class ClientSetFormat {
    static final int VERSION = 2;
    static final int OLDEST_VERSION = 1;
    static final int HEAD_BYTES = 8 + 2 + 4 + 2 + 16 + 32 + 4;
    static final int SALT_BYTES = 16;
    static final int PART_BYTES = 64 * 1024;
    static final int TAG_BYTES = 16;
    static final int LAST = 0x8000_0000;
    static final int RECORD_HEAD_BYTES = 5;
    static final byte[] MAGIC = "AVCTCSET".getBytes(StandardCharsets.US_ASCII);
    static final int MARKED_BYTES = HEAD_BYTES - 32 - 4;

    private static final int NONCE_BYTES = 12;

    private ClientSetFormat() {}

    /** The head of a new file. */
    static byte[] head(byte[] salt, byte[] keys) throws GeneralSecurityException {
        Argon2Cost cost = PasswordKeys.COST;
        ByteBuffer head = ByteBuffer.allocate(HEAD_BYTES)
                .put(MAGIC)
                .putShort((short) VERSION)
                .putInt(cost.memoryKib())
                .put((byte) cost.passes())
                .put((byte) cost.lanes())
                .put(salt);
        head.put(PasswordKeys.mark(keys, head.array(), MARKED_BYTES));
        return head.putInt(checksum(head.array())).array();
    }

    /** Of all in the head that is before it. */
    static int checksum(byte[] head) {
        CRC32C checksum = new CRC32C();
        checksum.update(head, 0, HEAD_BYTES - Integer.BYTES);
        return (int) checksum.getValue();
    }

    /** Seals or opens one part. */
    static byte[] part(int mode, byte[] keys, byte[] head, long number, int lengthField, byte[] bytes, int length)
            throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        byte[] nonce =
                ByteBuffer.allocate(NONCE_BYTES).putInt(0).putLong(number).array();
        cipher.init(
                mode,
                new SecretKeySpec(keys, 0, PasswordKeys.KEY_BYTES, "AES"),
                new GCMParameterSpec(TAG_BYTES * Byte.SIZE, nonce));
        cipher.updateAAD(head);
        cipher.updateAAD(ByteBuffer.allocate(Integer.BYTES).putInt(0, lengthField));
        return cipher.doFinal(bytes, 0, length);
    }
}
