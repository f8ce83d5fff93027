package dev.avocet.core.transaction;

import dev.avocet.core.loop.IoLoop;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The transactions of a broker that are not over. Bounded. Any thread. */
public final class Transactions {
    private final TransactionLimits limits;
    private final Map<Long, Transaction> open = new ConcurrentHashMap<>();
    private final Map<BranchId, Transaction> branches = new ConcurrentHashMap<>();
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong nextId;

    /** @param firstId higher than that of any transaction that an earlier life may have left; more than 0 */
    public Transactions(TransactionLimits limits, long firstId) {
        this.limits = limits;
        this.nextId = new AtomicLong(firstId);
    }

    public TransactionLimits limits() {
        return limits;
    }

    /**
     * Begins a transaction, which belongs to this loop.
     *
     * @param onTimeout rolls it back when it has been active for too long; called on its loop
     * @throws TransactionException when there are enough
     */
    public Transaction begin(IoLoop loop, Consumer<Transaction> onTimeout) {
        takePlace();
        return add(new Transaction(this, nextId.getAndIncrement(), loop, limits.timeoutSeconds(), onTimeout));
    }

    /**
     * Begins a branch of a global transaction, which has its name from now on. On that loop.
     *
     * @param timeoutSeconds from now on, if that is less than what is configured; 0 for what is configured
     * @throws TransactionException when there are enough, or another one has the name
     */
    public Transaction begin(BranchId branch, int timeoutSeconds, IoLoop loop, Consumer<Transaction> onTimeout) {
        int most = limits.timeoutSeconds();
        int seconds = timeoutSeconds == 0 || most > 0 && most < timeoutSeconds ? most : timeoutSeconds;
        takePlace();
        Transaction begun = new Transaction(this, nextId.getAndIncrement(), loop, seconds, onTimeout);
        try {
            begun.named(branch);
        } catch (TransactionException e) {
            count.decrementAndGet();
            throw e;
        }
        return add(begun);
    }

    private void takePlace() {
        if (count.incrementAndGet() > limits.maxOpen()) {
            count.decrementAndGet();
            throw new TransactionException(
                    TransactionException.Reason.TOO_MANY_TRANSACTIONS,
                    limits.maxOpen() + " transactions are open, which is the most that are allowed: end some first");
        }
    }

    /**
     * Takes back a prepared transaction of an earlier life, though there be enough. On its loop, before any client asks
     * for it.
     *
     * @param messages room is taken for them
     * @param deliveries are in flight
     */
    public Transaction restore(
            long id,
            BranchId branch,
            @Nullable String owner,
            IoLoop loop,
            List<TransactedMessage> messages,
            List<TransactedDelivery> deliveries) {
        count.incrementAndGet();
        nextId.accumulateAndGet(id + 1, Math::max);
        Transaction restored = add(new Transaction(this, id, loop, 0, transaction -> {}));
        restored.owner(owner);
        restored.preparing(branch);
        restored.routed(List.copyOf(messages));
        restored.deliveries().addAll(deliveries);
        restored.inStore();
        restored.prepared();
        return restored;
    }

    /** The transactions that are in doubt, in the order in which they began. */
    public List<BranchId> recover() {
        return inDoubt().stream().map(Transactions::branchOf).toList();
    }

    /** The same as {@link #recover}, with more to tell. */
    public List<Transaction> inDoubt() {
        return branches.values().stream()
                .filter(transaction -> transaction.state() == TransactionState.PREPARED)
                .sorted(Comparator.comparingLong(Transaction::id))
                .toList();
    }

    /** The transaction of this name that is not over. */
    public @Nullable Transaction find(BranchId branch) {
        return branches.get(branch);
    }

    /** Those of a loop. */
    public List<Transaction> of(IoLoop loop) {
        return open.values().stream()
                .filter(transaction -> transaction.loop() == loop)
                .toList();
    }

    /** How many there are. */
    public int count() {
        return count.get();
    }

    /** What their messages take in memory, in bytes. */
    public long bytes() {
        return bytes.get();
    }

    void takeBytes(Transaction taker, long before, int more) {
        if (before + more > limits.maxBytes()) {
            throw new TransactionException(
                    TransactionException.Reason.TOO_MANY_BYTES,
                    taker + " would hold " + (before + more) + " bytes of messages, of at most " + limits.maxBytes()
                            + ": commit earlier");
        }
        if (bytes.addAndGet(more) > limits.maxBytesTogether()) {
            bytes.addAndGet(-more);
            throw new TransactionException(
                    TransactionException.Reason.TOO_MANY_BYTES,
                    "all transactions together would hold more than " + limits.maxBytesTogether()
                            + " bytes of messages: end some first");
        }
    }

    void takeBranch(BranchId branch, Transaction taker) {
        if (branches.putIfAbsent(branch, taker) != null) {
            throw new TransactionException(
                    TransactionException.Reason.DUPLICATE_BRANCH,
                    "another transaction has the branch identifier " + branch + ": use another one");
        }
    }

    void forget(Transaction over, long itsBytes) {
        if (open.remove(over.id(), over)) {
            count.decrementAndGet();
            bytes.addAndGet(-itsBytes);
        }
        BranchId branch = over.branch();
        if (branch != null) {
            branches.remove(branch, over);
        }
    }

    private Transaction add(Transaction made) {
        open.put(made.id(), made);
        return made;
    }

    private static BranchId branchOf(Transaction prepared) {
        BranchId branch = prepared.branch();
        if (branch == null) {
            throw new IllegalStateException(prepared + " has no branch identifier");
        }
        return branch;
    }
}
