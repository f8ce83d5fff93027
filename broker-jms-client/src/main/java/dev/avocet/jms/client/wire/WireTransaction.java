package dev.avocet.jms.client.wire;

import dev.avocet.jms.client.wire.route.WireException;
import java.util.concurrent.CompletableFuture;
import org.apache.qpid.protonj2.engine.Transaction;
import org.apache.qpid.protonj2.engine.TransactionController;
import org.apache.qpid.protonj2.types.Binary;
import org.apache.qpid.protonj2.types.messaging.Accepted;
import org.apache.qpid.protonj2.types.transactions.TransactionalState;
import org.jspecify.annotations.Nullable;

/** A transaction at the server, from its declaration to its discharge. Owned by the connection's turn. */
public final class WireTransaction {
    private final CompletableFuture<Void> started = new CompletableFuture<>();
    private @Nullable TransactionalState sendState;
    private @Nullable TransactionalState acceptState;
    private volatile @Nullable WireException failure;
    private volatile @Nullable WireException refusal;
    private @Nullable Transaction<TransactionController> declared;
    /** Messages of it that wait to go out. */
    private int unwritten;
    /** Messages of it whose answer has not come, those that wait among them. */
    private int unanswered;

    private Runnable onProgress = () -> {};

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

    /** The server has not taken a message of it: so it is not to be committed. */
    public void refused(final WireException cause) {
        refusal = cause;
    }

    /** Why a message of it was not taken; null: all were, as far as is known. From any thread. */
    public @Nullable WireException refusal() {
        return refusal;
    }

    /** {@code progressed} runs when the last of its messages has gone out, and when the last is answered. */
    void onProgress(final Runnable progressed) {
        onProgress = progressed;
    }

    void sending() {
        unwritten++;
        unanswered++;
    }

    void written() {
        unwritten--;
        if (unwritten == 0) {
            onProgress.run();
        }
    }

    void answered() {
        unanswered--;
        if (unanswered == 0) {
            onProgress.run();
        }
    }

    /** All its messages have gone out. */
    boolean isWritten() {
        return unwritten == 0;
    }

    /** All its messages are answered. */
    boolean isAnswered() {
        return unanswered == 0;
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
