package dev.avocet.core.security;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;

/**
 * Proves that clients know the passwords of the users in one {@link UserStore}, either from the password itself or by a
 * SCRAM-SHA-256 exchange in which the password is never sent.
 *
 * <p>An unknown name costs the same work and gets the same kind of answer as a known one: a salt that is made up from the name, the
 * same each time while this authenticator lives. So nobody can find out by asking which names exist.
 *
 * <p>Any thread.
 */
public final class ScramAuthenticator {
    /** Longest plain password that is looked at, in bytes; longer ones never match. */
    public static final int MAX_PASSWORD_BYTES = 1024;

    private static final int NONCE_BYTES = 18;
    private static final int SALT_BYTES = 16;

    private final UserStore users;
    private final SecureRandom random;
    private final byte[] secret = new byte[ScramHash.KEY_BYTES];

    /** An authenticator for these users; the random source gives the nonces. */
    public ScramAuthenticator(UserStore users, SecureRandom random) {
        this.users = users;
        this.random = random;
        random.nextBytes(secret);
    }

    /** A new exchange for one connection. */
    public ScramServer begin() {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        return new ScramServer(this, Base64.getEncoder().encodeToString(nonce));
    }

    /**
     * True when the user exists and has this password. Costs about 10 ms of processor time either way, so never call it on an event
     * loop. The array stays with the caller.
     */
    public boolean matches(String userName, byte[] passwordUtf8) {
        char[] password = decode(passwordUtf8);
        boolean matches = credentialOf(userName).verifyPassword(password);
        Arrays.fill(password, '\0');
        return matches && isKnown(userName);
    }

    boolean isKnown(String userName) {
        return users.credentialOf(userName) != null;
    }

    /** The user's credential, or one that nobody can satisfy. */
    ScramCredential credentialOf(String userName) {
        ScramCredential known = users.credentialOf(userName);
        return known != null ? known : madeUp(userName);
    }

    private ScramCredential madeUp(String userName) {
        byte[] salt = Arrays.copyOf(ScramHash.hmac(secret, "salt " + userName), SALT_BYTES);
        return new ScramCredential(
                salt,
                users.usualIterations(),
                ScramHash.hmac(secret, "stored " + userName),
                ScramHash.hmac(secret, "server " + userName));
    }

    /** Empty, hence never matching, for bytes that are too many or no UTF-8. */
    private static char[] decode(byte[] utf8) {
        if (utf8.length > MAX_PASSWORD_BYTES) {
            return new char[0];
        }
        try {
            CharBuffer text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8));
            char[] password = new char[text.remaining()];
            text.get(password);
            return password;
        } catch (CharacterCodingException e) {
            return new char[0];
        }
    }
}
