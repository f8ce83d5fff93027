package dev.avocet.server.export;

import dev.avocet.core.security.user.Argon2Cost;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;

/** Two keys out of a password by Argon2id: one that encrypts, and one that marks the head of a file. */
final class PasswordKeys {
    static final int KEY_BYTES = 32;

    /**
     * What one key derivation takes: no more memory than a login, as a broker with a small heap must not run out of it.
     */
    static final Argon2Cost COST = new Argon2Cost(Argon2Cost.DEFAULT.memoryKib(), 6, 1);

    private static final String HMAC = "HmacSHA256";

    private PasswordKeys() {}

    /** Both keys, one behind the other; the caller wipes them. */
    static byte[] derive(String password, byte[] salt, Argon2Cost cost) {
        Argon2BytesGenerator generator = new Argon2BytesGenerator();
        generator.init(new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
                .withVersion(Argon2Parameters.ARGON2_VERSION_13)
                .withMemoryAsKB(cost.memoryKib())
                .withIterations(cost.passes())
                .withParallelism(cost.lanes())
                .withSalt(salt)
                .build());
        byte[] keys = new byte[2 * KEY_BYTES];
        generator.generateBytes(password.getBytes(StandardCharsets.UTF_8), keys);
        return keys;
    }

    /** The mark of a head, which only the same password makes. */
    static byte[] mark(byte[] keys, byte[] head, int length) throws GeneralSecurityException {
        Mac mac = Mac.getInstance(HMAC);
        mac.init(new SecretKeySpec(keys, KEY_BYTES, KEY_BYTES, HMAC));
        mac.update(head, 0, length);
        return mac.doFinal();
    }
}
