package dev.avocet.amqp.connection;

import dev.avocet.amqp.codec.AmqpException;
import dev.avocet.amqp.link.SentDelivery;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.publish.PublishOutcome;
import dev.avocet.core.queue.Outpost;
import dev.avocet.core.queue.SubscriptionQueue;
import dev.avocet.core.queue.transit.Consumer;
import dev.avocet.core.queue.transit.Delivery;
import dev.avocet.core.queue.transit.DeliverySource;
import dev.avocet.core.queue.transit.Unsettled;
import dev.avocet.core.selector.Selector;
import dev.avocet.core.transaction.Transaction;
import dev.avocet.core.transaction.TransactionException;
import java.util.ArrayList;
import java.util.List;
import org.apache.qpid.protonj2.engine.Sender;
import org.apache.qpid.protonj2.types.messaging.Accepted;
import org.apache.qpid.protonj2.types.messaging.Modified;
import org.apache.qpid.protonj2.types.messaging.Outcome;
import org.apache.qpid.protonj2.types.messaging.Rejected;
import org.apache.qpid.protonj2.types.transactions.TransactionalState;
import org.apache.qpid.protonj2.types.transport.AmqpError;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.apache.qpid.protonj2.types.transport.ErrorCondition;
import org.jspecify.annotations.Nullable;

/**
 * A client that receives from a topic: takes messages from the queue of its subscription. Selector and noLocal are
 * asked for each message; what they leave out is over for this consumer.
 *
 * <p>Owned by the connection's loop.
 */
final class TopicLink extends DeliveryLink implements Consumer {
    private final TopicSubscription subscription;
    private final LocalTransactions transactions;
    private final @Nullable Selector selector;
    private final boolean noLocal;
    /** What goes back to the queue when the batch is over, together, so that it keeps its order. */
    private List<Unsettled> returning = new ArrayList<>(0);

    /** Messages that are on their way to an error queue, and are this subscription's until they are there. */
    private final List<Unsettled> beingSetAside = new ArrayList<>(0);

    private @Nullable Outpost outpost;
    private boolean attached;
    private @Nullable DeliverySource busySource;

    TopicLink(
            OpenConnection connection,
            Sender sender,
            TopicSubscription subscription,
            LocalTransactions transactions,
            @Nullable Selector selector,
            boolean noLocal) {
        super(connection, sender);
        this.subscription = subscription;
        this.transactions = transactions;
        this.selector = selector;
        this.noLocal = noLocal;
    }

    @Override
    void onBegin() {
        if (subscription.queue().home() == connection.loop()) {
            attach(); // before the client has credit: what may be lost is kept for a consumer that is there
        }
        subscription.onConsumer();
    }

    @Override
    public Delivery deliver(DeliverySource source, Message message, @Nullable DeliveryOptions options, long reference) {
        if (!isWanted(message)) {
            return Delivery.SETTLED;
        }
        if (!canSend()) {
            busySource = source;
            return Delivery.BUSY;
        }
        int failed = DeliveryOptions.standingOf(options).deliveryCount();
        send(message, failed, null, new Unsettled(message, reference, failed));
        return isPresettled() ? Delivery.SETTLED : Delivery.IN_FLIGHT;
    }

    @Override
    public void onNeverAcknowledging() {
        if (!hasEnded()) {
            endHere(End.DETACHED);
            sender.setCondition(new ErrorCondition(
                    AmqpError.RESOURCE_LIMIT_EXCEEDED, "the client does not acknowledge what it is sent"));
            sender.detach();
        }
    }

    @Override
    public void onSubscriptionEnding(String key) {
        if (key.equals(subscription.key())) {
            onQueueClosed();
        }
    }

    @Override
    public void onQueueClosed() {
        if (!hasEnded()) {
            endHere(End.DETACHED);
            sender.setCondition(
                    new ErrorCondition(AmqpError.RESOURCE_DELETED, "an administrator has ended the subscription"));
            sender.close();
        }
    }

    @Override
    void onCredit() {
        if (!attached) {
            if (link.credit() > 0) {
                attach();
            }
        } else {
            DeliverySource source = busySource;
            if (source != null && canSend()) {
                busySource = null;
                source.resume(this);
            }
        }
        if (link.isDraining() && !hasEnded() && canSend()) {
            link.drained();
        }
    }

    @Override
    boolean onSettled(int deliveryId, Object resource, @Nullable DeliveryState state, Outcome outcome) {
        Unsettled kept = (Unsettled) resource;
        if (state instanceof TransactionalState inside && outcome instanceof Accepted) {
            return acknowledgeIn(inside, kept, deliveryId);
        }
        if (isViolation(outcome)) {
            beingSetAside.add(kept);
            setAside(kept.message(), outcome, set -> onSetAside(kept, set));
        } else if (outcome instanceof Accepted || outcome instanceof Rejected || isUseless(outcome)) {
            settle(kept);
        } else {
            giveBack(SentDelivery.settlement(outcome).countsAsFailed() ? kept.failed() : kept);
        }
        return false;
    }

    private void onSetAside(Unsettled kept, PublishOutcome set) {
        beingSetAside.remove(kept);
        if (set == PublishOutcome.NOT_PROTECTED || !set.isFailure()) {
            settle(kept); // a subscription has no dead letter queue
        } else {
            giveBack(kept.failed());
        }
    }

    @Override
    void onEnd(End end) {
        List<Unsettled> left = new ArrayList<>();
        link.unsettled((id, kept) -> {
            Unsettled unsettled = (Unsettled) kept;
            left.add(end == End.LOST ? unsettled.failed() : unsettled.maybeSeen());
        });
        left.addAll(beingSetAside);
        beingSetAside.clear();
        left.addAll(0, returning);
        returning = new ArrayList<>(0);
        SubscriptionQueue queue = subscription.queue();
        if (outpost != null) {
            outpost.close(left);
            outpost = null;
        } else if (attached) {
            queue.detach(this);
            queue.giveBack(left);
        }
        attached = false;
        subscription.end(end);
    }

    private void attach() {
        attached = true;
        SubscriptionQueue queue = subscription.queue();
        if (queue.home() == connection.loop()) {
            queue.attach(this);
        } else {
            Outpost made = new Outpost(queue, this, connection.loop());
            outpost = made;
            made.open();
        }
    }

    private boolean isWanted(Message message) {
        return !(noLocal && message.publisher().equals(connection.publisher()))
                && (selector == null || selector.matches(message));
    }

    /** This subscription has no other consumer that could want it. */
    private boolean isUseless(Outcome outcome) {
        return outcome instanceof Modified modified && modified.isUndeliverableHere() && !subscription.isShared();
    }

    private boolean acknowledgeIn(TransactionalState state, Unsettled kept, int deliveryId) {
        try {
            Transaction transaction = transactions.find(state.getTxnId());
            try {
                transaction.acknowledge(
                        subscription.queue(), kept.message(), kept.reference(), kept.deliveryCount() + 1);
                noteInTransaction(deliveryId, kept.reference());
                return true;
            } catch (TransactionException e) {
                transactions.doom(transaction);
                giveBack(kept);
            }
        } catch (AmqpException e) {
            giveBack(kept);
        }
        return false;
    }

    private void settle(Unsettled kept) {
        Outpost post = outpost;
        if (post != null) {
            post.settle(kept.message(), kept.reference());
        } else {
            subscription.queue().settle(kept.message(), kept.reference());
        }
    }

    private void giveBack(Unsettled kept) {
        if (returning.isEmpty()) {
            connection.loop().atBatchEnd(this::sendBack);
        }
        returning.add(kept);
    }

    private void sendBack() {
        List<Unsettled> all = returning;
        returning = new ArrayList<>(0);
        if (!all.isEmpty()) {
            SubscriptionQueue queue = subscription.queue();
            queue.home().execute(() -> queue.giveBack(all));
        }
    }

    @Override
    long reference(Object kept) {
        return ((Unsettled) kept).reference();
    }

    @Override
    void noteDelivered(long[] references) {
        subscription.queue().noteDelivered(references);
    }
}
