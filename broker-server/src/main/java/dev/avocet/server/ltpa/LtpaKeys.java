package dev.avocet.server.ltpa;

import dev.avocet.server.certificates.UnusableProfileException;
import java.io.IOException;
import java.io.StringReader;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.RSAPublicKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.Properties;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The keys of LTPA tokens, out of the file that the server which gives the tokens has exported: the secret that tokens
 * are encrypted with, and the public key of their signatures. The private key, which is in the file too, is not read.
 *
 * @param secret of 24 bytes; no class changes the array
 * @param realm of the server, or empty when the file has none
 */
record LtpaKeys(byte[] secret, RSAPublicKey publicKey, String realm) {
    private static final String PREFIX = "com.ibm.websphere.ltpa.";
    private static final String VERSION = "1.0";
    private static final int SECRET_BYTES = 24;
    private static final int EXPONENT_BYTES = 3;
    private static final int MIN_MODULUS_BITS = 1_024;
    private static final int MAX_MODULUS_BITS = 4_096;

    /** Reads the text of a file; the message of the exception says what is wrong with which property. */
    static LtpaKeys parse(String text, String password) throws UnusableProfileException {
        Properties file = new Properties();
        try {
            file.load(new StringReader(text));
        } catch (IOException | IllegalArgumentException e) {
            throw new UnusableProfileException(
                    "KeyFileName: it is not a file of LTPA keys; export them from WebSphere or Liberty", e);
        }
        String version = file.getProperty(PREFIX + "version", VERSION);
        if (!version.equals(VERSION)) {
            throw new UnusableProfileException(
                    "KeyFileName: its keys are of version " + version + "; only version " + VERSION + " is known here",
                    null);
        }
        byte[] secret = decrypt(bytes(file, "3DESKey"), password);
        return new LtpaKeys(
                secret,
                publicKey(bytes(file, "PublicKey")),
                file.getProperty(PREFIX + "Realm", "").strip());
    }

    @Override
    public String toString() {
        return "LtpaKeys[realm=" + realm + "]";
    }

    private static byte[] bytes(Properties file, String name) throws UnusableProfileException {
        String value = file.getProperty(PREFIX + name, "").strip();
        try {
            byte[] bytes = Base64.getDecoder().decode(value);
            if (bytes.length > 0) {
                return bytes;
            }
        } catch (IllegalArgumentException e) {
            throw new UnusableProfileException("KeyFileName: " + PREFIX + name + " of the file is not Base64", e);
        }
        throw new UnusableProfileException(
                "KeyFileName: the file has no " + PREFIX + name + "; export the keys from WebSphere or Liberty", null);
    }

    /** The secret is encrypted by Triple DES, with the SHA-1 of the password and four bytes of 0 as the key. */
    private static byte[] decrypt(byte[] encrypted, String password) throws UnusableProfileException {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(password.getBytes(StandardCharsets.UTF_8));
            Cipher cipher = Cipher.getInstance("DESede/ECB/PKCS5Padding");
            cipher.init(Cipher.DECRYPT_MODE, new SecretKeySpec(Arrays.copyOf(digest, SECRET_BYTES), "DESede"));
            byte[] secret = cipher.doFinal(encrypted);
            if (secret.length == SECRET_BYTES) {
                return secret;
            }
        } catch (GeneralSecurityException e) {
            throw wrongPassword(e);
        }
        throw wrongPassword(null);
    }

    private static UnusableProfileException wrongPassword(@Nullable Exception cause) {
        return new UnusableProfileException(
                "Password: the keys of the file cannot be decrypted with it; give the one that they were exported with",
                cause);
    }

    /** The modulus with a leading 0, then the exponent in three bytes. */
    private static RSAPublicKey publicKey(byte[] bytes) throws UnusableProfileException {
        int modulusBytes = Math.max(0, bytes.length - EXPONENT_BYTES);
        BigInteger modulus = new BigInteger(1, Arrays.copyOf(bytes, modulusBytes));
        BigInteger exponent = new BigInteger(1, Arrays.copyOfRange(bytes, modulusBytes, bytes.length));
        if (modulus.bitLength() < MIN_MODULUS_BITS
                || modulus.bitLength() > MAX_MODULUS_BITS
                || modulus.bitLength() % Short.SIZE != 0
                || !modulus.testBit(0)
                || !exponent.testBit(0)
                || exponent.bitLength() < 2) {
            throw new UnusableProfileException(
                    "KeyFileName: " + PREFIX + "PublicKey of the file is not an RSA key of " + MIN_MODULUS_BITS + " to "
                            + MAX_MODULUS_BITS + " bits",
                    null);
        }
        try {
            return (RSAPublicKey) KeyFactory.getInstance("RSA").generatePublic(new RSAPublicKeySpec(modulus, exponent));
        } catch (GeneralSecurityException e) {
            throw new UnusableProfileException("KeyFileName: the public key of the file cannot be used", e);
        }
    }
}
