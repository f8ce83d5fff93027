package dev.avocet.core.security.user;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/** The four functions of RFC 5802 section 2.2, with SHA-256 as the hash (RFC 7677). */
public final class ScramHash {
    /** Length of a SHA-256 hash. */
    public static final int KEY_BYTES = 32;

    private static final String HMAC = "HmacSHA256";
    /** A provider of which it is known that it takes no shorter ones in its approved mode, but ends in an error. */
    private static final String STRICT_PROVIDER = "BCFIPS";

    private static final int STRICT_BYTES = 14;

    private ScramHash() {}

    /**
     * Hi(password, salt, i); the password has been through SASLprep and is not empty.
     *
     * @throws IllegalArgumentException when it is empty, or too short for what FIPS 140 approves where that counts
     */
    static byte[] saltedPassword(String password, byte[] salt, int iterations) {
        if (password.isEmpty()) {
            throw new IllegalArgumentException("a password is not empty");
        }
        PBEKeySpec spec = new PBEKeySpec(password.toCharArray(), salt, iterations, KEY_BYTES * Byte.SIZE);
        try {
            SecretKeyFactory factory = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256");
            if (factory.getProvider().getName().equals(STRICT_PROVIDER)
                    && password.getBytes(StandardCharsets.UTF_8).length < STRICT_BYTES) {
                throw new IllegalArgumentException("FIPS 140 asks for passwords of " + STRICT_BYTES
                        + " bytes or more where " + STRICT_PROVIDER + " checks them");
            }
            return factory.generateSecret(spec).getEncoded();
        } catch (GeneralSecurityException e) {
            throw missing(e);
        } finally {
            spec.clearPassword();
        }
    }

    public static byte[] hmac(byte[] key, String message) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(key, HMAC));
            return mac.doFinal(message.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw missing(e);
        }
    }

    public static byte[] sha256(byte[] input) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(input);
        } catch (GeneralSecurityException e) {
            throw missing(e);
        }
    }

    /** Both arrays have the same length. */
    public static byte[] xor(byte[] left, byte[] right) {
        byte[] result = left.clone();
        for (int i = 0; i < result.length; i++) {
            result[i] ^= right[i];
        }
        return result;
    }

    private static IllegalStateException missing(GeneralSecurityException cause) {
        return new IllegalStateException("this Java runtime lacks SHA-256, which every Java 17 runtime has", cause);
    }
}
