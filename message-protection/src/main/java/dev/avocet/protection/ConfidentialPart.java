package dev.avocet.protection;

import dev.avocet.protection.ProtectionException.Reason;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The sealed part of an envelope for confidentiality: a key that is encrypted to the recipients, and content under that
 * key. The same key, in the same bytes, comes with several messages.
 *
 * <pre>
 * bytes
 *     4  length of the key block
 *        key block: CMS AuthEnvelopedData (DER) around a {@link ContentKey}
 *     4  length of the binding
 *        {@link Binding} (DER)
 *        content, AES-GCM, with the tag of 16 bytes at its end
 * </pre>
 *
 * The nonce is four zero bytes and the sequence number: a key belongs to one run of numbers, so no nonce comes twice.
 * The head of the envelope and the binding are authenticated with the content.
 */
record ConfidentialPart(byte[] keyBlock, byte[] binding, byte[] encrypted) {
    private static final int TAG_BITS = 128;
    private static final int NONCE_BYTES = 12;
    private static final String TRANSFORMATION = "AES/GCM/NoPadding";

    static byte[] seal(byte[] keyBlock, SecretKey key, Binding binding, byte[] content) {
        byte[] bound = Binding.der(binding.toAsn1());
        try {
            Cipher cipher = cipher(Cipher.ENCRYPT_MODE, key, binding.sequence(), bound);
            byte[] part = new byte
                    [Integer.BYTES
                            + keyBlock.length
                            + Integer.BYTES
                            + bound.length
                            + cipher.getOutputSize(content.length)];
            ByteBuffer buffer = ByteBuffer.wrap(part);
            buffer.putInt(keyBlock.length).put(keyBlock).putInt(bound.length).put(bound);
            cipher.doFinal(content, 0, content.length, part, buffer.position());
            return part;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("each Java runtime has " + TRANSFORMATION, e);
        }
    }

    static ConfidentialPart parse(byte[] envelope) throws ProtectionException {
        ByteBuffer buffer = ByteBuffer.wrap(envelope, Envelope.HEAD_BYTES, envelope.length - Envelope.HEAD_BYTES);
        byte[] keyBlock = block(buffer);
        byte[] binding = block(buffer);
        if (buffer.remaining() < TAG_BITS / Byte.SIZE) {
            throw new ProtectionException(Reason.MALFORMED, "the envelope ends within its content");
        }
        byte[] encrypted = Arrays.copyOfRange(envelope, buffer.position(), envelope.length);
        return new ConfidentialPart(keyBlock, binding, encrypted);
    }

    private static byte[] block(ByteBuffer buffer) throws ProtectionException {
        int length = buffer.remaining() < Integer.BYTES ? -1 : buffer.getInt();
        if (length < 0 || length > buffer.remaining()) {
            throw new ProtectionException(Reason.MALFORMED, "the envelope ends within its head");
        }
        byte[] block = new byte[length];
        buffer.get(block);
        return block;
    }

    byte[] open(SecretKey key, Binding bound) throws ProtectionException {
        try {
            return cipher(Cipher.DECRYPT_MODE, key, bound.sequence(), binding).doFinal(encrypted);
        } catch (AEADBadTagException e) {
            throw new ProtectionException(
                    Reason.TAMPERED, "the message was changed: its authentication tag does not fit", e);
        } catch (GeneralSecurityException e) {
            throw new ProtectionException(Reason.MALFORMED, "the message does not decrypt", e);
        }
    }

    private static Cipher cipher(int mode, SecretKey key, long sequence, byte[] binding)
            throws GeneralSecurityException {
        byte[] nonce = ByteBuffer.allocate(NONCE_BYTES)
                .putLong(NONCE_BYTES - Long.BYTES, sequence)
                .array();
        Cipher cipher = Cipher.getInstance(TRANSFORMATION);
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(Envelope.head(ProtectionLevel.CONFIDENTIALITY));
        cipher.updateAAD(binding);
        return cipher;
    }

    static SecretKey key(byte[] bytes) {
        return new SecretKeySpec(bytes, "AES");
    }
}
