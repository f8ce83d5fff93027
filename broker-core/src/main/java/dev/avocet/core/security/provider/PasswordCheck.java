package dev.avocet.core.security.provider;

import dev.avocet.core.security.scram.ScramAuthenticator;
import dev.avocet.core.security.user.PasswordHasher;
import dev.avocet.core.security.user.ScramCredential;
import dev.avocet.core.security.user.User;
import dev.avocet.core.security.user.UserStore;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Whether a plain password is a user's; an unknown name costs as much as most known ones. Slow: not for event loops.
 */
final class PasswordCheck {
    /** Longest plain password that is looked at, in bytes; longer ones never match. */
    static final int MAX_PASSWORD_BYTES = 1024;

    private final UserStore users;
    private final ScramAuthenticator scram;
    private final PasswordHasher hasher;

    PasswordCheck(UserStore users, ScramAuthenticator scram, PasswordHasher hasher) {
        this.users = users;
        this.scram = scram;
        this.hasher = hasher;
    }

    /** @param user the one who has that name now, or null */
    boolean matches(@Nullable User user, String userName, byte[] passwordUtf8) {
        char[] password = decode(passwordUtf8);
        try {
            return matches(user, userName, password);
        } finally {
            Arrays.fill(password, '\0');
        }
    }

    private boolean matches(@Nullable User user, String userName, char[] password) {
        if (user != null && user.password() != null) {
            return hasher.matches(user.password(), password);
        }
        if (user == null && users.usuallyHashed()) {
            hasher.pretend(password);
            return false;
        }
        ScramCredential credential = user == null ? null : user.scram();
        boolean right = (credential == null ? scram.madeUp(userName) : credential).verifyPassword(password);
        return right && credential != null;
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
