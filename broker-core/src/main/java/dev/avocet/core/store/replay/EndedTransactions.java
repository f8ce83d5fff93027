package dev.avocet.core.store.replay;

import dev.avocet.core.time.Clock;
import dev.avocet.core.transaction.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * What transactions retain that were written in pieces and have taken effect since the last checkpoint began. Their
 * messages lie before its position and their ends behind it: a checkpoint that does not see them as open any more has
 * them from here, so that what the journal says behind its position is compared with the end of the transaction.
 *
 * <p>{@link #add} on any loop, everything else on the thread that takes checkpoints.
 */
public final class EndedTransactions {
    private final ConcurrentLinkedQueue<RecoveredTransaction> ended = new ConcurrentLinkedQueue<>();
    private final TransactionSnapshots snapshots;

    public EndedTransactions(Clock clock) {
        snapshots = new TransactionSnapshots(clock);
    }

    /** A transaction has taken effect. The transaction's loop. */
    public void add(Transaction transaction) {
        RecoveredTransaction retained = snapshots.retainedBy(transaction);
        if (!retained.messages().isEmpty()) {
            ended.add(retained);
        }
    }

    /** A checkpoint begins: what has ended until now lies before its position. */
    public void begin() {
        ended.clear();
    }

    /** Those that have ended since, without those that were seen open. */
    public List<RecoveredTransaction> without(Set<Long> open) {
        List<RecoveredTransaction> all = new ArrayList<>(ended);
        all.removeIf(transaction -> open.contains(transaction.id()));
        return all;
    }
}
