package dev.avocet.jms.client.session;

import dev.avocet.jms.client.wire.WireTransaction;
import jakarta.jms.JMSException;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A branch that was begun on this connection and is neither prepared nor over. Sessions are in it from start to end; a
 * lock of the connection's branches guards who is.
 */
final class XaBranch {
    private final BranchXid xid;
    private final WireTransaction transaction;
    private final Set<JmsXaSession> associated = new HashSet<>();
    private final Set<JmsXaSession> suspended = new HashSet<>();
    private final Set<JmsSession> participants = ConcurrentHashMap.newKeySet();
    private volatile @Nullable String doom;

    XaBranch(final BranchXid xid, final WireTransaction transaction) {
        this.xid = xid;
        this.transaction = transaction;
    }

    BranchXid xid() {
        return xid;
    }

    WireTransaction transaction() {
        return transaction;
    }

    /** The sessions that are in it. */
    Set<JmsXaSession> associated() {
        return associated;
    }

    /** The sessions that have suspended it. */
    Set<JmsXaSession> suspended() {
        return suspended;
    }

    /** The session has consumed in it. */
    void tookPart(final JmsSession session) {
        participants.add(session);
    }

    Set<JmsSession> participants() {
        return participants;
    }

    /** It can only be rolled back. */
    void doom(final String why) {
        doom = why;
    }

    /** A send in it was not taken; from the event loop. */
    void failed(final JMSException cause) {
        doom("a message of the transaction was not taken: " + cause.getMessage());
    }

    /** Why it can only be rolled back; null: it need not. */
    @Nullable String doom() {
        return doom;
    }
}
