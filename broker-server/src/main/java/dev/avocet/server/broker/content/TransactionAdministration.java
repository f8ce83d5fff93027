package dev.avocet.server.broker.content;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.transaction.BranchId;
import dev.avocet.core.transaction.HeuristicDecisions;
import dev.avocet.core.transaction.Transaction;
import dev.avocet.core.transaction.TransactionOutcome;
import dev.avocet.core.transaction.TransactionState;
import dev.avocet.server.broker.content.TransactionFacts.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Ends transactions in the place of their coordinators. What was decided so is
 * {@linkplain dev.avocet.core.transaction.HeuristicDecisions remembered}, and coordinators are told. Not for event
 * loops; otherwise any thread.
 */
public final class TransactionAdministration {
    private final Broker broker;

    public TransactionAdministration(Broker broker) {
        this.broker = broker;
    }

    /** What is in doubt, and then what administrators have decided. */
    public List<TransactionFacts> list() throws NotInTimeException {
        Queue<TransactionFacts> inDoubt = new ConcurrentLinkedQueue<>();
        List<CompletableFuture<Void>> done = new ArrayList<>();
        for (IoLoop loop : broker.loops()) {
            done.add(CompletableFuture.runAsync(
                    () -> broker.transactions().inDoubt(loop).forEach(each -> inDoubt.add(facts(each))),
                    loop::execute));
        }
        ClientAdministration.await(CompletableFuture.allOf(done.toArray(new CompletableFuture<?>[0])));
        List<TransactionFacts> all = new ArrayList<>(inDoubt);
        decisions()
                .all()
                .forEach((branch, how) -> all.add(new TransactionFacts(branch.toString(), word(how), 0, 0, 0, null)));
        return all;
    }

    /** Commits one that is prepared. */
    public TransactionOutcome commit(BranchId branch) throws NotInTimeException {
        return end(branch, TransactionState.COMMITTED, broker.transactions()::commit);
    }

    /** Rolls one back that is prepared. */
    public TransactionOutcome rollback(BranchId branch) throws NotInTimeException {
        return end(branch, TransactionState.ROLLED_BACK, broker.transactions()::rollback);
    }

    /** Whether it is in doubt, so that it cannot be forgotten. */
    public boolean isInDoubt(BranchId branch) {
        return broker.transactions().recover().contains(branch);
    }

    /** Remembers a decision no longer; false when none is remembered. */
    public boolean forget(BranchId branch) {
        return decisions().forget(branch);
    }

    private TransactionOutcome end(BranchId branch, TransactionState decision, End how) throws NotInTimeException {
        CompletableFuture<TransactionOutcome> answer = new CompletableFuture<>();
        how.end(branch, broker.loops().get(0), answer::complete);
        TransactionOutcome outcome = ClientAdministration.await(answer);
        if (outcome != TransactionOutcome.UNKNOWN_BRANCH) {
            decisions().remember(branch, decision);
        }
        return outcome;
    }

    private HeuristicDecisions decisions() {
        return broker.transactions().decisions();
    }

    private static State word(TransactionState how) {
        return how == TransactionState.COMMITTED ? State.HEURISTIC_COMMIT : State.HEURISTIC_ROLLBACK;
    }

    private static TransactionFacts facts(Transaction transaction) {
        return new TransactionFacts(
                String.valueOf(transaction.branch()),
                State.PREPARED,
                transaction.routed().size(),
                transaction.deliveries().size(),
                transaction.preparedAtMs(),
                transaction.owner());
    }

    @FunctionalInterface
    private interface End {
        void end(BranchId branch, IoLoop caller, dev.avocet.core.transaction.TransactionCompletion completion);
    }
}
