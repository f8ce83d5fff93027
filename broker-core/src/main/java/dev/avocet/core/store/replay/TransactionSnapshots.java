package dev.avocet.core.store.replay;

import dev.avocet.core.message.Message;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.store.entry.MessageEntry;
import dev.avocet.core.time.Clock;
import dev.avocet.core.transaction.BranchId;
import dev.avocet.core.transaction.TransactedDelivery;
import dev.avocet.core.transaction.TransactedMessage;
import dev.avocet.core.transaction.TransactedTarget;
import dev.avocet.core.transaction.Transaction;
import java.util.List;

/**
 * What a loop's transactions have in the journal, for a checkpoint. What of a transaction is not durable yet is left
 * out: it lies behind the checkpoint's position. On the loop.
 */
public final class TransactionSnapshots {
    private final Clock clock;

    public TransactionSnapshots(Clock clock) {
        this.clock = clock;
    }

    /** What a checkpoint has to know of those that are written in pieces. The transactions' loop. */
    public List<RecoveredTransaction> of(List<Transaction> transactions) {
        return transactions.stream()
                .filter(Transaction::isInStore)
                .map(this::snapshot)
                .toList();
    }

    /** What a transaction retains or removes, and nothing else of it. */
    RecoveredTransaction retainedBy(Transaction transaction) {
        RecoveredTransaction copy = new RecoveredTransaction(transaction.id());
        for (TransactedMessage message : transaction.routed()) {
            if (message.isStored() && message.retainedTopic() != null) {
                copy.add(pending(message).withTargets(List.of()));
            }
        }
        return copy;
    }

    private RecoveredTransaction snapshot(Transaction transaction) {
        RecoveredTransaction copy = new RecoveredTransaction(transaction.id());
        BranchId branch = transaction.isInDoubt() ? transaction.branch() : null;
        if (branch != null) {
            copy.prepare(branch.encoded(), transaction.owner());
        }
        for (TransactedMessage message : transaction.routed()) {
            if (message.isStored()) {
                copy.add(pending(message));
            }
        }
        for (TransactedDelivery delivery : transaction.deliveries()) {
            if (delivery.isStored()) {
                copy.acknowledge(delivery.queue().durableId(), delivery.reference(), delivery.reference());
            }
        }
        return copy;
    }

    private PendingMessage pending(TransactedMessage message) {
        TopicName topic = message.retainedTopic();
        long deadlineNs = message.expiryDeadlineNs();
        return new PendingMessage(
                message.position(),
                message.storedBytes(),
                deadlineNs == Message.NEVER ? RecoveredQueue.NEVER : MessageEntry.wallMs(deadlineNs, clock),
                topic == null ? null : topic.text(),
                topic != null && !message.isKept(),
                message.targets().stream()
                        .filter(TransactedTarget::isStored)
                        .map(target -> new PendingMessage.Target(
                                target.queue().durableId(), target.reference(), target.options()))
                        .toList());
    }
}
