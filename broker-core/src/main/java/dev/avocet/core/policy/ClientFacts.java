package dev.avocet.core.policy;

import dev.avocet.core.config.object.Protocol;
import java.net.InetAddress;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What policies may ask about a client. Immutable.
 *
 * @param userId the user that it has proved to be, or null
 * @param groups the user's groups; of more than {@value #MAX_GROUPS} the first ones in the order of their names count
 * @param clientId the client identifier
 * @param address where it comes from; null when the connection has gone already
 * @param commonName the common name of its certificate, or null
 * @param protocol what it speaks
 */
public record ClientFacts(
        @Nullable String userId,
        List<String> groups,
        String clientId,
        @Nullable InetAddress address,
        @Nullable String commonName,
        Protocol protocol) {
    /** Most groups of one user that are looked at: each is one more try for a pattern with the variable for them. */
    public static final int MAX_GROUPS = 200;

    public ClientFacts {
        groups = groups.stream().sorted().distinct().limit(MAX_GROUPS).toList();
    }

    /** A client whose groups come in no order. */
    public static ClientFacts of(
            @Nullable String userId,
            Collection<String> groups,
            String clientId,
            @Nullable InetAddress address,
            @Nullable String commonName,
            Protocol protocol) {
        return new ClientFacts(userId, List.copyOf(groups), clientId, address, commonName, protocol);
    }
}
