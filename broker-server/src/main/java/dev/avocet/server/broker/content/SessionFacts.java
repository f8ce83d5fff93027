package dev.avocet.server.broker.content;

import dev.avocet.core.session.ClientSession;
import dev.avocet.core.session.ConnectedClient;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A session, for administrators: as it was when its loop was asked.
 *
 * @param connection the connection that it has now, or null while the client is away
 * @param durable whether it outlives the broker
 * @param expirySeconds how long it outlives its connection; {@link ClientSession#NEVER_EXPIRES} for ever
 * @param awaySeconds since the client went; 0 while it is connected
 * @param buffered messages that wait in its own subscriptions, or are on their way
 */
public record SessionFacts(
        String clientId,
        @Nullable ConnectionFacts connection,
        boolean durable,
        long expirySeconds,
        long awaySeconds,
        int subscriptions,
        long buffered) {
    /** On the session's home loop. */
    static SessionFacts of(ClientSession session) {
        ConnectedClient client = session.client();
        long nowNs = session.home().clock().nanoTime();
        return new SessionFacts(
                session.clientId(),
                client == null ? null : ConnectionFacts.of(session, client),
                session.storeId() != 0,
                session.expirySeconds(),
                client == null ? TimeUnit.NANOSECONDS.toSeconds(nowNs - session.disconnectedAtNs()) : 0,
                session.subscriptionsByKey().size(),
                session.subscriptions().stream()
                        .filter(each -> !each.isShared())
                        .mapToLong(each -> each.queue().depth())
                        .sum());
    }

    public boolean isConnected() {
        return connection != null;
    }
}
