package dev.avocet.core.security.user;

import java.security.MessageDigest;
import java.util.Arrays;

/**
 * What the broker keeps of a password: a salted verifier from which the password cannot be read and with which no
 * client can log in (RFC 5802 section 3).
 *
 * <p>Immutable; any thread. {@link #toString()} shows no key.
 */
public final class ScramCredential {
    /**
     * Iterations for new verifiers: about 10 ms of one core, and more than the 4,096 that RFC 7677 asks for at least.
     */
    public static final int DEFAULT_ITERATIONS = 15_000;

    /**
     * Iterations for new verifiers that plain passwords are held against, too: about 70 ms of one core. SCRAM clients
     * spend the same.
     */
    public static final int LONE_ITERATIONS = 100_000;

    /** Fewest iterations that RFC 7677 section 4 allows. */
    public static final int MIN_ITERATIONS = 4_096;

    /** Most iterations we accept, so that a mistyped verifier cannot hold a core for minutes. */
    public static final int MAX_ITERATIONS = 10_000_000;

    /** Shortest salt we accept, in bytes. */
    public static final int MIN_SALT_BYTES = 8;

    private final byte[] salt;
    private final int iterations;
    private final byte[] storedKey;
    private final byte[] serverKey;

    /**
     * A credential from its parts, which are copied; {@link IllegalArgumentException} when one has an impossible size.
     */
    public ScramCredential(byte[] salt, int iterations, byte[] storedKey, byte[] serverKey) {
        require(salt.length >= MIN_SALT_BYTES, "salt: at least " + MIN_SALT_BYTES + " bytes are needed");
        require(
                iterations >= MIN_ITERATIONS && iterations <= MAX_ITERATIONS,
                "iterations: " + iterations + " is outside " + MIN_ITERATIONS + "-" + MAX_ITERATIONS);
        require(storedKey.length == ScramHash.KEY_BYTES, "storedKey: must be " + ScramHash.KEY_BYTES + " bytes long");
        require(serverKey.length == ScramHash.KEY_BYTES, "serverKey: must be " + ScramHash.KEY_BYTES + " bytes long");
        this.salt = salt.clone();
        this.iterations = iterations;
        this.storedKey = storedKey.clone();
        this.serverKey = serverKey.clone();
    }

    /**
     * The verifier of a password. Costs milliseconds of processor time per 10,000 iterations.
     *
     * @throws IllegalArgumentException when the password is empty or holds characters that SASLprep forbids
     */
    public static ScramCredential derive(char[] password, byte[] salt, int iterations) {
        byte[] salted = ScramHash.saltedPassword(SaslPrep.prepare(new String(password)), salt, iterations);
        byte[] storedKey = ScramHash.sha256(ScramHash.hmac(salted, "Client Key"));
        return new ScramCredential(salt, iterations, storedKey, ScramHash.hmac(salted, "Server Key"));
    }

    /**
     * True when this is the verifier of that password. Costs milliseconds of processor time, and takes as long for a
     * wrong password as for the right one. Not for event loops.
     */
    public boolean verifyPassword(char[] password) {
        try {
            ScramCredential other = derive(password, salt, iterations);
            return MessageDigest.isEqual(storedKey, other.storedKey);
        } catch (IllegalArgumentException forbiddenCharacters) {
            return false;
        }
    }

    /** The salt; a copy. */
    public byte[] salt() {
        return salt.clone();
    }

    /** How often the hash is applied. */
    public int iterations() {
        return iterations;
    }

    /** H(ClientKey), against which a client's proof is checked; a copy. */
    public byte[] storedKey() {
        return storedKey.clone();
    }

    /** The key with which the broker proves that it knows the verifier; a copy. */
    public byte[] serverKey() {
        return serverKey.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ScramCredential that
                && iterations == that.iterations
                && Arrays.equals(salt, that.salt)
                && MessageDigest.isEqual(storedKey, that.storedKey)
                && MessageDigest.isEqual(serverKey, that.serverKey);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(salt) * 31 + iterations;
    }

    @Override
    public String toString() {
        return "ScramCredential[iterations=" + iterations + "]";
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
