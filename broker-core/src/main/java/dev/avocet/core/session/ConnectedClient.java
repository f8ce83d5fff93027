package dev.avocet.core.session;

/** The connection that a session has now. Implemented by front ends; called on the session's home loop. */
public interface ConnectedClient {
    /**
     * Tells the client why, closes the connection, and detaches from the session before it returns: consumers are taken off their
     * queues and nothing is written through the session afterwards. The session decides about the will.
     */
    void disconnect(DisconnectCause cause);
}
