package dev.avocet.server.export;

import dev.avocet.core.security.user.Argon2Cost;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Bytes that only a password opens. Two keys come from the password by Argon2id: one for AES-256-GCM, which keeps the
 * content secret and notices every change of the file, and one that marks the head, so that a wrong password is told
 * from a changed file.
 *
 * <pre>
 *  8 bytes  AVCTEXP1
 *  4        memory of Argon2id in KiB, big-endian
 *  1        its passes
 *  1        its lanes
 * 16        salt
 * 12        nonce
 * 32        HMAC-SHA-256 of the above, with the second key
 *  4        length of the rest, big-endian
 *  …        AES-256-GCM of the content, with its tag of 16 bytes; all of the above is authenticated too
 * </pre>
 */
public final class SealedFile {
    private static final Argon2Cost COST = PasswordKeys.COST;

    private static final byte[] MAGIC = "AVCTEXP1".getBytes(StandardCharsets.US_ASCII);
    private static final int SALT_BYTES = 16;
    private static final int NONCE_BYTES = 12;
    private static final int KEY_BYTES = PasswordKeys.KEY_BYTES;
    private static final int MARKED_BYTES = MAGIC.length + Integer.BYTES + 2 + SALT_BYTES + NONCE_BYTES;
    private static final int HEAD_BYTES = MARKED_BYTES + KEY_BYTES + Integer.BYTES;
    private static final int TAG_BITS = 128;

    /** One derivation at a time takes its memory. */
    private final ReentrantLock deriving = new ReentrantLock();

    private final SecureRandom random;

    public SealedFile(SecureRandom random) {
        this.random = random;
    }

    /** Seals the content. */
    public byte[] seal(byte[] content, String password) {
        byte[] salt = bytes(SALT_BYTES);
        byte[] nonce = bytes(NONCE_BYTES);
        byte[] keys = keys(password, salt, COST);
        try {
            ByteBuffer head = ByteBuffer.allocate(HEAD_BYTES)
                    .put(MAGIC)
                    .putInt(COST.memoryKib())
                    .put((byte) COST.passes())
                    .put((byte) COST.lanes())
                    .put(salt)
                    .put(nonce);
            head.put(mark(keys, head.array())).putInt(content.length + TAG_BITS / Byte.SIZE);
            byte[] sealed =
                    cipher(Cipher.ENCRYPT_MODE, keys, nonce, head.array()).doFinal(content);
            return ByteBuffer.allocate(HEAD_BYTES + sealed.length)
                    .put(head.array())
                    .put(sealed)
                    .array();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime lacks what every Java 17 runtime has", e);
        } finally {
            Arrays.fill(keys, (byte) 0);
        }
    }

    /**
     * The content that was sealed.
     *
     * @throws ExportException when the file is none, is not whole, was changed, or the password is another
     */
    public byte[] open(byte[] file, String password) throws ExportException {
        ByteBuffer in = ByteBuffer.wrap(file);
        try {
            byte[] magic = part(in, Math.min(MAGIC.length, file.length));
            if (!Arrays.equals(magic, MAGIC)) {
                throw new ExportException("this is not a file that a broker has exported");
            }
            Argon2Cost cost = new Argon2Cost(in.getInt(), in.get(), in.get());
            if (cost.memoryKib() > COST.memoryKib()) {
                throw new ExportException("the file was changed after it was made: no export wants so much memory");
            }
            byte[] salt = part(in, SALT_BYTES);
            byte[] nonce = part(in, NONCE_BYTES);
            byte[] mark = part(in, KEY_BYTES);
            int length = in.getInt();
            if (length != in.remaining()) {
                throw new ExportException("the file is not whole: " + length + " bytes should follow its head, and "
                        + in.remaining() + " do");
            }
            return open(file, password, cost, salt, nonce, mark);
        } catch (BufferUnderflowException e) {
            throw new ExportException("the file is not whole: it ends within its head");
        } catch (IllegalArgumentException e) {
            throw new ExportException("the file was changed after it was made: " + e.getMessage());
        }
    }

    private byte[] open(byte[] file, String password, Argon2Cost cost, byte[] salt, byte[] nonce, byte[] mark)
            throws ExportException {
        byte[] keys = keys(password, salt, cost);
        try {
            if (!MessageDigest.isEqual(mark(keys, file), mark)) {
                throw new ExportException("the password is wrong, or the head of the file was changed");
            }
            return cipher(Cipher.DECRYPT_MODE, keys, nonce, Arrays.copyOf(file, HEAD_BYTES))
                    .doFinal(file, HEAD_BYTES, file.length - HEAD_BYTES);
        } catch (AEADBadTagException e) {
            throw new ExportException("the file was changed after it was made");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime lacks what every Java 17 runtime has", e);
        } finally {
            Arrays.fill(keys, (byte) 0);
        }
    }

    private static Cipher cipher(int mode, byte[] keys, byte[] nonce, byte[] head) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, new SecretKeySpec(keys, 0, KEY_BYTES, "AES"), new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(head);
        return cipher;
    }

    private static byte[] mark(byte[] keys, byte[] head) throws GeneralSecurityException {
        return PasswordKeys.mark(keys, head, MARKED_BYTES);
    }

    private byte[] keys(String password, byte[] salt, Argon2Cost cost) {
        deriving.lock();
        try {
            return PasswordKeys.derive(password, salt, cost);
        } finally {
            deriving.unlock();
        }
    }

    private byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    private static byte[] part(ByteBuffer in, int count) {
        byte[] part = new byte[count];
        in.get(part);
        return part;
    }
}
