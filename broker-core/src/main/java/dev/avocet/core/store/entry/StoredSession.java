package dev.avocet.core.store.entry;

import dev.avocet.core.session.ClientSession;
import dev.avocet.core.session.Will;
import dev.avocet.core.time.Clock;
import org.jspecify.annotations.Nullable;

/**
 * What a session's own entry says.
 *
 * @param expirySeconds as of {@link ClientSession#expirySeconds}
 * @param connected true while its client is connected
 * @param disconnectedWallMs when the client went away, in milliseconds since 1970; 0 while it is connected
 * @param userName who the client has proved to be; null without a login
 */
public record StoredSession(
        String clientId,
        long expirySeconds,
        boolean connected,
        long disconnectedWallMs,
        @Nullable Will will,
        @Nullable String userName) {
    /** As the session is now. Its home loop. */
    public static StoredSession of(ClientSession session, Clock clock) {
        boolean connected = !session.isAway();
        return new StoredSession(
                session.clientId(),
                session.expirySeconds(),
                connected,
                connected ? 0 : MessageEntry.wallMs(session.disconnectedAtNs(), clock),
                session.will(),
                session.userName());
    }
}
