package dev.avocet.jms.client.session;

import dev.avocet.jms.client.call.XaFailures;
import java.util.List;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.jspecify.annotations.Nullable;

/**
 * What a transaction manager has of a session. Resources of one connection are one resource manager: a branch may be
 * joined by several of its sessions. What is prepared can be ended by any connection.
 */
final class XaSessionResource implements XAResource {
    private static final int RECOVER_FLAGS = TMSTARTRSCAN | TMENDRSCAN;

    private final JmsXaSession session;
    private final XaBranches branches;
    private volatile int timeoutS;

    XaSessionResource(final JmsXaSession session, final XaBranches branches) {
        this.session = session;
        this.branches = branches;
    }

    @Override
    public void start(final Xid xid, final int flags) throws XAException {
        final BranchXid name = BranchXid.of(xid);
        if (session.branch() != null) {
            throw XaFailures.of(
                    XAException.XAER_PROTO,
                    "the session is in the branch " + name(session.branch()) + ": end it first");
        }
        switch (flags) {
            case TMNOFLAGS -> enter(branches.start(name, timeoutS));
            case TMJOIN -> join(known(name));
            case TMRESUME -> resume(known(name));
            default -> throw XaFailures.of(XAException.XAER_INVAL, "start() has no flags " + flags);
        }
    }

    private static String name(final @Nullable XaBranch branch) {
        return branch == null ? "" : branch.xid().toString();
    }

    private XaBranch known(final BranchXid name) throws XAException {
        final XaBranch branch = branches.find(name);
        if (branch == null) {
            throw XaFailures.of(
                    XAException.XAER_NOTA,
                    "no branch " + name + " was begun on this connection and is not prepared yet");
        }
        return branch;
    }

    private void join(final XaBranch branch) throws XAException {
        final String doom = branch.doom();
        if (doom != null) {
            throw XaFailures.of(XAException.XA_RBROLLBACK, doom);
        }
        enter(branch);
    }

    private void resume(final XaBranch branch) throws XAException {
        synchronized (branches) { // Guards who is in a branch.
            if (!branch.suspended().remove(session)) {
                throw XaFailures.of(XAException.XAER_PROTO, "the session has not suspended the branch " + branch.xid());
            }
            enter(branch);
        }
    }

    private void enter(final XaBranch branch) throws XAException {
        synchronized (branches) { // As above.
            final XaBranch same = known(branch.xid());
            assert same == branch;
            branch.associated().add(session);
        }
        session.enter(branch);
    }

    @Override
    public void end(final Xid xid, final int flags) throws XAException {
        final XaBranch branch = known(BranchXid.of(xid));
        if (flags != TMSUCCESS && flags != TMFAIL && flags != TMSUSPEND) {
            throw XaFailures.of(XAException.XAER_INVAL, "end() has no flags " + flags);
        }
        session.awaitSent();
        synchronized (branches) { // As above.
            final boolean was = branch.associated().remove(session);
            if (!was && (flags == TMSUSPEND || !branch.suspended().remove(session))) {
                throw XaFailures.of(XAException.XAER_PROTO, "the session is not in the branch " + branch.xid());
            }
            if (flags == TMSUSPEND) {
                branch.suspended().add(session);
            }
        }
        if (session.branch() == branch) {
            session.enter(null);
        }
        if (flags == TMFAIL) {
            branch.doom("the branch was ended with TMFAIL");
        }
    }

    @Override
    public int prepare(final Xid xid) throws XAException {
        final BranchXid name = BranchXid.of(xid);
        return branches.prepare(known(name)) ? XA_OK : XA_RDONLY;
    }

    @Override
    public void commit(final Xid xid, final boolean onePhase) throws XAException {
        final BranchXid name = BranchXid.of(xid);
        if (onePhase) {
            branches.commitOnePhase(known(name));
        } else {
            requireNotActive(name);
            branches.end(name, true);
        }
    }

    private void requireNotActive(final BranchXid name) throws XAException {
        if (branches.find(name) != null) {
            throw XaFailures.of(XAException.XAER_PROTO, "the branch " + name + " is not prepared yet");
        }
    }

    @Override
    public void rollback(final Xid xid) throws XAException {
        final BranchXid name = BranchXid.of(xid);
        final XaBranch active = branches.find(name);
        if (active != null) {
            branches.rollback(active);
        } else {
            branches.end(name, false);
        }
    }

    @Override
    public void forget(final Xid xid) throws XAException {
        branches.forget(BranchXid.of(xid));
    }

    /** All come with TMSTARTRSCAN. */
    @Override
    public Xid[] recover(final int flags) throws XAException {
        if ((flags & ~RECOVER_FLAGS) != 0) {
            throw XaFailures.of(XAException.XAER_INVAL, "recover() has no flags " + flags);
        }
        final List<BranchXid> found = (flags & TMSTARTRSCAN) == 0 ? List.of() : branches.recover();
        return found.toArray(Xid[]::new);
    }

    @Override
    public boolean isSameRM(final XAResource other) {
        return other instanceof final XaSessionResource that && that.branches == branches;
    }

    @Override
    public int getTransactionTimeout() {
        return timeoutS;
    }

    /** For branches that are begun afterwards; the server's own limit is the most, and holds where there is none. */
    @Override
    public boolean setTransactionTimeout(final int seconds) throws XAException {
        if (seconds < 0) {
            throw XaFailures.of(
                    XAException.XAER_INVAL, "a time-out is 0 for the server's own, or more, not " + seconds);
        }
        timeoutS = seconds;
        return true;
    }
}
