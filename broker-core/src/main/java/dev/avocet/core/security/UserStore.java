package dev.avocet.core.security;

import org.jspecify.annotations.Nullable;

/** The users the broker knows. Implementations may be called from any thread, answer from memory, and never block. */
public interface UserStore {
    /** The verifier of the user's password, or null when nobody has that name. */
    @Nullable ScramCredential credentialOf(String userName);

    /** How many iterations most verifiers here have. Answers about unknown names use it, so that they do not stand out. */
    default int usualIterations() {
        return ScramCredential.DEFAULT_ITERATIONS;
    }
}
