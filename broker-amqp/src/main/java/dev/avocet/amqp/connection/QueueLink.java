package dev.avocet.amqp.connection;

import dev.avocet.amqp.codec.AmqpException;
import dev.avocet.amqp.link.SentDelivery;
import dev.avocet.core.destination.NamedQueue;
import dev.avocet.core.publish.PublishOutcome;
import dev.avocet.core.queue.receiver.QueueConsumer;
import dev.avocet.core.queue.receiver.QueueDelivery;
import dev.avocet.core.queue.receiver.QueueReceiver;
import dev.avocet.core.queue.receiver.ReceiverEnd;
import dev.avocet.core.queue.receiver.ReceiverOptions;
import dev.avocet.core.queue.receiver.Settlement;
import dev.avocet.core.queue.transit.DeliverySource;
import dev.avocet.core.transaction.Transaction;
import dev.avocet.core.transaction.TransactionException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import org.apache.qpid.protonj2.engine.Sender;
import org.apache.qpid.protonj2.types.messaging.Accepted;
import org.apache.qpid.protonj2.types.messaging.Outcome;
import org.apache.qpid.protonj2.types.transactions.TransactionalState;
import org.apache.qpid.protonj2.types.transport.AmqpError;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.apache.qpid.protonj2.types.transport.ErrorCondition;
import org.apache.qpid.protonj2.types.transport.LinkError;
import org.jspecify.annotations.Nullable;

/**
 * A client that receives from a queue, or browses it. The queue is granted as much as the client has credit for, in
 * portions, so that what it hands over can be written soon.
 *
 * <p>Owned by the connection's loop.
 */
final class QueueLink extends DeliveryLink implements QueueConsumer {
    /** Deliveries that may be on their way from the queue. */
    private static final int PORTION = 256;

    private final NamedQueue queue;
    private final ReceiverOptions options;
    private final LocalTransactions transactions;
    /** What came when the client, or its connection, could not take it. */
    private final Deque<QueueDelivery> held = new ArrayDeque<>(0);

    private @Nullable QueueReceiver receiver;
    /** Deliveries that the queue may still send. */
    private int granted;

    private boolean draining;

    QueueLink(
            OpenConnection connection,
            Sender sender,
            NamedQueue queue,
            ReceiverOptions options,
            LocalTransactions transactions) {
        super(connection, sender);
        this.queue = queue;
        this.options = options;
        this.transactions = transactions;
    }

    @Override
    void onBegin() {
        receiver = queue.receive(options, connection.loop(), this);
    }

    @Override
    public void onDelivery(QueueDelivery delivery) {
        granted = Math.max(0, granted - 1);
        if (held.isEmpty() && canSend()) {
            hand(delivery);
            refill();
        } else {
            held.add(delivery);
        }
    }

    @Override
    public void onDrained() {
        granted = 0;
        draining = false;
        if (!hasEnded() && held.isEmpty() && link.isDraining()) {
            link.drained();
        }
    }

    @Override
    public void onEnded(ReceiverEnd reason) {
        receiver = null;
        if (hasEnded()) {
            return;
        }
        endHere(End.DETACHED);
        sender.setCondition(
                switch (reason) {
                    case QUEUE_DELETED ->
                        new ErrorCondition(AmqpError.RESOURCE_DELETED, "queue '" + queue.name() + "' was deleted");
                    case QUEUE_IN_USE ->
                        new ErrorCondition(
                                LinkError.DETACH_FORCED,
                                "queue '" + queue.name() + "' has as many receivers as it allows");
                });
        sender.close();
    }

    @Override
    void onCredit() {
        while (!held.isEmpty() && canSend()) {
            hand(held.remove());
        }
        if (link.isDraining()) {
            drain();
        } else {
            refill();
        }
    }

    /** Everything that can be delivered with the client's credit is, and then it has none. */
    private void drain() {
        int credit = link.credit() - held.size();
        if (draining || receiver == null) {
            return;
        }
        if (credit > granted) {
            grant(receiver, credit - granted);
        }
        draining = true;
        receiver.drain();
    }

    private void refill() {
        if (receiver == null || hasEnded() || draining) {
            return;
        }
        int wanted = Math.min(PORTION, link.credit() - held.size());
        if (wanted <= 0 && granted > 0 && link.credit() == 0) {
            receiver.revoke();
            granted = 0;
        } else if (wanted - granted > 0
                && (granted == 0 || wanted - granted >= PORTION / 4 || wanted < PORTION)
                && connection.output().isWritable()) {
            grant(receiver, wanted - granted);
        }
    }

    /** Deliveries may come before this returns. */
    private void grant(QueueReceiver to, int more) {
        granted += more;
        to.grant(more);
    }

    private void hand(QueueDelivery delivery) {
        int failed = delivery.deliveryCount();
        int count = failed == 0 && delivery.redelivered() ? 1 : failed;
        send(delivery.message(), count, delivery.standing().deadLetter(), delivery);
        if (isPresettled() && !options.browses()) {
            receiver().settle(delivery, Settlement.ACCEPTED);
        }
    }

    @Override
    boolean onSettled(int deliveryId, Object kept, @Nullable DeliveryState state, Outcome outcome) {
        QueueDelivery settled = (QueueDelivery) kept;
        if (options.browses() || receiver == null) {
            return false;
        }
        if (state instanceof Accepted) {
            receiver.settle(settled, Settlement.ACCEPTED);
            return false;
        }
        if (state instanceof TransactionalState inside && outcome instanceof Accepted) {
            return acknowledgeIn(inside, settled, deliveryId);
        }
        if (isViolation(outcome)) {
            setAside(settled.message(), outcome, set -> onSetAside(settled, outcome, set));
        } else {
            receiver().settle(settled, SentDelivery.settlement(outcome), reason(outcome));
        }
        return false;
    }

    private void onSetAside(QueueDelivery settled, Outcome outcome, PublishOutcome set) {
        if (receiver == null) {
            return; // the queue has the message again
        }
        if (set == PublishOutcome.NOT_PROTECTED) {
            receiver().settle(settled, Settlement.REJECTED, reason(outcome));
        } else {
            receiver().settle(settled, set.isFailure() ? Settlement.FAILED : Settlement.ACCEPTED);
        }
    }

    private boolean acknowledgeIn(TransactionalState state, QueueDelivery settled, int deliveryId) {
        try {
            Transaction transaction = transactions.find(state.getTxnId());
            try {
                transaction.acknowledge(queue.queue(), settled.message(), settled.reference());
                receiver().leaveToTransaction(settled);
                noteInTransaction(deliveryId, settled.reference());
                return true;
            } catch (TransactionException e) {
                transactions.doom(transaction);
                receiver().settle(settled, Settlement.FAILED);
            }
        } catch (AmqpException e) {
            receiver().settle(settled, Settlement.FAILED);
        }
        return false;
    }

    @Override
    long reference(Object kept) {
        return options.browses() ? DeliverySource.NOT_STORED : ((QueueDelivery) kept).reference();
    }

    @Override
    void noteDelivered(long[] references) {
        queue.queue().noteDelivered(references);
    }

    @Override
    void onEnd(End end) {
        held.clear();
        if (receiver != null) {
            receiver.close(end == End.LOST ? Settlement.FAILED : Settlement.RELEASED);
            receiver = null;
        }
    }

    private QueueReceiver receiver() {
        return Objects.requireNonNull(receiver);
    }
}
