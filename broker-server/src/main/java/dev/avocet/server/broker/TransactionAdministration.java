package dev.avocet.server.broker;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.transaction.BranchId;
import dev.avocet.core.transaction.Transaction;
import dev.avocet.core.transaction.TransactionOutcome;
import dev.avocet.server.broker.TransactionFacts.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Ends transactions in the place of their coordinators. What was decided so is remembered, for the last {@value #REMEMBERED} of them and
 * until the broker stops, or until it is forgotten. Not for event loops; otherwise any thread.
 */
public final class TransactionAdministration {
    private static final int REMEMBERED = 1_000;

    private final Broker broker;
    private final Map<BranchId, State> decided = new ConcurrentHashMap<>();
    private final Queue<BranchId> inOrder = new ConcurrentLinkedQueue<>();

    TransactionAdministration(Broker broker) {
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
        decided.forEach((branch, state) -> all.add(new TransactionFacts(branch.toString(), state, 0, 0)));
        return all;
    }

    /** Commits one that is prepared. */
    public TransactionOutcome commit(BranchId branch) throws NotInTimeException {
        return end(branch, State.HEURISTIC_COMMIT, broker.transactions()::commit);
    }

    /** Rolls one back that is prepared. */
    public TransactionOutcome rollback(BranchId branch) throws NotInTimeException {
        return end(branch, State.HEURISTIC_ROLLBACK, broker.transactions()::rollback);
    }

    /** Whether it is in doubt, so that it cannot be forgotten. */
    public boolean isInDoubt(BranchId branch) {
        return broker.transactions().recover().contains(branch);
    }

    /** Remembers a decision no longer; false when none is remembered. */
    public boolean forget(BranchId branch) {
        inOrder.remove(branch);
        return decided.remove(branch) != null;
    }

    private TransactionOutcome end(BranchId branch, State decision, End how) throws NotInTimeException {
        CompletableFuture<TransactionOutcome> answer = new CompletableFuture<>();
        how.end(branch, broker.loops().get(0), answer::complete);
        TransactionOutcome outcome = ClientAdministration.await(answer);
        if (outcome != TransactionOutcome.UNKNOWN_BRANCH) {
            remember(branch, decision);
        }
        return outcome;
    }

    private void remember(BranchId branch, State decision) {
        decided.put(branch, decision);
        inOrder.add(branch);
        BranchId oldest = decided.size() > REMEMBERED ? inOrder.poll() : null;
        if (oldest != null) {
            decided.remove(oldest);
        }
    }

    private static TransactionFacts facts(Transaction transaction) {
        return new TransactionFacts(
                String.valueOf(transaction.branch()),
                State.PREPARED,
                transaction.routed().size(),
                transaction.deliveries().size());
    }

    @FunctionalInterface
    private interface End {
        void end(BranchId branch, IoLoop caller, dev.avocet.core.transaction.TransactionCompletion completion);
    }
}
