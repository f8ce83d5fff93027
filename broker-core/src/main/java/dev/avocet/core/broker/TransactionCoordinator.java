package dev.avocet.core.broker;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.store.write.StoreWriter;
import dev.avocet.core.transaction.BranchId;
import dev.avocet.core.transaction.HeuristicDecisions;
import dev.avocet.core.transaction.Transaction;
import dev.avocet.core.transaction.TransactionCompletion;
import dev.avocet.core.transaction.TransactionOutcome;
import dev.avocet.core.transaction.TransactionState;
import dev.avocet.core.transaction.Transactions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Ends transactions. A front end {@linkplain #begin begins} one, gives it publishes and acknowledgements, and then
 * either {@linkplain #commit(Transaction, TransactionCompletion) commits} it or rolls it back; or, as a branch of a
 * global transaction, it {@linkplain #prepare prepares} it, and its coordinator commits or rolls back under the
 * branch's name, through any connection and after any restart. An administrator who decides in the coordinator's place
 * uses the same calls.
 *
 * <p>Where the broker has a store, the answer comes when what it says is durable; once the store has failed there is
 * none. Without a store everything holds as long as the broker lives.
 *
 * <p>Threads: methods that take a {@link Transaction} are called on its loop, those that take an {@link IoLoop} on that
 * one, {@link #recover} anywhere.
 */
public final class TransactionCoordinator {
    private final Broker broker;
    private final Transactions transactions;
    private final HeuristicDecisions decisions = new HeuristicDecisions();

    TransactionCoordinator(Broker broker, Transactions transactions) {
        this.broker = broker;
        this.transactions = transactions;
    }

    /**
     * Begins a transaction of one connection of this loop. When it takes too long it is rolled back; its user
     * afterwards gets an exception that says so.
     *
     * @throws dev.avocet.core.transaction.TransactionException when there are enough
     */
    public Transaction begin(IoLoop loop) {
        return transactions.begin(loop, this::abandon);
    }

    /**
     * The same for a branch of a global transaction, which has its name from the beginning: no other connection can
     * begin one of that name.
     *
     * @param timeoutSeconds from now on; 0 for what is configured, which is also the most
     * @throws dev.avocet.core.transaction.TransactionException when there are enough, or another one has the name
     */
    public Transaction begin(BranchId branch, int timeoutSeconds, IoLoop loop) {
        return transactions.begin(branch, timeoutSeconds, loop, this::abandon);
    }

    /**
     * Has everything in the transaction happen, or nothing: then it is over, and the outcome tells why. Waits for
     * queues that slow their publishers down as long as a publish does. Consumers see the messages, and acknowledged
     * ones are gone, when it is durable.
     *
     * @throws dev.avocet.core.transaction.TransactionException when it is neither active nor prepared
     */
    public void commit(Transaction transaction, TransactionCompletion completion) {
        boolean prepared = transaction.state() == TransactionState.PREPARED;
        transaction.ending();
        TransactionEnd end = new TransactionEnd(broker, transaction, writer(transaction.loop()), completion);
        if (prepared) {
            end.commitPrepared();
        } else {
            new TransactionRouting(broker, transaction, () -> end.commit(), end::refuse, end::endUnroutable).begin();
        }
    }

    /**
     * Makes sure that the transaction can be committed, whatever happens: its messages are written and there is room
     * for them, what it acknowledges is not delivered. When that cannot be, it is rolled back and over, and
     * the outcome tells why. One in which there is nothing is over at once: {@link TransactionOutcome#READ_ONLY}.
     *
     * @throws dev.avocet.core.transaction.TransactionException when it is not active, or another one has the name;
     *     nothing has changed
     */
    public void prepare(Transaction transaction, BranchId branch, TransactionCompletion completion) {
        transaction.preparing(branch);
        TransactionEnd end = new TransactionEnd(broker, transaction, writer(transaction.loop()), completion);
        if (transaction.isEmpty()) {
            end.endReadOnly();
        } else {
            new TransactionRouting(broker, transaction, () -> end.prepare(branch), end::refuse, end::endUnroutable)
                    .begin();
        }
    }

    /**
     * Has nothing in the transaction happen. What it has acknowledged goes back to the front of its queue.
     *
     * @throws dev.avocet.core.transaction.TransactionException when it is neither active nor prepared
     */
    public void rollback(Transaction transaction, TransactionCompletion completion) {
        boolean prepared = transaction.state() == TransactionState.PREPARED;
        transaction.ending();
        TransactionEnd end = new TransactionEnd(broker, transaction, writer(transaction.loop()), completion);
        if (prepared) {
            end.rollbackPrepared();
        } else {
            end.rollback(TransactionOutcome.ROLLED_BACK);
        }
    }

    /**
     * The transaction's connection is gone, or its time is over: unless it is about to end or prepared, it is rolled
     * back.
     */
    public void abandon(Transaction transaction) {
        if (transaction.state() == TransactionState.ACTIVE) {
            rollback(transaction, outcome -> {});
        }
    }

    /** The branches that are in doubt: prepared, and neither committed nor rolled back. */
    public List<BranchId> recover() {
        return transactions.recover();
    }

    /**
     * How far the branch of this name has come, which may be over in the next moment; null when there is none. Any
     * thread.
     */
    public @Nullable TransactionState stateOf(BranchId branch) {
        Transaction found = transactions.find(branch);
        return found == null ? null : found.state();
    }

    /** The user who has prepared the branch of this name; null when there is none, or no user. Any thread. */
    public @Nullable String ownerOf(BranchId branch) {
        Transaction found = transactions.find(branch);
        return found == null ? null : found.owner();
    }

    /** What administrators have decided in the place of coordinators. */
    public HeuristicDecisions decisions() {
        return decisions;
    }

    /** The same transactions, for administrators. Any thread. */
    public List<Transaction> inDoubt() {
        return transactions.inDoubt();
    }

    /** The transactions of a loop, which is the calling thread's, that are prepared. */
    public List<Transaction> inDoubt(IoLoop loop) {
        return transactions.of(loop).stream()
                .filter(transaction -> transaction.state() == TransactionState.PREPARED)
                .toList();
    }

    /**
     * Commits a prepared transaction, whosever it is. The completion hears on the caller's loop, and never in this
     * call.
     */
    public void commit(BranchId branch, IoLoop caller, TransactionCompletion completion) {
        end(branch, caller, completion, this::commit);
    }

    /** Rolls back a prepared transaction; as {@link #commit(BranchId, IoLoop, TransactionCompletion)}. */
    public void rollback(BranchId branch, IoLoop caller, TransactionCompletion completion) {
        end(branch, caller, completion, this::rollback);
    }

    private void end(BranchId branch, IoLoop caller, TransactionCompletion completion, End how) {
        TransactionCompletion answer = outcome -> caller.execute(() -> completion.onCompleted(outcome));
        Transaction found = transactions.find(branch);
        if (found == null) {
            answer.onCompleted(TransactionOutcome.UNKNOWN_BRANCH);
            return;
        }
        found.loop().execute(() -> {
            if (found.state() == TransactionState.PREPARED) {
                how.end(found, answer);
            } else {
                answer.onCompleted(TransactionOutcome.UNKNOWN_BRANCH);
            }
        });
    }

    private @Nullable StoreWriter writer(IoLoop loop) {
        return broker.writer(loop);
    }

    @FunctionalInterface
    private interface End {
        void end(Transaction transaction, TransactionCompletion completion);
    }
}
