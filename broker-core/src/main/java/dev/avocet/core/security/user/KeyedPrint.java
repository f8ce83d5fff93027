package dev.avocet.core.security.user;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Prints of passwords by a key that never leaves the process, so that a cache holds no password. Any thread. */
public final class KeyedPrint {
    private static final String HMAC = "HmacSHA256";
    private static final int KEY_BYTES = 32;

    private final SecretKeySpec key;

    public KeyedPrint(SecureRandom random) {
        byte[] secret = new byte[KEY_BYTES];
        random.nextBytes(secret);
        key = new SecretKeySpec(secret, HMAC);
    }

    public byte[] of(String name, byte[] password) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(key);
            mac.update(name.getBytes(StandardCharsets.UTF_8));
            mac.update((byte) 0);
            return mac.doFinal(password);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime lacks SHA-256, which every Java 17 runtime has", e);
        }
    }
}
