package dev.avocet.core.session;

/**
 * What a front end keeps with a session while the client is away: messages in flight, packet identifiers. Home loop of the session.
 */
public interface ProtocolState {
    /** The session has ended and its queues are closed: let go of everything. */
    void onSessionEnd();
}
