package dev.avocet.core.security.user;

import java.security.SecureRandom;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/**
 * Makes and checks password hashes within a budget of memory: who finds it used up waits. Blocks and computes for tens
 * of milliseconds, so never on an event loop. Thread-safe.
 */
public final class PasswordHasher {
    /** Three hashes of the default cost at a time. */
    public static final int DEFAULT_BUDGET_KIB = Argon2Cost.MAX_MEMORY_KIB;

    private static final int SALT_BYTES = 16;

    private final Argon2Cost cost;
    private final SecureRandom random;
    private final Semaphore freeKib;
    private final PasswordHash nobodys;

    public PasswordHasher(SecureRandom random) {
        this(Argon2Cost.DEFAULT, DEFAULT_BUDGET_KIB, random);
    }

    /**
     * @param cost of new hashes
     * @param budgetKib memory for all hashes that are computed at the same time, in KiB
     */
    public PasswordHasher(Argon2Cost cost, int budgetKib, SecureRandom random) {
        this.cost = cost;
        this.random = random;
        this.freeKib = new Semaphore(Math.max(budgetKib, Argon2Cost.MAX_MEMORY_KIB), true);
        byte[] unguessable = new byte[PasswordHash.HASH_BYTES];
        random.nextBytes(unguessable);
        this.nobodys = PasswordHash.of(cost, salt(), unguessable);
    }

    /**
     * The hash of a password with a new salt.
     *
     * @throws IllegalArgumentException when the password is empty or holds characters that SASLprep forbids
     */
    public PasswordHash hash(char[] password) {
        char[] prepared = prepare(password);
        return within(cost, () -> PasswordHash.derive(prepared, salt(), cost));
    }

    /** Whether the hash is that password's. */
    public boolean matches(PasswordHash hash, char[] password) {
        char[] prepared;
        try {
            prepared = prepare(password);
        } catch (IllegalArgumentException e) {
            return false;
        }
        return within(hash.cost(), () -> hash.matches(prepared));
    }

    /** Costs as much as {@link #matches} mostly does, so that unknown users do not stand out. */
    public void pretend(char[] password) {
        boolean unused = matches(nobodys, password);
    }

    private <T> T within(Argon2Cost needed, Supplier<T> work) {
        freeKib.acquireUninterruptibly(needed.memoryKib());
        try {
            return work.get();
        } finally {
            freeKib.release(needed.memoryKib());
        }
    }

    private byte[] salt() {
        byte[] salt = new byte[SALT_BYTES];
        random.nextBytes(salt);
        return salt;
    }

    private static char[] prepare(char[] password) {
        if (password.length == 0) {
            throw new IllegalArgumentException("a password is not empty");
        }
        return SaslPrep.prepare(new String(password)).toCharArray();
    }
}
