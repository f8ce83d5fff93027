package dev.avocet.core.broker;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.StoredMessage;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.publish.PublishOutcome;
import dev.avocet.core.queue.MessageQueue;
import dev.avocet.core.store.write.StoreWriter;
import dev.avocet.core.topic.TopicFigures;
import dev.avocet.core.transaction.BranchId;
import dev.avocet.core.transaction.TransactedDelivery;
import dev.avocet.core.transaction.TransactedMessage;
import dev.avocet.core.transaction.TransactedTarget;
import dev.avocet.core.transaction.Transaction;
import dev.avocet.core.transaction.TransactionCompletion;
import dev.avocet.core.transaction.TransactionOutcome;
import dev.avocet.core.transaction.TransactionState;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Carries out the commit, the prepare or the rollback of one transaction: writes what has to be, and does the rest once
 * that is durable. On the transaction's loop.
 */
final class TransactionEnd {
    private final Broker broker;
    private final Transaction transaction;
    private final IoLoop loop;
    private final @Nullable StoreWriter writer;
    private final TransactionCompletion completion;

    TransactionEnd(
            Broker broker, Transaction transaction, @Nullable StoreWriter writer, TransactionCompletion completion) {
        this.broker = broker;
        this.transaction = transaction;
        this.loop = transaction.loop();
        this.writer = writer;
        this.completion = completion;
    }

    /** There is room for all of it. */
    void commit() {
        StoreWriter store = writer;
        if (store == null) {
            takeEffect();
        } else if (mayBeWritten(store)) {
            new TransactionWrite(transaction, store).commit();
            store.afterCommit(position -> takeEffect());
        }
    }

    /** There is room for all of it. */
    void prepare(BranchId branch) {
        StoreWriter store = writer;
        if (store == null) {
            onPrepared();
        } else if (mayBeWritten(store)) {
            new TransactionWrite(transaction, store).prepare(branch);
            store.afterCommit(position -> onPrepared());
        }
    }

    /** There is no room. */
    void refuse() {
        loop.counters().increment(Counter.PUBLISHES_REFUSED);
        rollback(TransactionOutcome.QUOTA_EXCEEDED);
    }

    /** A queue that it sends to is gone, or takes no messages. */
    void endUnroutable() {
        rollback(TransactionOutcome.NO_SUCH_QUEUE);
    }

    void endReadOnly() {
        transaction.ended(TransactionState.COMMITTED);
        completion.onCompleted(TransactionOutcome.READ_ONLY);
    }

    void commitPrepared() {
        StoreWriter store = writer;
        if (store == null) {
            takeEffect();
        } else {
            new TransactionReadBack(broker, transaction).read(() -> {
                new TransactionWrite(transaction, store).writeCommit();
                store.afterCommit(position -> takeEffect());
            });
        }
    }

    void rollbackPrepared() {
        StoreWriter store = writer;
        if (store == null) {
            takeBack();
        } else {
            store.transactionRolledBack(transaction.id());
            store.afterCommit(position -> takeBack());
        }
    }

    /** Nothing of it was written, and no room is taken. */
    void rollback(TransactionOutcome outcome) {
        List<TransactedDelivery> deliveries = List.copyOf(transaction.deliveries());
        transaction.ended(TransactionState.ROLLED_BACK);
        new Redelivery(deliveries).begin();
        completion.onCompleted(outcome);
    }

    /** Whether the store takes its messages; rolls it back otherwise. */
    private boolean mayBeWritten(StoreWriter store) {
        boolean needsStore = false;
        boolean fits = true;
        for (TransactedMessage transacted : transaction.routed()) {
            if (transacted.needsStore()) {
                Message message = transacted.message();
                needsStore = true;
                fits &= message == null || store.takes(message, transacted.storedTargets());
            }
        }
        if (needsStore && !(fits && store.acceptsMessages())) {
            refuse(TransactionOutcome.STORE_FULL);
            return false;
        }
        if (needsStore && !store.isAttended()) {
            refuse(TransactionOutcome.STANDBY_AWAY);
            return false;
        }
        return true;
    }

    private void refuse(TransactionOutcome outcome) {
        releaseRoom();
        rollback(outcome);
    }

    private void onPrepared() {
        transaction.prepared();
        completion.onCompleted(TransactionOutcome.PREPARED);
    }

    /**
     * All of it is durable. A checkpoint sees all of what follows, or nothing of it, as it asks in a task of its own.
     */
    private void takeEffect() {
        List<TransactedMessage> messages = transaction.routed();
        List<TransactedDelivery> deliveries = List.copyOf(transaction.deliveries());
        if (transaction.isInStore()) {
            broker.committed(transaction);
        }
        transaction.ended(TransactionState.COMMITTED);
        deliveries.forEach(delivery -> delivery.queue().settleCommitted(delivery.reference(), loop));
        messages.forEach(this::hand);
        completion.onCompleted(TransactionOutcome.COMMITTED);
    }

    private void hand(TransactedMessage transacted) {
        Message message = transacted.message();
        if (message == null) { // of an earlier life, and nothing refers to it
            removeRetained(transacted);
            return;
        }
        boolean expired = message.isExpired(loop.clock().nanoTime()); // while it was in doubt
        loop.counters().add(Counter.MESSAGES_EXPIRED, expired ? 1 : 0);
        for (TransactedTarget target : transacted.targets()) {
            if (expired) {
                end(target, transacted);
            } else {
                hand(message, target, transacted);
            }
        }
        for (TopicFigures monitor : broker.monitors().of(message.topic())) {
            monitor.countPublished(loop.index());
        }
        boolean isRetained = transacted.retainedTopic() != null && transacted.isStored();
        StoredMessage retained =
                isRetained ? new StoredMessage(message, transacted.position(), transacted.storedBytes()) : null;
        PublishOutcome unused = broker.retaining()
                .outcome(
                        message,
                        retained,
                        transacted.claim(),
                        transacted.targets().size(),
                        loop);
    }

    private void hand(Message message, TransactedTarget target, TransactedMessage transacted) {
        MessageQueue queue = target.queue();
        if (target.isStored()) {
            queue.putStored(
                    message,
                    target.options(),
                    target.reference(),
                    transacted.position(),
                    transacted.storedBytes(),
                    loop);
        } else if (target.mustTake()) {
            queue.put(message, target.options(), loop);
        } else {
            queue.offer(message, target.options(), loop);
        }
    }

    private void end(TransactedTarget target, TransactedMessage transacted) {
        if (target.isStored()) {
            broker.ended(target, transacted, loop);
        }
        if (target.mustTake()) {
            target.queue().release();
        }
    }

    private void removeRetained(TransactedMessage transacted) {
        TopicName topic = transacted.retainedTopic();
        if (topic != null) {
            boolean unused = broker.retained().removed(topic, transacted.claim());
        }
    }

    /** That nothing of it happens is durable. */
    private void takeBack() {
        releaseRoom();
        for (TransactedMessage message : transaction.routed()) {
            for (int left = message.isStored() ? message.storedReferences() : 0; left > 0; left--) {
                broker.abandoned(message.position(), message.storedBytes());
            }
        }
        rollback(TransactionOutcome.ROLLED_BACK);
    }

    private void releaseRoom() {
        List<TransactedTarget> taken = new ArrayList<>();
        transaction.routed().forEach(message -> taken.addAll(message.targets()));
        for (TransactedTarget target : taken) {
            if (target.mustTake()) {
                target.queue().release();
            }
        }
    }
}
