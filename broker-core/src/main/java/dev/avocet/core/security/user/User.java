package dev.avocet.core.security.user;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A user who may log in. Immutable.
 *
 * @param password the hash that a plain password is held against; null when the SCRAM verifier serves for that too
 * @param scram the verifier for SCRAM exchanges; null when the user cannot use them
 * @param groups all of the user's groups, also those that hold another group of the user's
 */
public record User(
        String name,
        @Nullable PasswordHash password,
        @Nullable ScramCredential scram,
        Set<String> groups) {
    public User {
        groups = Set.copyOf(groups);
    }
}
