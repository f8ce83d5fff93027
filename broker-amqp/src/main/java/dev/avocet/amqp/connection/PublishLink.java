package dev.avocet.amqp.connection;

import dev.avocet.amqp.codec.AmqpException;
import dev.avocet.amqp.link.Destination;
import dev.avocet.amqp.link.HeldAnswers;
import dev.avocet.amqp.link.OpenLink;
import dev.avocet.amqp.link.ProtectionOffer;
import dev.avocet.amqp.message.Address;
import dev.avocet.amqp.message.IncomingMessage;
import dev.avocet.amqp.transfer.IncomingDelivery;
import dev.avocet.amqp.transfer.IncomingLink;
import dev.avocet.core.broker.Publisher;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageRun;
import dev.avocet.core.policy.ProtectionRule;
import dev.avocet.core.policy.ProtectionRules;
import dev.avocet.core.publish.PublishCompletion;
import dev.avocet.core.publish.PublishOutcome;
import dev.avocet.core.queue.MessageQueue;
import dev.avocet.core.transaction.Transaction;
import dev.avocet.core.transaction.TransactionException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
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

    private final OpenConnection connection;
    private final Receiver receiver;
    private final IncomingLink link;
    private final @Nullable Destination destination;
    private final Destinations destinations;
    private final LocalTransactions transactions;
    private final Publisher publisher;
    private final int window;
    private final Deque<IncomingDelivery> pending = new ArrayDeque<>();
    private final @Nullable Runnable onTargetGone;
    /** Whether answers to messages that are not persistent may wait, where their transfers say so. */
    private final boolean mayHoldAnswers;

    private Runnable onEnd = () -> {};
    /**
     * A message in several frames, of which {@link #begunBytes} have come. It grows by doubling: not every frame copies
     * all that came before.
     */
    private byte[] begun = NOTHING;

    private int begunBytes;

    private boolean ended;
    /** Whether the client waits for the answer to a message of the open run. */
    private boolean isAwaited;

    /** The answer to the messages of one transaction, one object so that it becomes one frame. */
    private @Nullable TransactionalState inTransaction;

    private PublishLink(
            OpenConnection connection,
            Receiver receiver,
            @Nullable Destination destination,
            LocalTransactions transactions,
            @Nullable Runnable onTargetGone) {
        this.connection = connection;
        this.receiver = receiver;
        this.link = receiver.getLinkedResource(IncomingLink.class);
        this.destination = destination;
        this.destinations = new Destinations(connection);
        this.transactions = transactions;
        this.publisher = connection.broker().publisher(connection.loop(), this);
        publisher.refusesAtOnce();
        this.window = connection.context().options().linkCredit();
        this.onTargetGone = onTargetGone;
        this.mayHoldAnswers = HeldAnswers.areWanted(receiver);
    }

    /**
     * A link as a client wants it: to a queue or topic, to one that is made for it, or to wherever each message says.
     */
    static PublishLink open(OpenConnection connection, Receiver receiver, Target target, Links links)
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
            OpenConnection connection, Receiver receiver, @Nullable Destination destination) {
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
        link.handler(this::onTransfer);
        receiver.closeHandler(unused -> onDetach(true));
        receiver.detachHandler(unused -> onDetach(false));
        if (destination != null) {
            destination.attached();
        }
        receiver.open();
        link.attached();
        link.addCredit(window);
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

    private void onTransfer(byte[] bytes, int from, int to) {
        if (link.isPartial() || link.isAborted() || link.isResumed() || !run().isOf(this)) {
            run().end();
        }
        if (ended) {
            transactions.refused(link.state());
        } else if (link.isAborted()) {
            forgetBegun();
            refill();
        } else if (link.isResumed()) {
            ignore();
        } else if ((long) begunBytes + to - from > connection.maxMessageBytes()) {
            transactions.refused(link.state());
            detach(new ErrorCondition(
                    LinkError.MESSAGE_SIZE_EXCEEDED,
                    "a message may be " + connection.maxMessageBytes() + " bytes large here"));
        } else if (link.isPartial()) {
            gather(bytes, from, to);
        } else {
            onMessage(bytes, from, to);
        }
    }

    /**
     * Nothing of it is known here, so it is no message [AMQP 1.0 part 2, 2.7.5, resume]; the client may send it anew.
     */
    private void ignore() {
        if (!link.isPartial()) {
            transactions.refused(link.state());
            link.settle(Released.getInstance());
            refill();
        }
    }

    /** Keeps what has come of a message until there is more. */
    private void gather(byte[] bytes, int from, int to) {
        int length = begunBytes + to - from;
        if (length > begun.length) {
            begun = Arrays.copyOf(begun, (int) Math.max(length, Math.min(2L * length, connection.maxMessageBytes())));
        }
        System.arraycopy(bytes, from, begun, begunBytes, to - from);
        begunBytes = length;
    }

    private void forgetBegun() {
        begun = NOTHING;
        begunBytes = 0;
    }

    /** All of a message has come. */
    private void onMessage(byte[] bytes, int from, int to) {
        connection.traffic().receivedMessages(1);
        try {
            if (pending.size() + run().countOf(this) >= window) {
                run().end(); // and some of it may be answered
            }
            if (pending.size() >= window) {
                throw new AmqpException(
                        LinkError.TRANSFER_LIMIT_EXCEEDED, "the client sends more than it has credit for");
            }
            if (link.messageFormat() != 0) {
                throw new AmqpException(AmqpError.NOT_IMPLEMENTED, "only messages of format 0 are understood");
            }
            publish(read(bytes, from, to));
        } catch (AmqpException e) {
            run().end();
            transactions.refused(link.state());
            reject(link.delivery(), e.condition());
        }
        if (!run().isOf(this)) {
            refill();
        }
    }

    private IncomingMessage read(byte[] bytes, int from, int to) throws AmqpException {
        if (begunBytes == 0) {
            return IncomingMessage.of(bytes, from, to, connection.loop().clock());
        }
        gather(bytes, from, to);
        byte[] whole = begun;
        int length = begunBytes;
        forgetBegun();
        return IncomingMessage.of(whole, 0, length, connection.loop().clock());
    }

    private void publish(IncomingMessage incoming) throws AmqpException {
        Destination to = destination == null ? destinationOf(incoming) : destination;
        Message message = to.message(incoming, link.isSettled());
        ProtectionRule protection = publisher.protectionOf(message);
        if (protection != null) {
            requireOwnAddress(incoming, to);
        }
        if (protection == null && mayWait(message)) {
            isAwaited |= !mayHold();
            run().add(this, message, link.deliveryId());
            return;
        }
        run().end();
        if (link.state() instanceof TransactionalState state) {
            publishIn(transactions.find(state.getTxnId()), message, state, protection);
            return;
        }
        PublishOutcome outcome = to.publish(message, publisher, 0);
        if (outcome == PublishOutcome.PENDING) {
            pending.add(link.delivery());
        } else if (outcome == PublishOutcome.ACCEPTED) {
            link.settle(Accepted.getInstance(), message.isPersistent() || !mayHold());
        } else {
            answer(link.delivery(), outcome);
        }
    }

    private boolean mayHold() {
        return mayHoldAnswers && link.isBatchable();
    }

    /** Whether a message may go on with those that follow it. */
    private boolean mayWait(Message message) {
        return destination != null
                && !message.isPersistent()
                && !link.isSettled()
                && link.state() == null
                && (run().isOf(this) ? MessageRun.maySend(message) : publisher.takesWhole(message));
    }

    /** Messages that have come one after the other go to the queue, all of them at once or each as it can. */
    void send(MessageRun messages, int firstDeliveryId) {
        boolean urgent = isAwaited;
        isAwaited = false;
        if (ended || destination == null) {
            return;
        }
        if (publisher.sendWhole(messages)) {
            link.settle(firstDeliveryId, firstDeliveryId + messages.size() - 1, Accepted.getInstance(), urgent);
        } else {
            for (int i = 0; i < messages.size(); i++) {
                PublishOutcome outcome = destination.publish(messages.get(i), publisher, 0);
                int id = firstDeliveryId + i;
                if (outcome == PublishOutcome.PENDING) {
                    pending.add(link.delivery(id));
                } else if (outcome == PublishOutcome.ACCEPTED) {
                    link.settle(id, id, Accepted.getInstance(), urgent);
                } else {
                    answer(link.delivery(id), outcome);
                }
            }
        }
        refill();
    }

    private OpenRun run() {
        return connection.resources().run();
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
            Transaction transaction, Message message, TransactionalState state, @Nullable ProtectionRule protection)
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
        link.settle(acceptedIn(state.getTxnId()));
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
            delivery.settle(Accepted.getInstance());
        }
    }

    /** A sender that has settled before cannot be told. */
    private void reject(IncomingDelivery delivery, ErrorCondition condition) {
        String to = receiver.getTarget() instanceof Target target && target.getAddress() != null
                ? "to '" + target.getAddress() + "': "
                : "";
        String why = "message " + to + condition.getDescription();
        connection.noteRefusal(String.valueOf(condition.getCondition()), why, why);
        delivery.settle(new Rejected(condition));
    }

    /** Grants what the answers have made free, when it is worth a frame. */
    private void refill() {
        int free = window - link.credit() - pending.size();
        if (!ended && free > window / 2 && !publisher.isHeldUpByStore()) {
            link.addCredit(free);
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
