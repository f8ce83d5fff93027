package dev.avocet.core.security.user;

import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;

/**
 * An Argon2id hash of a password with its salt and its cost (RFC 9106, version 19). Immutable; any thread.
 * {@link #toString()} shows neither salt nor hash.
 */
public final class PasswordHash {
    static final int HASH_BYTES = 32;

    private static final int MIN_SALT_BYTES = 8;
    private static final int MAX_SALT_BYTES = 64;
    private static final int MAX_ENCODED_CHARS = 256;
    private static final Pattern ENCODED = Pattern.compile(
            "\\$argon2id\\$v=19\\$m=(\\d{1,8}),t=(\\d{1,4}),p=(\\d{1,4})\\$([A-Za-z0-9+/]+)\\$([A-Za-z0-9+/]+)");

    private final Argon2Cost cost;
    private final byte[] salt;
    private final byte[] hash;

    private PasswordHash(Argon2Cost cost, byte[] salt, byte[] hash) {
        this.cost = cost;
        this.salt = salt;
        this.hash = hash;
    }

    /** The hash of a password; the salt is kept. Costs what {@code cost} says: ask a {@link PasswordHasher}. */
    static PasswordHash derive(char[] password, byte[] salt, Argon2Cost cost) {
        return new PasswordHash(cost, salt, hash(password, salt, cost));
    }

    /** A hash from its parts, which are kept. */
    static PasswordHash of(Argon2Cost cost, byte[] salt, byte[] hash) {
        return new PasswordHash(cost, salt, hash);
    }

    /**
     * Reads what {@link #encoded()} gives.
     *
     * @throws IllegalArgumentException when it is something else, or asks for more than we give; the message says what
     */
    public static PasswordHash parse(String encoded) {
        Matcher parts = ENCODED.matcher(encoded);
        if (encoded.length() > MAX_ENCODED_CHARS || !parts.matches()) {
            throw new IllegalArgumentException("is not of the form $argon2id$v=19$m=…,t=…,p=…$salt$hash");
        }
        Argon2Cost cost = new Argon2Cost(number(parts, 1), number(parts, 2), number(parts, 3));
        byte[] salt = Base64.getDecoder().decode(parts.group(4));
        byte[] hash = Base64.getDecoder().decode(parts.group(5));
        if (salt.length < MIN_SALT_BYTES || salt.length > MAX_SALT_BYTES || hash.length != HASH_BYTES) {
            throw new IllegalArgumentException("needs a salt of " + MIN_SALT_BYTES + "-" + MAX_SALT_BYTES
                    + " bytes and a hash of " + HASH_BYTES + " bytes");
        }
        return new PasswordHash(cost, salt, hash);
    }

    /** The usual text form, with everything that is needed to check a password against it. */
    public String encoded() {
        Base64.Encoder base64 = Base64.getEncoder().withoutPadding();
        return "$argon2id$v=19$m=" + cost.memoryKib() + ",t=" + cost.passes() + ",p=" + cost.lanes() + "$"
                + base64.encodeToString(salt) + "$" + base64.encodeToString(hash);
    }

    Argon2Cost cost() {
        return cost;
    }

    /** As expensive as {@link #derive}, for a wrong password as for the right one. */
    boolean matches(char[] password) {
        return MessageDigest.isEqual(hash(password, salt, cost), hash);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PasswordHash that
                && cost.equals(that.cost)
                && Arrays.equals(salt, that.salt)
                && MessageDigest.isEqual(hash, that.hash);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(salt);
    }

    @Override
    public String toString() {
        return "PasswordHash[" + cost + "]";
    }

    private static byte[] hash(char[] password, byte[] salt, Argon2Cost cost) {
        Argon2BytesGenerator generator = new Argon2BytesGenerator();
        generator.init(new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
                .withVersion(Argon2Parameters.ARGON2_VERSION_13)
                .withMemoryAsKB(cost.memoryKib())
                .withIterations(cost.passes())
                .withParallelism(cost.lanes())
                .withSalt(salt)
                .build());
        byte[] hash = new byte[HASH_BYTES];
        generator.generateBytes(password, hash);
        return hash;
    }

    private static int number(Matcher parts, int group) {
        return Integer.parseInt(parts.group(group));
    }
}
