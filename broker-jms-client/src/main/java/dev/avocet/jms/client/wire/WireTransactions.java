package dev.avocet.jms.client.wire;

import dev.avocet.jms.client.wire.route.WireException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.qpid.protonj2.engine.Session;
import org.apache.qpid.protonj2.engine.Transaction;
import org.apache.qpid.protonj2.engine.TransactionController;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.messaging.Accepted;
import org.apache.qpid.protonj2.types.messaging.Modified;
import org.apache.qpid.protonj2.types.messaging.Rejected;
import org.apache.qpid.protonj2.types.messaging.Released;
import org.apache.qpid.protonj2.types.messaging.Source;
import org.apache.qpid.protonj2.types.transactions.Coordinator;
import org.apache.qpid.protonj2.types.transactions.TxnCapability;
import org.jspecify.annotations.Nullable;

/**
 * The coordinator link of a session, made when the first transaction begins. Owned by the connection's turn.
 *
 * <p>A discharge and the next declaration may go out together.
 */
public final class WireTransactions implements WireLink {
    private static final Symbol[] OUTCOMES = {
        Accepted.DESCRIPTOR_SYMBOL, Rejected.DESCRIPTOR_SYMBOL, Released.DESCRIPTOR_SYMBOL, Modified.DESCRIPTOR_SYMBOL
    };

    /** Offered, asked for and granted: a transaction of which the server has refused a message cannot be committed. */
    static final Symbol ALL_OR_NOTHING = Symbol.valueOf("avocet:all-or-nothing");

    /** A discharge, and whether it went out. */
    private static final class Discharge {
        private final WireTransaction transaction;
        private final boolean rollback;
        private final CompletableFuture<Void> done = new CompletableFuture<>();
        private boolean sent;
        /** A message of it was refused before it went out, so that it is a rollback. */
        private boolean refused;

        Discharge(final WireTransaction transaction, final boolean rollback) {
            this.transaction = transaction;
            this.rollback = rollback;
        }
    }

    private final WireSession session;
    private final Deque<WireTransaction> undeclared = new ArrayDeque<>();
    private final List<WireTransaction> live = new ArrayList<>();
    private final List<Discharge> discharges = new ArrayList<>();

    private @Nullable TransactionController controller;
    /** Declarations and discharges that the line's server has not answered. */
    private int unanswered;
    /**
     * The line's server rolls back what it has refused a part of, so a commit need not wait until it has taken all
     * parts.
     */
    private boolean allOrNothing;

    private @Nullable Runnable onAnswered;
    private @Nullable WireException failure;

    WireTransactions(final WireSession session) {
        this.session = session;
    }

    /** Begins a transaction; it may be used at once, its work waits for the server. */
    public void begin(final WireTransaction transaction) {
        if (failure != null) {
            transaction.failed(failure);
            return;
        }
        live.add(transaction);
        undeclared.add(transaction);
        final Session open = session.proton();
        if (controller == null && open != null) {
            open(open);
        }
        pump();
    }

    /**
     * Commits, or rolls back, behind all that belongs to the transaction; a commit, unless the server sees to it, when
     * that is answered. Fails where a message of it was refused.
     */
    public CompletableFuture<Void> discharge(final WireTransaction transaction, final boolean rollback) {
        final Discharge discharge = new Discharge(transaction, rollback);
        if (transaction.failure() != null) {
            finish(discharge, transaction.failure());
        } else {
            transaction.onProgress(this::pump);
            discharges.add(discharge);
            pump();
        }
        return discharge.done;
    }

    @Override
    public void attach(final Session to) {
        controller = null;
        allOrNothing = false;
        unanswered = 0;
        if (!undeclared.isEmpty()) {
            open(to);
        }
    }

    private void open(final Session on) {
        final TransactionController fresh = on.coordinator("transactions");
        controller = fresh;
        fresh.setSource(new Source().setOutcomes(OUTCOMES));
        final Coordinator wanted = new Coordinator();
        if (session.connection().isTransactionAllOrNothing()) {
            wanted.setCapabilities(TxnCapability.LOCAL_TXN, ALL_OR_NOTHING);
        } else {
            wanted.setCapabilities(TxnCapability.LOCAL_TXN);
        }
        fresh.setCoordinator(wanted);
        fresh.openHandler(this::opened);
        fresh.declaredHandler(this::declared);
        fresh.declareFailureHandler(this::declareFailed);
        fresh.dischargedHandler(done -> answered(done, null));
        fresh.dischargeFailureHandler(done ->
                answered(done, WireException.of(done.getCondition(), "the server rolled the transaction back")));
        fresh.addCapacityAvailableHandler(ready -> pump());
        fresh.closeHandler(this::closed);
        fresh.open();
    }

    private void opened(final TransactionController which) {
        final Coordinator granted = which.getRemoteCoordinator();
        allOrNothing = which == controller
                && session.connection().isTransactionAllOrNothing()
                && granted != null
                && granted.getCapabilities() != null
                && List.of(granted.getCapabilities()).contains(ALL_OR_NOTHING);
    }

    private void closed(final TransactionController which) {
        if (which == controller) {
            controller = null;
            unanswered = 0;
            runAnswered();
            failAll(WireException.of(which.getRemoteCondition(), "the server ended the session's transactions"), true);
        }
    }

    @Override
    public void pump() {
        final TransactionController to = controller;
        if (to == null) {
            return;
        }
        while (to.hasCapacity()) {
            if (!dischargeNext(to) && !declareNext(to)) {
                return;
            }
        }
        to.addCapacityAvailableHandler(ready -> pump());
    }

    private boolean dischargeNext(final TransactionController to) {
        for (final Discharge discharge : discharges) {
            final Transaction<TransactionController> declared = discharge.transaction.transaction();
            if (declared != null && isReady(discharge)) {
                discharge.sent = true;
                unanswered++;
                declared.setLinkedResource(discharge);
                discharge.refused = !discharge.rollback && discharge.transaction.refusal() != null;
                to.discharge(declared, discharge.rollback || discharge.refused);
                return true;
            }
        }
        return false;
    }

    private boolean isReady(final Discharge discharge) {
        final boolean needNotKnow = allOrNothing || discharge.rollback;
        return !discharge.sent
                && (needNotKnow ? discharge.transaction.isWritten() : discharge.transaction.isAnswered());
    }

    private boolean declareNext(final TransactionController to) {
        final WireTransaction next = undeclared.poll();
        if (next == null) {
            return false;
        }
        final Transaction<TransactionController> transaction = to.newTransaction();
        transaction.setLinkedResource(next);
        unanswered++;
        to.declare(transaction);
        return true;
    }

    private void declared(final Transaction<TransactionController> transaction) {
        final WireTransaction ours = transaction.getLinkedResource(WireTransaction.class);
        ours.declared(transaction);
        session.pump();
        answered();
    }

    private void declareFailed(final Transaction<TransactionController> transaction) {
        final WireTransaction ours = transaction.getLinkedResource(WireTransaction.class);
        ours.failed(WireException.of(transaction.getCondition(), "the server begins no transaction"));
        live.remove(ours);
        for (final Discharge discharge : List.copyOf(discharges)) {
            if (discharge.transaction == ours) {
                finish(discharge, ours.failure());
            }
        }
        session.pump();
        answered();
    }

    private void answered() {
        unanswered--;
        runAnswered();
    }

    private void runAnswered() {
        final Runnable then = onAnswered;
        if (then != null && unanswered <= 0) {
            onAnswered = null;
            then.run();
        }
    }

    /**
     * Runs it when the server has answered all; true: at once. A session must not end before: what it has not answered
     * until then a server may settle without an outcome, and ProtonJ2 takes that for a failure of the connection.
     */
    boolean whenAnswered(final Runnable then) {
        onAnswered = then;
        runAnswered();
        return onAnswered == null;
    }

    private void answered(final Transaction<TransactionController> transaction, final @Nullable WireException cause) {
        final Discharge discharge = transaction.getLinkedResource(Discharge.class);
        finish(discharge, cause == null && discharge.refused ? rolledBack() : cause);
        answered();
    }

    private static WireException rolledBack() {
        return new WireException(
                WireException.TRANSACTION_LOST,
                "the transaction was rolled back, because a message of it was not taken");
    }

    private void finish(final Discharge discharge, final @Nullable WireException cause) {
        discharges.remove(discharge);
        live.remove(discharge.transaction);
        if (cause == null) {
            discharge.done.complete(null);
        } else {
            discharge.done.completeExceptionally(cause);
        }
    }

    @Override
    public void detached(final WireException cause) {
        controller = null;
        failAll(cause, false);
    }

    private void failAll(final WireException cause, final boolean answered) {
        final WireException lost = WireTransaction.lost(cause);
        final WireException doubt = new WireException(
                WireException.IN_DOUBT,
                "the connection was lost before the server answered the commit; whether it is done is in doubt ("
                        + cause.getMessage() + ")",
                cause);
        undeclared.clear();
        for (final WireTransaction transaction : List.copyOf(live)) {
            transaction.failed(lost);
        }
        live.clear();
        for (final Discharge discharge : List.copyOf(discharges)) {
            final boolean inDoubt = discharge.sent && !discharge.rollback && !answered;
            finish(discharge, inDoubt ? doubt : lost);
        }
        session.pump();
    }

    @Override
    public void ended(final WireException cause) {
        failure = cause;
        controller = null;
        failAll(cause, false);
    }
}
