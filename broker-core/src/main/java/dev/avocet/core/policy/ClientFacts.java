package dev.avocet.core.policy;

import dev.avocet.core.config.object.field.Protocol;
import dev.avocet.core.security.login.ClientIdentity;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
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
 * @param claims the values of the claims of its token that policies ask for, by the claim's name
 */
public record ClientFacts(
        @Nullable String userId,
        List<String> groups,
        String clientId,
        @Nullable InetAddress address,
        @Nullable String commonName,
        Protocol protocol,
        Map<String, List<String>> claims) {
    /** Most groups of one user that are looked at: each is one more try for a pattern with the variable for them. */
    public static final int MAX_GROUPS = 200;

    public ClientFacts {
        groups = groups.stream().sorted().distinct().limit(MAX_GROUPS).toList();
    }

    /** A client without a token. */
    public ClientFacts(
            @Nullable String userId,
            List<String> groups,
            String clientId,
            @Nullable InetAddress address,
            @Nullable String commonName,
            Protocol protocol) {
        this(userId, groups, clientId, address, commonName, protocol, Map.of());
    }

    /**
     * A client that has proved who it is.
     *
     * @param commonName of its certificate, where the proof does not hold one
     */
    public static ClientFacts of(
            ClientIdentity proved,
            String clientId,
            @Nullable InetAddress address,
            @Nullable String commonName,
            Protocol protocol) {
        return new ClientFacts(
                proved.userName(),
                List.copyOf(proved.groups()),
                clientId,
                address,
                proved.commonName() == null ? commonName : proved.commonName(),
                protocol,
                proved.claims());
    }
}
