package dev.avocet.core.security;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who a client has proved to be; what policies ask for. Immutable.
 *
 * @param userName a name that was proved by a password, an exchange or a certificate; null for an unknown user
 * @param groups all groups of that user, also those that hold another group of the user's
 * @param commonName the common name of the client's certificate, or null
 */
public record ClientIdentity(
        @Nullable String userName,
        Set<String> groups,
        @Nullable String commonName) {
    /** A client that was let in without being asked. */
    public static final ClientIdentity ANONYMOUS = new ClientIdentity(null, Set.of(), null);

    public ClientIdentity {
        groups = Set.copyOf(groups);
    }

    /** A client without a user name, known by a certificate at most. */
    public static ClientIdentity unnamed(@Nullable String commonName) {
        return commonName == null ? ANONYMOUS : new ClientIdentity(null, Set.of(), commonName);
    }
}
