package dev.avocet.core.security.scram;

import dev.avocet.core.security.user.ScramCredential;
import dev.avocet.core.security.user.ScramHash;
import dev.avocet.core.security.user.User;
import dev.avocet.core.security.user.UserStore;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Proves that clients know the passwords of the users in one {@link UserStore} by a SCRAM-SHA-256 exchange, in which
 * the password is never sent.
 *
 * <p>An unknown name costs the same work and gets the same kind of answer as a known one: a salt that is made up from
 * the name, the same each time while this authenticator lives. So no client can find out by asking which names exist.
 *
 * <p>Any thread.
 */
public final class ScramAuthenticator {
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

    /** The user whom an exchange has proved; null when it was deleted meanwhile. */
    @Nullable User userOf(String userName) {
        return users.userOf(userName);
    }

    /** A new exchange for one connection. */
    public ScramServer begin() {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        return new ScramServer(this, Base64.getEncoder().encodeToString(nonce));
    }

    boolean isKnown(String userName) {
        User user = users.userOf(userName);
        return user != null && user.scram() != null;
    }

    /** The user's credential, or one that no proof can satisfy. */
    ScramCredential credentialOf(String userName) {
        User known = users.userOf(userName);
        return known != null && known.scram() != null ? known.scram() : madeUp(userName);
    }

    /** A credential that no proof can satisfy, the same each time for the same name. */
    public ScramCredential madeUp(String userName) {
        byte[] salt = Arrays.copyOf(ScramHash.hmac(secret, "salt " + userName), SALT_BYTES);
        return new ScramCredential(
                salt,
                users.usualIterations(),
                ScramHash.hmac(secret, "stored " + userName),
                ScramHash.hmac(secret, "server " + userName));
    }
}
