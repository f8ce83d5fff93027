package dev.avocet.mqtt.conformance;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/** The client side of SCRAM-SHA-256 without channel binding (RFC 5802), for one exchange. */
final class ScramClient {
    static final String MECHANISM = "SCRAM-SHA-256";
    private static final String NONCE = "rOprNGfwEbeRWgbNEkqO";
    private static final int KEY_BITS = 256;

    private final String firstBare;
    private final String password;
    private byte[] serverKey = {};
    private String authMessage = "";

    ScramClient(String userName, String password) {
        this.firstBare = "n=" + userName + ",r=" + NONCE;
        this.password = password;
    }

    byte[] first() {
        return ("n,," + firstBare).getBytes(StandardCharsets.UTF_8);
    }

    /** The proof that answers the server's challenge. */
    byte[] answer(byte[] challenge) throws GeneralSecurityException {
        String serverFirst = new String(challenge, StandardCharsets.UTF_8);
        String[] fields = serverFirst.split(",", -1);
        byte[] salt = Base64.getDecoder().decode(fields[1].substring(2));
        int iterations = Integer.parseInt(fields[2].substring(2));
        PBEKeySpec spec = new PBEKeySpec(password.toCharArray(), salt, iterations, KEY_BITS);
        byte[] salted = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                .generateSecret(spec)
                .getEncoded();
        String withoutProof = "c=biws," + fields[0];
        authMessage = firstBare + ',' + serverFirst + ',' + withoutProof;
        serverKey = hmac(salted, "Server Key");
        byte[] proof = hmac(salted, "Client Key");
        byte[] storedKey = MessageDigest.getInstance("SHA-256").digest(proof);
        byte[] signature = hmac(storedKey, authMessage);
        for (int i = 0; i < proof.length; i++) {
            proof[i] ^= signature[i];
        }
        return (withoutProof + ",p=" + Base64.getEncoder().encodeToString(proof)).getBytes(StandardCharsets.UTF_8);
    }

    /** What the server says last, by which it proves that it knows the password too. */
    byte[] serverFinal() throws GeneralSecurityException {
        return ("v=" + Base64.getEncoder().encodeToString(hmac(serverKey, authMessage)))
                .getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] hmac(byte[] key, String text) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    }
}
