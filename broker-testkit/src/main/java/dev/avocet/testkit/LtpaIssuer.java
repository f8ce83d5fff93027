package dev.avocet.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.interfaces.RSAPrivateKey;
import java.security.interfaces.RSAPublicKey;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.crypto.InvalidCipherTextException;
import org.bouncycastle.crypto.encodings.ISO9796d1Encoding;
import org.bouncycastle.crypto.engines.RSAEngine;
import org.bouncycastle.crypto.params.RSAKeyParameters;

/** Gives LTPA tokens as WebSphere does, with keys of its own. Shares no code with the broker. */
public final class LtpaIssuer {
    private static final String REALM = "office";

    private final byte[] secret = new byte[24];
    private final KeyPair keys;

    private LtpaIssuer(KeyPair keys) {
        this.keys = keys;
        new SecureRandom().nextBytes(secret);
    }

    /** With new keys, of 1,024 bits as WebSphere has them. */
    public static LtpaIssuer create() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(1_024);
            return new LtpaIssuer(generator.generateKeyPair());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The file of the keys, for the realm "office". */
    public String keyFile(String password) {
        return keyFile(password, REALM, "1.0");
    }

    public String keyFile(String password, String realm, String version) {
        return "#IBM WebSphere Application Server key file\n"
                + "#Mon Jul 15 12:32:45 CDT 2013\n"
                + "com.ibm.websphere.CreationDate=Mon Jul 15 12\\:32\\:45 CDT 2013\n"
                + "com.ibm.websphere.ltpa.version=" + version + "\n"
                + "com.ibm.websphere.ltpa.3DESKey=" + escaped(encryptedSecret(password)) + "\n"
                + "com.ibm.websphere.CreationHost=office1\n"
                + "com.ibm.websphere.ltpa.PrivateKey=bm90IHJlYWQ\\=\n"
                + "com.ibm.websphere.ltpa.Realm=" + realm + "\n"
                + "com.ibm.websphere.ltpa.PublicKey=" + escaped(publicKey()) + "\n";
    }

    /** An LtpaToken2 for a user of the realm "office", such as {@code uid=anna,o=acme}. */
    public String token2(String user, long endMs) {
        return token2(body(endMs, REALM, user), Long.toString(endMs));
    }

    /**
     * @param body the attributes, which are signed
     * @param end what stands behind them and is not
     */
    public String token2(String body, String end) {
        try {
            Signature rsa = Signature.getInstance("SHA1withRSA");
            rsa.initSign(keys.getPrivate());
            rsa.update(sha1(body));
            String text = body + "%" + end + "%" + Base64.getEncoder().encodeToString(rsa.sign());
            byte[] key = Arrays.copyOf(secret, 16);
            Cipher aes = Cipher.getInstance("AES/CBC/PKCS5Padding");
            aes.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"), new IvParameterSpec(key));
            return Base64.getEncoder().encodeToString(aes.doFinal(text.getBytes(UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** An LtpaToken, the older form, for a user of the realm "office". */
    public String token1(String user, long endMs) {
        String body = "u:user\\:" + REALM + "/" + user;
        RSAPrivateKey key = (RSAPrivateKey) keys.getPrivate();
        ISO9796d1Encoding iso = new ISO9796d1Encoding(new RSAEngine());
        iso.init(true, new RSAKeyParameters(true, key.getModulus(), key.getPrivateExponent()));
        try {
            byte[] digest = sha1(body);
            BigInteger number = new BigInteger(1, iso.processBlock(digest, 0, digest.length));
            byte[] signature = bytes(number.min(key.getModulus().subtract(number)), key.getModulus());
            String text = body + "%" + endMs + "%" + Base64.getEncoder().encodeToString(signature);
            Cipher cipher = Cipher.getInstance("DESede/ECB/PKCS5Padding");
            cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(secret, "DESede"));
            return Base64.getEncoder().encodeToString(cipher.doFinal(text.getBytes(UTF_8)));
        } catch (GeneralSecurityException | InvalidCipherTextException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The attributes of an LtpaToken2. */
    public static String body(long endMs, String realm, String user) {
        return "expire:" + endMs + "$host:office1$u:user\\:" + realm + "/" + user;
    }

    private String encryptedSecret(String password) {
        try {
            Cipher cipher = Cipher.getInstance("DESede/ECB/PKCS5Padding");
            cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(Arrays.copyOf(sha1(password), 24), "DESede"));
            return Base64.getEncoder().encodeToString(cipher.doFinal(secret));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private String publicKey() {
        RSAPublicKey key = (RSAPublicKey) keys.getPublic();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(key.getModulus().toByteArray()); // with a leading 0
        bytes.writeBytes(key.getPublicExponent().toByteArray());
        return Base64.getEncoder().encodeToString(bytes.toByteArray());
    }

    private static byte[] bytes(BigInteger number, BigInteger modulus) {
        byte[] shortest = number.toByteArray();
        byte[] all = new byte[modulus.bitLength() / Byte.SIZE];
        int from = Math.max(0, shortest.length - all.length);
        System.arraycopy(shortest, from, all, all.length - (shortest.length - from), shortest.length - from);
        return all;
    }

    private static String escaped(String base64) {
        return base64.replace("=", "\\=");
    }

    private static byte[] sha1(String text) {
        try {
            return MessageDigest.getInstance("SHA-1").digest(text.getBytes(UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
