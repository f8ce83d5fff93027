package dev.avocet.server.rest.login;

import dev.avocet.core.config.object.server.Singletons;
import dev.avocet.server.objects.PasswordVerifier;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicReference;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Checks the password of the administrator who may do everything. One that was right is known again without the
 * milliseconds that a verifier costs, until it is changed: a keyed hash of it is kept, whose key never leaves the
 * process. Thread-safe.
 */
final class AdminPassword {
    private static final String HMAC = "HmacSHA256";
    private static final int KEY_BYTES = 32;

    private final SecretKeySpec key;
    private final AtomicReference<@Nullable Known> known = new AtomicReference<>();

    AdminPassword(SecureRandom random) {
        byte[] secret = new byte[KEY_BYTES];
        random.nextBytes(secret);
        key = new SecretKeySpec(secret, HMAC);
    }

    boolean isRight(Singletons values, String password) {
        String verifier = values.adminUserPassword().verifier();
        if (verifier.isEmpty()) {
            return false;
        }
        byte[] mac = mac(password);
        Known last = known.get();
        if (last != null && last.verifier.equals(verifier) && MessageDigest.isEqual(last.mac, mac)) {
            return true;
        }
        boolean right = PasswordVerifier.parse(verifier).verifyPassword(password.toCharArray());
        if (right) {
            known.set(new Known(verifier, mac));
        }
        return right;
    }

    private byte[] mac(String password) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(key);
            return mac.doFinal(password.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime lacks SHA-256, which every Java 17 runtime has", e);
        }
    }

    private static final class Known {
        private final String verifier;
        private final byte[] mac;

        Known(String verifier, byte[] mac) {
            this.verifier = verifier;
            this.mac = mac;
        }
    }
}
