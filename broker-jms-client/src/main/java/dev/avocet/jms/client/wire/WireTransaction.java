package dev.avocet.jms.client.wire;

import java.util.concurrent.CompletableFuture;
import org.apache.qpid.protonj2.engine.Transaction;
import org.apache.qpid.protonj2.engine.TransactionController;
import org.apache.qpid.protonj2.types.Binary;
import org.apache.qpid.protonj2.types.messaging.Accepted;
import org.apache.qpid.protonj2.types.transactions.TransactionalState;
import org.jspecify.annotations.Nullable;

/** A transaction at the server, from its declaration to its discharge. Owned by the event loop. */
public final class WireTransaction {
    private final CompletableFuture<Void> started = new CompletableFuture<>();
    private @Nullable TransactionalState sendState;
    private @Nullable TransactionalState acceptState;
    private volatile @Nullable WireException failure;
    private @Nullable Transaction<TransactionController> declared;

    /** Made by any thread; {@link WireTransactions#begin} begins it. */
    public WireTransaction() {}

    static WireException lost(final WireException cause) {
        return new WireException(
                WireException.TRANSACTION_LOST,
                "the transaction was rolled back, because the connection was lost (" + cause.getMessage() + ")",
                cause);
    }

    void declared(final Transaction<TransactionController> transaction) {
        declared = transaction;
        named(transaction.getTxnId());
    }

    /** The server has begun it, and calls it so. */
    void named(final Binary txnId) {
        sendState = new TransactionalState().setTxnId(txnId);
        acceptState = new TransactionalState().setTxnId(txnId).setOutcome(Accepted.getInstance());
        started.complete(null);
    }

    void failed(final WireException cause) {
        if (failure == null) {
            failure = cause;
        }
        started.complete(null);
    }

    /** Ends when the server has declared it, or it has failed. */
    public CompletableFuture<Void> started() {
        return started;
    }

    /** The server has declared it, or it has failed. */
    boolean isSettledStart() {
        return sendState != null || failure != null;
    }

    /** Why it cannot be committed any more; null: it can. From any thread. */
    public @Nullable WireException failure() {
        return failure;
    }

    @Nullable Transaction<TransactionController> transaction() {
        return declared;
    }

    TransactionalState sendState() {
        if (sendState == null) {
            throw new IllegalStateException("the transaction is not declared yet");
        }
        return sendState;
    }

    /** The state of a delivery that is acknowledged in it; null while it is not declared. */
    public @Nullable TransactionalState acceptState() {
        return acceptState;
    }
}
