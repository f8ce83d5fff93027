package dev.avocet.core.session;

import dev.avocet.core.journal.JournalException;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.StoredMessage;
import dev.avocet.core.queue.transit.DeliverySource;
import java.util.function.Consumer;

/**
 * What a front end keeps with a session while the client is away: messages in flight, packet identifiers. Home loop of
 * the session.
 *
 * <p>Where the session is stored, the front end writes every change that must survive to {@link ClientSession#log()}; a
 * new state that gets the same entries by {@link #replay} in the same order is the same again.
 */
public interface ProtocolState {
    /** What its client speaks, as administrators call it; empty when that is not known. */
    default String protocol() {
        return "";
    }

    /** The session has ended and its queues are closed: let go of everything. */
    void onSessionEnd();

    /**
     * Applies an entry of an earlier life. Entries may come that are in effect already. Before the session has a home.
     */
    void replay(byte[] bytes, int from, int to) throws JournalException;

    /**
     * Applies an entry of the same session on another broker, whose queues and references have other numbers here. What
     * refers to none of them is left out.
     */
    default void replay(byte[] bytes, int from, int to, ReferenceMap references) throws JournalException {
        replay(bytes, from, to);
    }

    /** Writes entries that make a new state the same as this one. */
    void snapshot(Consumer<byte[]> entries);

    /**
     * Shows the deliveries of stored references that have begun in a way that only this client may complete. After the
     * last entry of an earlier life, and when the session turns out to be over.
     */
    default void forEachBound(BoundVisitor visitor) {}

    /**
     * Shows the deliveries that only this client may complete, whether it is an earlier life or this one that has begun
     * them.
     */
    default void forEachInFlight(BoundVisitor visitor) {
        forEachBound(visitor);
    }

    /** How many deliveries in flight are of messages that are not in the store. */
    default int unstoredInFlight() {
        return 0;
    }

    /**
     * A delivery that {@link #forEachBound} has shown is in flight again, and is settled by this state. Before
     * {@link #onRestored}.
     *
     * @param delivery as it was shown
     * @param source where to settle it
     */
    default void restoreInFlight(int delivery, DeliverySource source, StoredMessage message, DeliveryOptions options) {}

    /** Every entry was replayed: the session is there, with its subscriptions and queues, and its client is away. */
    void onRestored(ClientSession session);

    /** Sees deliveries that are bound to one client. */
    @FunctionalInterface
    interface BoundVisitor {
        /** @param delivery what the state calls it */
        void onBound(int delivery, long queueId, long reference);
    }

    /** What queues and references of another broker are here. */
    interface ReferenceMap {
        /** The durable identifier of a queue here; {@link DeliverySource#NOT_STORED} when it is not here. */
        long queueId(long there);

        /** A reference of a queue here; {@link DeliverySource#NOT_STORED} when it is not here. */
        long reference(long queueIdThere, long there);
    }
}
