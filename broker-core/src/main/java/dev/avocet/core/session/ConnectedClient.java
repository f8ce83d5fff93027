package dev.avocet.core.session;

import dev.avocet.core.security.login.ClientIdentity;
import dev.avocet.core.security.login.ClientOrigin;
import org.jspecify.annotations.Nullable;

/** The connection that a session has now. Implemented by front ends; called on the session's home loop. */
public interface ConnectedClient {
    /**
     * Tells the client why, closes the connection, and detaches from the session before it returns: consumers are taken
     * off their queues and nothing is written through the session afterwards. The session decides about the will.
     */
    void disconnect(DisconnectCause cause);

    /**
     * A subscription of the session is about to end, and not because the client has asked for that: its consumer leaves
     * the queue before this returns.
     *
     * @param key what the client calls it
     */
    default void onSubscriptionEnding(String key) {}

    /** Another choice of connections is traced from now on. */
    default void onTraceChanged() {}

    /** Where the connection comes from; null where that is not known. */
    default @Nullable ClientOrigin origin() {
        return null;
    }

    /** What has gone through it. */
    default ConnectionFigures figures() {
        return ConnectionFigures.NONE;
    }

    /** Who the client has proved to be. */
    default ClientIdentity identity() {
        return ClientIdentity.ANONYMOUS;
    }
}
