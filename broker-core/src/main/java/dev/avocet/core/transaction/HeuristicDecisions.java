package dev.avocet.core.transaction;

import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * How administrators have ended branches in the place of their coordinators, which have to be told when they ask: the
 * last {@value #REMEMBERED} of them, until the broker stops or they are forgotten. Any thread.
 */
public final class HeuristicDecisions {
    private static final int REMEMBERED = 1_000;

    private final Map<BranchId, TransactionState> decided = new ConcurrentHashMap<>();
    private final Queue<BranchId> inOrder = new ConcurrentLinkedQueue<>();

    /** The branch was ended so: {@link TransactionState#COMMITTED} or {@link TransactionState#ROLLED_BACK}. */
    public void remember(BranchId branch, TransactionState how) {
        if (decided.put(branch, how) == null) {
            inOrder.add(branch);
        }
        BranchId oldest = decided.size() > REMEMBERED ? inOrder.poll() : null;
        if (oldest != null) {
            decided.remove(oldest);
        }
    }

    /** How the branch was ended; null when no administrator did, or it is forgotten. */
    public @Nullable TransactionState of(BranchId branch) {
        return decided.get(branch);
    }

    /** Remembers a decision no longer; false when none is remembered. */
    public boolean forget(BranchId branch) {
        inOrder.remove(branch);
        return decided.remove(branch) != null;
    }

    /** All of them. */
    public Map<BranchId, TransactionState> all() {
        return Map.copyOf(decided);
    }
}
