package dev.avocet.jms.client.session;

import dev.avocet.jms.client.call.XaFailures;
import dev.avocet.jms.client.wire.BranchLink;
import dev.avocet.jms.client.wire.WireTransaction;
import dev.avocet.jms.client.wire.route.WireException;
import jakarta.jms.JMSException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Function;
import javax.transaction.xa.XAException;
import org.jspecify.annotations.Nullable;

/** The branches of a connection, and its link to the coordinator. Any thread. */
final class XaBranches {
    private final JmsConnection connection;
    private final Map<BranchXid, XaBranch> active = new ConcurrentHashMap<>();
    /** Of the event loop. */
    private @Nullable BranchLink link;

    XaBranches(final JmsConnection connection) {
        this.connection = connection;
    }

    /** The branch that was begun here and is neither prepared nor over; null: there is none. */
    @Nullable XaBranch find(final BranchXid xid) {
        return active.get(xid);
    }

    /** On the server, and here. */
    XaBranch start(final BranchXid xid, final int timeoutS) throws XAException {
        if (active.containsKey(xid)) {
            throw XaFailures.of(XAException.XAER_DUPID, "the branch " + xid + " is there already");
        }
        final WireTransaction begun = ask(to -> to.start(xid.encoded(), timeoutS));
        final XaBranch branch = new XaBranch(xid, begun);
        active.put(xid, branch);
        return branch;
    }

    /**
     * Takes part in no more of it; whatever comes of what follows.
     *
     * @throws XAException when sessions are in it
     */
    void take(final XaBranch branch) throws XAException {
        synchronized (this) { // Who is in a branch, and which there are, belong together.
            requireEnded(branch);
            active.remove(branch.xid(), branch);
        }
    }

    private static void requireEnded(final XaBranch branch) throws XAException {
        if (!branch.associated().isEmpty()) {
            throw XaFailures.of(
                    XAException.XAER_PROTO, "the branch " + branch.xid() + " has sessions in it: end it first");
        }
    }

    /** False: there was nothing to prepare, and it is over. */
    boolean prepare(final XaBranch branch) throws XAException {
        take(branch);
        rollBackIfDoomed(branch);
        return ask(to -> to.prepare(branch.xid().encoded(), branch.transaction()));
    }

    void commitOnePhase(final XaBranch branch) throws XAException {
        take(branch);
        rollBackIfDoomed(branch);
        ask(to -> to.commitOnePhase(branch.xid().encoded(), branch.transaction()));
    }

    private void rollBackIfDoomed(final XaBranch branch) throws XAException {
        final String why = branch.doom();
        if (why == null) {
            return;
        }
        if (branch.transaction().failure() == null) {
            rollBackTaken(branch);
        }
        throw XaFailures.of(XAException.XA_RBROLLBACK, why);
    }

    void rollback(final XaBranch branch) throws XAException {
        take(branch);
        rollBackTaken(branch);
    }

    private void rollBackTaken(final XaBranch branch) throws XAException {
        final Set<JmsSession> sessions = branch.participants();
        final Executor loop = connection.wire()::run;
        ask(to -> CompletableFuture.allOf(sessions.stream()
                        .map(session -> session.consumers().returnCached())
                        .toArray(CompletableFuture<?>[]::new))
                .thenComposeAsync(returned -> to.rollback(branch.xid().encoded(), branch.transaction()), loop)
                .whenCompleteAsync(
                        (rolledBack, failed) ->
                                sessions.forEach(session -> session.consumers().topUp()),
                        loop));
    }

    /** What is prepared. */
    void end(final BranchXid xid, final boolean commit) throws XAException {
        ask(to -> to.end(xid.encoded(), commit));
    }

    void forget(final BranchXid xid) throws XAException {
        ask(to -> to.forget(xid.encoded()));
    }

    List<BranchXid> recover() throws XAException {
        return ask(BranchLink::recover).stream().map(BranchXid::decode).toList();
    }

    private <T> T ask(final Function<BranchLink, CompletableFuture<T>> request) throws XAException {
        final WireException failure = connection.failure();
        if (failure != null) {
            throw XaFailures.of(XAException.XAER_RMFAIL, String.valueOf(failure.getMessage()));
        }
        return XaFailures.await(connection.later(() -> request.apply(link())), connection.requestTimeoutMs());
    }

    private BranchLink link() {
        BranchLink made = link;
        if (made == null) {
            made = connection.sessions().own().branches();
            link = made;
        }
        return made;
    }

    /** A server that does not know the extension says so by leaving its capability out. */
    static void requireXa(final JmsConnection connection) throws JMSException {
        if (!connection.wire().offers(BranchLink.CAPABILITY)) {
            throw new JMSException(
                    "the server has no XA: AMQP 1.0 knows none, and the server does not offer the extension "
                            + BranchLink.CAPABILITY + " of Avocet; use a transacted session");
        }
    }
}
