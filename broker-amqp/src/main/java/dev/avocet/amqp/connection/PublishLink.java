package dev.avocet.amqp.connection;

import dev.avocet.amqp.codec.AmqpException;
import dev.avocet.amqp.message.Address;
import dev.avocet.amqp.message.IncomingMessage;
import dev.avocet.core.broker.PublishCompletion;
import dev.avocet.core.broker.PublishOutcome;
import dev.avocet.core.broker.Publisher;
import dev.avocet.core.message.Message;
import dev.avocet.core.policy.ProtectionRule;
import dev.avocet.core.policy.ProtectionRules;
import dev.avocet.core.queue.MessageQueue;
import dev.avocet.core.transaction.Transaction;
import dev.avocet.core.transaction.TransactionException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.apache.qpid.protonj2.engine.IncomingDelivery;
import org.apache.qpid.protonj2.engine.Receiver;
import org.apache.qpid.protonj2.engine.Session;
import org.apache.qpid.protonj2.types.Binary;
import org.apache.qpid.protonj2.types.UnsignedLong;
import org.apache.qpid.protonj2.types.messaging.Accepted;
import org.apache.qpid.protonj2.types.messaging.Outcome;
import org.apache.qpid.protonj2.types.messaging.Rejected;
import org.apache.qpid.protonj2.types.messaging.Released;
import org.apache.qpid.protonj2.types.messaging.Target;
import org.apache.qpid.protonj2.types.transactions.TransactionalState;
import org.apache.qpid.protonj2.types.transport.AmqpError;
import org.apache.qpid.protonj2.types.transport.ErrorCondition;
import org.apache.qpid.protonj2.types.transport.LinkError;
import org.apache.qpid.protonj2.types.transport.ReceiverSettleMode;
import org.jspecify.annotations.Nullable;

/**
 * The way into the broker from a link on which a client sends: transfers become messages, and their sender is answered
 * when they are safe. Credit is what bounds messages that wait for an answer.
 *
 * <p>Owned by the connection's loop.
 */
final class PublishLink implements OpenLink, PublishCompletion {
    private static final byte[] NOTHING = {};
    /** Marks a delivery that began on an earlier link. */
    private static final Object RESUMED = new Object();

    private final AmqpConnection connection;
    private final Receiver receiver;
    private final @Nullable Destination destination;
    private final Destinations destinations;
    private final LocalTransactions transactions;
    private final Publisher publisher;
    private final int window;
    private final Deque<IncomingDelivery> pending = new ArrayDeque<>();
    private final @Nullable Runnable onTargetGone;
    private Runnable onEnd = () -> {};
    /**
     * A message in several frames, of which {@link #begunBytes} have come. It grows by doubling: not every frame copies
     * all that came before.
     */
    private byte[] begun = NOTHING;

    private int begunBytes;

    private boolean ended;
    /** The answer to the messages of one transaction, one object so that it becomes one frame. */
    private @Nullable TransactionalState inTransaction;

    private PublishLink(
            AmqpConnection connection,
            Receiver receiver,
            @Nullable Destination destination,
            LocalTransactions transactions,
            @Nullable Runnable onTargetGone) {
        this.connection = connection;
        this.receiver = receiver;
        this.destination = destination;
        this.destinations = new Destinations(connection);
        this.transactions = transactions;
        this.publisher = connection.broker().publisher(connection.loop(), this);
        publisher.refusesAtOnce();
        this.window = connection.context().options().linkCredit();
        this.onTargetGone = onTargetGone;
    }

    /**
     * A link as a client wants it: to a queue or topic, to one that is made for it, or to wherever each message says.
     */
    static PublishLink open(AmqpConnection connection, Receiver receiver, Target target, Links links)
            throws AmqpException {
        Destinations destinations = new Destinations(connection);
        Target granted = target.copy();
        Destination destination = null;
        Runnable onTargetGone = null;
        if (target.isDynamic()) {
            TemporaryNodes.Node node = links.temporaryNodes()
                    .create(Links.saysTopic(target.getCapabilities()), target.getDynamicNodeProperties());
            granted.setAddress(node.name());
            destination = destinations.toSend(node.address());
            onTargetGone = node::delete;
        } else if (target.getAddress() != null && !target.getAddress().isEmpty()) {
            destination = destinations.toSend(Links.address(target.getAddress(), target.getCapabilities()));
        }
        offerProtection(connection, receiver, destination);
        receiver.setTarget(granted);
        receiver.setSource(receiver.getRemoteSource());
        receiver.setSenderSettleMode(receiver.getRemoteSenderSettleMode());
        receiver.setReceiverSettleMode(ReceiverSettleMode.FIRST);
        receiver.setMaxMessageSize(UnsignedLong.valueOf(connection.maxMessageBytes()));
        return new PublishLink(connection, receiver, destination, links.transactions(), onTargetGone);
    }

    private static void offerProtection(
            AmqpConnection connection, Receiver receiver, @Nullable Destination destination) {
        ProtectionRules rules = connection.broker().protection();
        if (destination == null) {
            ProtectionOffer.ofAll(receiver, rules);
        } else if (destination.isQueue()) {
            ProtectionOffer.ofQueue(receiver, rules, destination.name());
        } else {
            ProtectionOffer.ofTopic(receiver, rules, destination.name());
        }
    }

    @Override
    public void begin(Runnable ended) {
        onEnd = ended;
        receiver.deliveryReadHandler(delivery -> connection.guarded(() -> onTransfer(delivery)));
        receiver.deliveryStateUpdatedHandler(delivery -> connection.guarded(() -> onState(delivery)));
        receiver.closeHandler(unused -> onDetach(true));
        receiver.detachHandler(unused -> onDetach(false));
        if (destination != null) {
            destination.attached();
        }
        receiver.open();
        receiver.addCredit(window);
    }

    @Override
    public boolean isOf(Session session) {
        return receiver.getSession().equals(session);
    }

    @Override
    public void end(boolean lost) {
        if (ended) {
            return;
        }
        ended = true;
        publisher.close();
        pending.clear();
        forgetBegun();
        if (destination != null) {
            destination.detached();
        }
        if (onTargetGone != null) {
            onTargetGone.run();
        }
    }

    private void onDetach(boolean closed) {
        end(false);
        onEnd.run();
        if (closed) {
            receiver.close();
        } else {
            receiver.detach();
        }
    }

    /** The client settles what it was answered before. */
    private void onState(IncomingDelivery delivery) {
        if (delivery.isRemotelySettled() && !delivery.isSettled() && !pending.contains(delivery)) {
            delivery.settle();
        }
    }

    private void onTransfer(IncomingDelivery delivery) {
        if (ended) {
            transactions.refused(delivery.getRemoteState());
            return;
        }
        if (delivery.isAborted()) {
            forgetBegun();
            delivery.settle();
            refill();
            return;
        }
        if (connection.resumption().isResumed()) {
            delivery.setLinkedResource(RESUMED);
        }
        if (delivery.getLinkedResource() == RESUMED) {
            ignore(delivery);
        } else if ((long) begunBytes + delivery.available() > connection.maxMessageBytes()) {
            delivery.claimAvailableBytes();
            transactions.refused(delivery.getRemoteState());
            detach(new ErrorCondition(
                    LinkError.MESSAGE_SIZE_EXCEEDED,
                    "a message may be " + connection.maxMessageBytes() + " bytes large here"));
        } else if (delivery.isPartial()) {
            gather(delivery);
        } else {
            byte[] bytes = whole(delivery);
            connection.traffic().receivedMessages(1);
            onMessage(delivery, bytes);
            refill();
        }
    }

    /**
     * Nothing of it is known here, so it is no message [AMQP 1.0 part 2, 2.7.5, resume]; the client may send it anew.
     */
    private void ignore(IncomingDelivery delivery) {
        boolean over = !delivery.isPartial();
        delivery.readAll();
        if (over) {
            transactions.refused(delivery.getRemoteState());
            delivery.disposition(Released.getInstance(), true);
            refill();
        }
    }

    /** Keeps what has come of a message until there is more. */
    private void gather(IncomingDelivery delivery) {
        int more = delivery.available();
        if (more == 0) {
            return;
        }
        int length = begunBytes + more;
        if (length > begun.length) {
            begun = Arrays.copyOf(begun, (int) Math.max(length, Math.min(2L * length, connection.maxMessageBytes())));
        }
        delivery.readBytes(begun, begunBytes, more);
        begunBytes = length;
    }

    /** The message of which the last part has come. */
    private byte[] whole(IncomingDelivery delivery) {
        int last = delivery.available();
        byte[] bytes = Arrays.copyOf(begun, begunBytes + last);
        if (last > 0) {
            delivery.readBytes(bytes, begunBytes, last);
        }
        forgetBegun();
        return bytes;
    }

    private void forgetBegun() {
        begun = NOTHING;
        begunBytes = 0;
    }

    private void onMessage(IncomingDelivery delivery, byte[] bytes) {
        try {
            if (delivery.getMessageFormat() != 0) {
                throw new AmqpException(AmqpError.NOT_IMPLEMENTED, "only messages of format 0 are understood");
            }
            publish(delivery, IncomingMessage.of(bytes, connection.loop().clock()));
        } catch (AmqpException e) {
            transactions.refused(delivery.getRemoteState());
            reject(delivery, e.condition());
        }
    }

    private void publish(IncomingDelivery delivery, IncomingMessage incoming) throws AmqpException {
        Destination to = destination == null ? destinationOf(incoming) : destination;
        Message message = to.message(incoming, delivery.isRemotelySettled());
        ProtectionRule protection = publisher.protectionOf(message);
        if (protection != null) {
            requireOwnAddress(incoming, to);
        }
        if (delivery.getRemoteState() instanceof TransactionalState state) {
            publishIn(transactions.find(state.getTxnId()), delivery, message, state, protection);
            return;
        }
        PublishOutcome outcome = to.publish(message, publisher, 0);
        if (outcome == PublishOutcome.PENDING) {
            pending.add(delivery);
        } else {
            answer(delivery, outcome);
        }
    }

    private Destination destinationOf(IncomingMessage incoming) throws AmqpException {
        Address address = incoming.properties().to();
        if (address == null) {
            throw new AmqpException(
                    AmqpError.PRECONDITION_FAILED, "a message on a link without a target must say where it goes to");
        }
        return destinations.toSendOnce(address);
    }

    /** A receiver of a sealed message goes by its address, so a message does not carry that of another destination. */
    private static void requireOwnAddress(IncomingMessage incoming, Destination to) throws AmqpException {
        Address said = incoming.properties().to();
        if (said != null && !said.name().equals(to.name())) {
            throw new AmqpException(
                    AmqpError.PRECONDITION_FAILED,
                    "the message says that it goes to '" + said.name() + "', and its link goes to '" + to.name()
                            + "', which takes sealed messages only");
        }
    }

    /** In a transaction nothing is set aside: the sender hears at once, and the transaction cannot be committed. */
    private void publishIn(
            Transaction transaction,
            IncomingDelivery delivery,
            Message message,
            TransactionalState state,
            @Nullable ProtectionRule protection)
            throws AmqpException {
        String unsealed = protection == null ? null : protection.refusalOf(message.payload());
        if (unsealed != null) {
            transactions.doom(transaction);
            throw new AmqpException(AmqpError.PRECONDITION_FAILED, Destinations.NOT_PROTECTED + ": " + unsealed);
        }
        try {
            transaction.publish(message);
        } catch (TransactionException e) {
            transactions.doom(transaction);
            throw new AmqpException(AmqpError.RESOURCE_LIMIT_EXCEEDED, e.getMessage());
        }
        delivery.disposition(acceptedIn(state.getTxnId()), true);
    }

    private TransactionalState acceptedIn(Binary name) {
        TransactionalState known = inTransaction;
        if (known == null || !known.getTxnId().equals(name)) {
            known = new TransactionalState().setTxnId(name).setOutcome((Outcome) Accepted.getInstance());
            inTransaction = known;
        }
        return known;
    }

    @Override
    public void onPublished(long token, PublishOutcome outcome) {
        IncomingDelivery delivery = pending.poll();
        if (delivery != null) {
            answer(delivery, outcome);
            refill();
        }
    }

    @Override
    public void onFull(Message message, MessageQueue queue) {
        connection.noteFull(message, queue);
    }

    @Override
    public void onUnsealed(Message message, String why) {
        String name = message.topic().text();
        connection.noteRefusal(
                "unprotected",
                name,
                (message.isForQueue() ? "message to queue '" : "message to topic '") + name + "' is not taken: " + why);
    }

    private void answer(IncomingDelivery delivery, PublishOutcome outcome) {
        ErrorCondition problem = Destinations.problem(outcome);
        if (problem != null) {
            reject(delivery, problem);
        } else {
            delivery.disposition(Accepted.getInstance(), true);
        }
    }

    /** A sender that has settled before cannot be told. */
    private void reject(IncomingDelivery delivery, ErrorCondition condition) {
        String to = receiver.getTarget() instanceof Target target && target.getAddress() != null
                ? "to '" + target.getAddress() + "': "
                : "";
        String why = "message " + to + condition.getDescription();
        connection.noteRefusal(String.valueOf(condition.getCondition()), why, why);
        delivery.disposition(new Rejected(condition), true);
    }

    /** Grants what the answers have made free, when it is worth a frame. */
    private void refill() {
        int free = window - receiver.getCredit() - pending.size();
        if (!ended && free > window / 2 && !publisher.isHeldUpByStore()) {
            receiver.addCredit(free);
        }
    }

    private void detach(ErrorCondition condition) {
        String why = String.valueOf(condition.getDescription());
        connection.noteRefusal(
                String.valueOf(condition.getCondition()), why, "link '" + receiver.getName() + "': " + why);
        end(false);
        onEnd.run();
        receiver.setCondition(condition);
        receiver.close();
    }
}
