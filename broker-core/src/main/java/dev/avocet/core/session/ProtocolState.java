package dev.avocet.core.session;

import dev.avocet.core.journal.JournalException;
import java.util.function.Consumer;

/**
 * What a front end keeps with a session while the client is away: messages in flight, packet identifiers. Home loop of the session.
 *
 * <p>Where the session is stored, the front end writes every change that must survive to {@link ClientSession#log()}; a new state that
 * gets the same entries by {@link #replay} in the same order is the same again.
 */
public interface ProtocolState {
    /** The session has ended and its queues are closed: let go of everything. */
    void onSessionEnd();

    /** Applies an entry of an earlier life. Entries may come that are in effect already. Before the session has a home. */
    void replay(byte[] bytes, int from, int to) throws JournalException;

    /** Writes entries that make a new state the same as this one. */
    void snapshot(Consumer<byte[]> entries);

    /** Every entry was replayed: the session is there, with its subscriptions and queues, and its client is away. */
    void onRestored(ClientSession session);
}
