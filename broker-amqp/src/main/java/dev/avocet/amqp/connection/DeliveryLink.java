package dev.avocet.amqp.connection;

import dev.avocet.amqp.link.OpenLink;
import dev.avocet.amqp.link.ProtectionOffer;
import dev.avocet.amqp.link.SentDelivery;
import dev.avocet.amqp.message.OutgoingMessage;
import dev.avocet.amqp.transfer.OutgoingLink;
import dev.avocet.amqp.transfer.Payload;
import dev.avocet.core.message.DeadLetter;
import dev.avocet.core.message.Message;
import dev.avocet.core.publish.PublishOutcome;
import dev.avocet.core.queue.transit.DeliverySource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.apache.qpid.protonj2.engine.Sender;
import org.apache.qpid.protonj2.engine.Session;
import org.apache.qpid.protonj2.types.messaging.Outcome;
import org.apache.qpid.protonj2.types.messaging.Rejected;
import org.apache.qpid.protonj2.types.messaging.Target;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.apache.qpid.protonj2.types.transport.ReceiverSettleMode;
import org.apache.qpid.protonj2.types.transport.SenderSettleMode;
import org.jspecify.annotations.Nullable;

/**
 * The way out: a link on which a client receives. This is what topics and queues have in common: one message at a time
 * goes out, in as many frames as it needs, and the client says what became of it.
 *
 * <p>Owned by the connection's loop.
 */
abstract class DeliveryLink implements OpenLink, OutgoingLink.Handler {
    /** A delivery that is not settled after once to twice this time is noted in the store. */
    private static final long NOTE_AFTER_NS = TimeUnit.MILLISECONDS.toNanos(50);

    protected final OpenConnection connection;
    protected final Sender sender;
    protected final OutgoingLink link;
    private final boolean presettled;
    private Runnable onEnd = () -> {};
    /** Deliveries with identifiers before this one are settled, or noted to have been made. */
    private int noted;
    /** Those before this one are old enough to be noted. */
    private int ripe;
    /** What transactions have acknowledged and is not noted: what is old enough, and what has come since. */
    private List<Long> ripeInTransactions = new ArrayList<>(0);

    private List<Long> inTransactions = new ArrayList<>(0);
    private boolean notesSoon;

    /** Null until a receiver cannot open a message. */
    private @Nullable SetAside setAside;

    private boolean ended;

    DeliveryLink(OpenConnection connection, Sender sender) {
        this.connection = connection;
        this.sender = sender;
        this.link = sender.getLinkedResource(OutgoingLink.class);
        this.presettled = sender.getRemoteSenderSettleMode() == SenderSettleMode.SETTLED;
    }

    @Override
    public final void begin(Runnable onLinkEnd) {
        onEnd = onLinkEnd;
        link.handler(this);
        sender.closeHandler(unused -> connection.guarded(() -> onDetach(true)));
        sender.detachHandler(unused -> connection.guarded(() -> onDetach(false)));
        sender.setSenderSettleMode(presettled ? SenderSettleMode.SETTLED : SenderSettleMode.UNSETTLED);
        sender.setReceiverSettleMode(ReceiverSettleMode.FIRST);
        if (sender.getRemoteTarget() instanceof Target target) {
            sender.setTarget(target);
        }
        sender.open();
        link.attached();
        noted = link.nextDeliveryId();
        ripe = noted;
        onBegin();
        if (sender.isRemotelyClosedOrDetached()) {
            onDetach(sender.isRemotelyClosed()); // the client did not wait
        } else {
            onFlow();
        }
    }

    @Override
    public final boolean isOf(Session session) {
        return sender.getSession().equals(session);
    }

    @Override
    public final void end(boolean lost) {
        if (!ended) {
            ended = true;
            onEnd(lost ? End.LOST : End.DETACHED);
            link.end();
            closeSetAside();
        }
    }

    private void closeSetAside() {
        if (setAside != null) {
            setAside.close();
        }
    }

    /** Whether a receiver says that the protection of a message does not hold. */
    static boolean isViolation(Outcome outcome) {
        return outcome instanceof Rejected rejected
                && rejected.getError() != null
                && ProtectionOffer.VIOLATED.equals(rejected.getError().getCondition());
    }

    /**
     * Brings such a message to the error queue of its policy.
     *
     * @param then hears whether it is there, while the link is open
     */
    final void setAside(Message message, Outcome outcome, Consumer<PublishOutcome> then) {
        SetAside present = setAside;
        if (present == null) {
            present = new SetAside(connection);
            setAside = present;
        }
        String reason = reason(outcome);
        present.take(message, reason == null ? "its receiver cannot open it" : reason, then);
    }

    static @Nullable String reason(Outcome outcome) {
        return outcome instanceof Rejected rejected && rejected.getError() != null
                ? rejected.getError().getDescription()
                : null;
    }

    /** The client, or the broker, ends the link while the session goes on. */
    final void endHere(End end) {
        if (!ended) {
            ended = true;
            onEnd(end);
            link.end();
            closeSetAside();
            onEnd.run();
        }
    }

    final boolean hasEnded() {
        return ended;
    }

    final boolean isPresettled() {
        return presettled;
    }

    /** Whether a message may go out now. */
    final boolean canSend() {
        return !ended && link.canSend();
    }

    /**
     * Sends a message; {@link #canSend} has been asked.
     *
     * @param deadLetter why it is where it is; null for nothing special
     * @param kept what {@link #onSettled} needs to know; nothing comes back of a presettled delivery
     */
    final void send(Message message, int deliveryCount, @Nullable DeadLetter deadLetter, Object kept) {
        if (!presettled && reference(kept) > DeliverySource.NOT_STORED) {
            noteSoon();
        }
        connection.output().countMessage();
        link.send(payload(message, deliveryCount, deadLetter), presettled ? null : kept);
    }

    private Payload payload(Message message, int deliveryCount, @Nullable DeadLetter deadLetter) {
        if (deliveryCount > 0 || deadLetter != null) {
            long nowNs = connection.loop().clock().nanoTime();
            return new Payload(OutgoingMessage.encode(message, deliveryCount, deadLetter, nowNs));
        }
        byte[] head = OutgoingMessage.headAsItCame(message);
        return head == null
                ? connection.resources().encoded().of(message, connection.loop())
                : new Payload(head, message.body());
    }

    /** A transaction has acknowledged a delivery, which is settled on the link now. */
    final void noteInTransaction(int deliveryId, long reference) {
        if (reference > DeliverySource.NOT_STORED && deliveryId - noted >= 0) {
            inTransactions.add(reference);
            noteSoon();
        }
    }

    private void noteSoon() {
        if (!notesSoon) {
            notesSoon = true;
            connection.loop().timers().schedule(NOTE_AFTER_NS, () -> connection.guarded(this::note));
        }
    }

    /**
     * Has the queue note what a client has had for a while and not settled, so that it is marked as redelivered when
     * the broker is killed. Most is settled before, and costs nothing.
     */
    private void note() {
        notesSoon = false;
        if (ended) {
            return;
        }
        LongStream.Builder references = LongStream.builder();
        ripeInTransactions.forEach(references::add);
        if (ripe != noted) {
            link.unsettled((id, kept) -> {
                long reference = id - noted < 0 || id - ripe >= 0 ? DeliverySource.NOT_STORED : reference(kept);
                if (reference > DeliverySource.NOT_STORED) {
                    references.add(reference);
                }
            });
        }
        long[] all = references.build().sorted().toArray();
        if (all.length > 0) {
            noteDelivered(all);
        }
        noted = ripe;
        ripe = link.nextDeliveryId();
        ripeInTransactions = inTransactions;
        inTransactions = new ArrayList<>(0);
        if (noted != ripe || !ripeInTransactions.isEmpty()) {
            noteSoon();
        }
    }

    @Override
    public final void onFlow() {
        if (!ended) {
            link.sendOn();
            onCredit();
        }
    }

    @Override
    public final void onWritable() {
        onFlow();
    }

    @Override
    public final boolean onSettled(int deliveryId, Object kept, @Nullable DeliveryState state) {
        return !ended && onSettled(deliveryId, kept, state, SentDelivery.outcome(state));
    }

    private void onDetach(boolean closed) {
        endHere(closed ? End.CLOSED : End.DETACHED);
        if (closed) {
            sender.close();
        } else {
            sender.detach();
        }
    }

    /** The link is attached. */
    abstract void onBegin();

    /** The client's credit has changed, or there is room for what was granted before. */
    abstract void onCredit();

    /**
     * The client has come to an outcome.
     *
     * @param state with which transaction, if in one
     * @return whether the transaction has the delivery now
     */
    abstract boolean onSettled(int deliveryId, Object kept, @Nullable DeliveryState state, Outcome outcome);

    /** The number of a delivery in its queue; {@link DeliverySource#NOT_STORED} or less when it is not stored there. */
    abstract long reference(Object kept);

    /** Deliveries with these numbers were made a while ago, and are not settled. */
    abstract void noteDelivered(long[] references);

    /** The link is over: called once. */
    abstract void onEnd(End end);

    /** How a link ends. */
    enum End {
        /**
         * By detach, as a client does that wants to come back, or with its session or connection, which it has closed.
         */
        DETACHED,
        /** For good. */
        CLOSED,
        /** With the whole connection, which the client has not closed. */
        LOST
    }
}
