package dev.avocet.core.security.login;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who a client has proved to be; what policies ask for. Immutable.
 *
 * @param userName a name that was proved by a password, an exchange or a certificate; null for an unknown user
 * @param groups all groups of that user, also those that hold another group of the user's
 * @param commonName the common name of the client's certificate, or null
 * @param claims the values of the claims of its token that policies ask for, by the claim's name; a connection keeps
 *     no others
 */
public record ClientIdentity(
        @Nullable String userName,
        Set<String> groups,
        @Nullable String commonName,
        Map<String, List<String>> claims) {
    /** A client that was let in without being asked. */
    public static final ClientIdentity ANONYMOUS = new ClientIdentity(null, Set.of(), null);

    public ClientIdentity {
        groups = Set.copyOf(groups);
        claims = Map.copyOf(claims);
    }

    /** A client without a token. */
    public ClientIdentity(@Nullable String userName, Set<String> groups, @Nullable String commonName) {
        this(userName, groups, commonName, Map.of());
    }

    /** The same client, whose certificate has that common name. */
    public ClientIdentity withCommonName(@Nullable String name) {
        return new ClientIdentity(userName, groups, name, claims);
    }

    /** A client without a user name, known by a certificate at most. */
    public static ClientIdentity unnamed(@Nullable String commonName) {
        return commonName == null ? ANONYMOUS : new ClientIdentity(null, Set.of(), commonName);
    }
}
