package dev.avocet.server.rest.login;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Tokens that stand for a password for some time: a name, an end, and a print of what the name was proved by, signed
 * with a key that never leaves the process. So none outlives a restart, nor a change of that password. Thread-safe.
 */
final class Tokens {
    private static final String HMAC = "HmacSHA256";
    private static final int KEY_BYTES = 32;
    private static final int PARTS = 3;
    private static final String SEPARATOR = "\n";
    private static final int LONGEST = 2_048;

    private final SecretKeySpec key;

    Tokens(SecureRandom random) {
        byte[] secret = new byte[KEY_BYTES];
        random.nextBytes(secret);
        key = new SecretKeySpec(secret, HMAC);
    }

    String issue(Claim claim) {
        byte[] payload = String.join(SEPARATOR, String.valueOf(claim.endMs), claim.print, claim.name)
                .getBytes(UTF_8);
        return base64(payload) + "." + base64(mac(payload));
    }

    /** What a token says; null when it is none of ours or has ended. */
    @Nullable Claim read(String token, long nowMs) {
        int dot = token.indexOf('.');
        if (dot < 0 || token.length() > LONGEST) {
            return null;
        }
        try {
            byte[] payload = Base64.getUrlDecoder().decode(token.substring(0, dot));
            byte[] signature = Base64.getUrlDecoder().decode(token.substring(dot + 1));
            if (!MessageDigest.isEqual(signature, mac(payload))) {
                return null;
            }
            String[] parts = new String(payload, UTF_8).split(SEPARATOR, PARTS);
            Claim claim = new Claim(parts[2], parts[1], Long.parseLong(parts[0]));
            return claim.endMs > nowMs ? claim : null;
        } catch (IllegalArgumentException e) {
            return null; // no base64
        }
    }

    /** A print of a secret, from which it cannot be read. */
    String printOf(String secret) {
        return base64(mac(secret.getBytes(UTF_8)));
    }

    private byte[] mac(byte[] bytes) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(key);
            return mac.doFinal(bytes);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime lacks SHA-256, which every Java 17 runtime has", e);
        }
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /**
     * What a token says.
     *
     * @param name who it is for
     * @param print of what that name was proved by
     * @param endMs until when it is good, in milliseconds since 1970
     */
    record Claim(String name, String print, long endMs) {}
}
