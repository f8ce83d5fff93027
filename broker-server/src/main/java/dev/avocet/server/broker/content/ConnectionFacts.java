package dev.avocet.server.broker.content;

import dev.avocet.core.security.login.ClientOrigin;
import dev.avocet.core.session.ClientSession;
import dev.avocet.core.session.ConnectedClient;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * A connection of a client, for administrators.
 *
 * @param endpoint name of the endpoint; empty when it is not known
 * @param address where the client is, or null when that is not known
 * @param userName who the client has proved to be, or null without a login
 */
public record ConnectionFacts(
        String clientId,
        String endpoint,
        @Nullable InetAddress address,
        @Nullable String userName) {
    public static ConnectionFacts of(ClientSession session, ConnectedClient client) {
        ClientOrigin origin = client.origin();
        return new ConnectionFacts(
                session.clientId(),
                origin == null ? "" : origin.endpoint(),
                origin == null ? null : origin.address(),
                client.identity().userName());
    }
}
