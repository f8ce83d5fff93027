package dev.avocet.core.store;

import dev.avocet.core.journal.JournalException;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.queue.MessageQueue;
import dev.avocet.core.queue.reference.ReferenceVisitor;
import dev.avocet.core.queue.transit.Unsettled;
import dev.avocet.core.store.replay.PendingMessage;
import dev.avocet.core.store.replay.RecoveredQueue;
import dev.avocet.core.store.replay.RecoveredTransaction;
import dev.avocet.core.time.Clock;
import dev.avocet.core.transaction.BranchId;
import dev.avocet.core.transaction.TransactedDelivery;
import dev.avocet.core.transaction.TransactedMessage;
import dev.avocet.core.transaction.TransactedTarget;
import dev.avocet.core.transaction.Transactions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Puts prepared transactions back: first their queues are filled, where what they acknowledged is in flight and not
 * delivered again; then room is taken for their messages. Queues are filled on all loops at once, each on its own; the
 * rest is done by one thread at a time.
 */
final class RestoredTransactions {
    private final Collection<RecoveredTransaction> recovered;
    private final Clock clock;
    /** For each queue the ranges of acknowledged references: the last one by the first. */
    private final Map<Long, TreeMap<Long, Long>> inDoubt = new HashMap<>();

    private final Map<Long, TreeSet<Long>> inFlight = new ConcurrentHashMap<>();
    private final Map<Long, MessageQueue> queues = new ConcurrentHashMap<>();

    RestoredTransactions(Collection<RecoveredTransaction> recovered, Clock clock) {
        this.recovered = recovered;
        this.clock = clock;
        for (RecoveredTransaction transaction : recovered) {
            for (RecoveredTransaction.Acknowledged ended : transaction.acknowledged()) {
                inDoubt.computeIfAbsent(ended.queueId(), key -> new TreeMap<>()).put(ended.first(), ended.last());
            }
        }
    }

    /**
     * How a queue gets its references back. Its home loop.
     *
     * @param others what is done with those that no transaction has acknowledged
     */
    ReferenceVisitor filling(MessageQueue queue, long queueId, ReferenceVisitor others) {
        queues.put(queueId, queue);
        TreeMap<Long, Long> acknowledged = inDoubt.get(queueId);
        if (acknowledged == null) {
            return others;
        }
        TreeSet<Long> found = inFlight.computeIfAbsent(queueId, key -> new TreeSet<>());
        return (number, position, storedBytes, deadlineNs, options) -> {
            Map.Entry<Long, Long> range = acknowledged.floorEntry(number);
            if (range != null && number <= range.getValue()) {
                queue.restoreInFlight(number, position, storedBytes, deadlineNs, options);
                found.add(number);
            } else {
                others.onReference(number, position, storedBytes, deadlineNs, options);
            }
        };
    }

    /** Gives the loops their transactions back. */
    void restoreInto(Transactions transactions, List<IoLoop> loops, Waiting waiting) throws JournalException {
        int next = 0;
        for (RecoveredTransaction transaction : recovered) {
            IoLoop loop = loops.get(next++ % loops.size());
            BranchId branch = branch(transaction);
            waiting.await(
                    loop,
                    () -> transactions.restore(
                            transaction.id(),
                            branch,
                            transaction.owner(),
                            loop,
                            messages(transaction),
                            deliveries(transaction)));
        }
    }

    private static BranchId branch(RecoveredTransaction transaction) throws JournalException {
        try {
            return BranchId.decode(transaction.branchId());
        } catch (IllegalArgumentException e) {
            throw new JournalException(transaction + " has no branch identifier: " + e.getMessage(), e);
        }
    }

    private List<TransactedMessage> messages(RecoveredTransaction transaction) {
        List<TransactedMessage> messages = new ArrayList<>();
        for (PendingMessage message : transaction.messages()) {
            String topic = message.retainedTopic();
            messages.add(new TransactedMessage(
                    message.position(),
                    message.storedBytes(),
                    RecoveredQueue.deadlineNs(message.expiryWallMs(), clock),
                    topic == null ? null : TopicName.of(topic),
                    message.isEmpty(),
                    targets(message)));
        }
        return messages;
    }

    /** Room that had been granted is taken again. */
    private List<TransactedTarget> targets(PendingMessage message) {
        List<TransactedTarget> targets = new ArrayList<>();
        for (PendingMessage.Target target : message.targets()) {
            MessageQueue queue = queues.get(target.queueId());
            if (queue != null) {
                queue.takeRoom();
                targets.add(new TransactedTarget(queue, target.reference(), target.options()));
            }
        }
        return targets;
    }

    private List<TransactedDelivery> deliveries(RecoveredTransaction transaction) {
        List<TransactedDelivery> deliveries = new ArrayList<>();
        for (RecoveredTransaction.Acknowledged ended : transaction.acknowledged()) {
            MessageQueue queue = queues.get(ended.queueId());
            TreeSet<Long> found = inFlight.get(ended.queueId());
            if (queue != null && found != null) {
                for (long reference : found.subSet(ended.first(), true, ended.last(), true)) {
                    deliveries.add(new TransactedDelivery(queue, null, reference, Unsettled.AS_BEFORE));
                }
            }
        }
        return deliveries;
    }

    /** Does something on a loop and waits for it. */
    @FunctionalInterface
    interface Waiting {
        void await(IoLoop loop, Runnable task) throws JournalException;
    }
}
