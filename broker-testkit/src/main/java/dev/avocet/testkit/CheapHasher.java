package dev.avocet.testkit;

import dev.avocet.core.security.user.Argon2Cost;
import dev.avocet.core.security.user.PasswordHasher;
import java.security.SecureRandom;

/** Hashes passwords in well under a millisecond, for tests that need a user and are not about the cost of guessing. */
public final class CheapHasher {
    private static final Argon2Cost CHEAP = new Argon2Cost(64, 1, 1);

    private CheapHasher() {}

    /** A hasher whose hashes, which carry their cost, are cheap to check too. */
    public static PasswordHasher create() {
        return new PasswordHasher(CHEAP, Argon2Cost.MAX_MEMORY_KIB, new SecureRandom());
    }
}
