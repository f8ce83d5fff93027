package dev.avocet.core.security.user;

import org.jspecify.annotations.Nullable;

/** The users the broker knows. Implementations may be called from any thread, answer from memory, and never block. */
public interface UserStore {
    /** The user of that name, or null when there is none. */
    @Nullable User userOf(String userName);

    /**
     * How many iterations most SCRAM verifiers here have. Answers about unknown names use it, so that they do not stand
     * out.
     */
    default int usualIterations() {
        return ScramCredential.DEFAULT_ITERATIONS;
    }

    /**
     * Whether most passwords here are held against a {@link PasswordHash}; unknown names cost as much as most known
     * ones.
     */
    default boolean usuallyHashed() {
        return false;
    }

    /** These users first, then those: a user who is in both is as here. */
    default UserStore orElse(UserStore others) {
        UserStore first = this;
        return new UserStore() {
            @Override
            public @Nullable User userOf(String userName) {
                User known = first.userOf(userName);
                return known != null ? known : others.userOf(userName);
            }

            @Override
            public int usualIterations() {
                return first.usualIterations();
            }

            @Override
            public boolean usuallyHashed() {
                return first.usuallyHashed() || others.usuallyHashed();
            }
        };
    }
}
