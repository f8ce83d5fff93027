package dev.avocet.amqp.connection;

import dev.avocet.amqp.message.OutgoingMessage;
import dev.avocet.core.broker.PublishOutcome;
import dev.avocet.core.message.DeadLetter;
import dev.avocet.core.message.Message;
import dev.avocet.core.queue.DeliverySource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.buffer.impl.ProtonByteArrayBufferAllocator;
import org.apache.qpid.protonj2.engine.OutgoingDelivery;
import org.apache.qpid.protonj2.engine.Sender;
import org.apache.qpid.protonj2.engine.Session;
import org.apache.qpid.protonj2.types.messaging.Outcome;
import org.apache.qpid.protonj2.types.messaging.Rejected;
import org.apache.qpid.protonj2.types.messaging.Target;
import org.apache.qpid.protonj2.types.transport.ReceiverSettleMode;
import org.apache.qpid.protonj2.types.transport.SenderSettleMode;
import org.jspecify.annotations.Nullable;

/**
 * The way out: a link on which a client receives. This is what topics and queues have in common: one message at a time
 * goes out, in as many frames as it needs, and the client says what became of it.
 *
 * <p>Owned by the connection's loop.
 */
abstract class DeliveryLink implements OpenLink {
    /** A delivery that is not settled after once to twice this time is noted in the store. */
    private static final long NOTE_AFTER_NS = TimeUnit.MILLISECONDS.toNanos(50);

    protected final AmqpConnection connection;
    protected final Sender sender;
    private final boolean presettled;
    private Runnable onEnd = () -> {};
    private long deliveries;
    /** Credit that was given back without a delivery. */
    private long drained;

    /** Deliveries before this one are settled, or noted to have been made. */
    private long noted;
    /** Those before this one are old enough to be noted. */
    private long ripe;
    /** What transactions have acknowledged and is not noted: what is old enough, and what has come since. */
    private List<Long> ripeInTransactions = new ArrayList<>(0);

    private List<Long> inTransactions = new ArrayList<>(0);
    private boolean notesSoon;

    private long handle;
    /** What is left of the last message, as the session's window was too small for it. */
    private @Nullable ProtonBuffer unsent;

    private @Nullable OutgoingDelivery unsentDelivery;
    /** Null until a receiver cannot open a message. */
    private @Nullable SetAside setAside;

    private boolean ended;

    DeliveryLink(AmqpConnection connection, Sender sender) {
        this.connection = connection;
        this.sender = sender;
        this.presettled = sender.getRemoteSenderSettleMode() == SenderSettleMode.SETTLED;
    }

    @Override
    public final void begin(Runnable onLinkEnd) {
        onEnd = onLinkEnd;
        sender.creditStateUpdateHandler(unused -> connection.guarded(this::onRemoteFlow));
        sender.deliveryStateUpdatedHandler(delivery -> connection.guarded(() -> onState(delivery)));
        sender.closeHandler(unused -> connection.guarded(() -> onDetach(true)));
        sender.detachHandler(unused -> connection.guarded(() -> onDetach(false)));
        sender.setSenderSettleMode(presettled ? SenderSettleMode.SETTLED : SenderSettleMode.UNSETTLED);
        sender.setReceiverSettleMode(ReceiverSettleMode.FIRST);
        if (sender.getRemoteTarget() instanceof Target target) {
            sender.setTarget(target);
        }
        sender.open();
        handle = connection.drainAnswer().lastHandle();
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
        return !ended
                && unsent == null
                && sender.getCredit() > 0
                && sender.isSendable()
                && connection.output().isWritable();
    }

    /**
     * Sends a message; {@link #canSend} has been asked.
     *
     * @param deadLetter why it is where it is; null for nothing special
     * @param kept what {@link #onSettled} needs to know; nothing comes back of a presettled delivery
     */
    final void send(Message message, int deliveryCount, @Nullable DeadLetter deadLetter, Object kept) {
        byte[] encoded = OutgoingMessage.encode(
                message, deliveryCount, deadLetter, connection.loop().clock().nanoTime());
        OutgoingDelivery delivery = sender.next();
        delivery.setTag(tag(deliveries++));
        if (presettled) {
            delivery.settle();
        } else {
            delivery.setLinkedResource(kept);
            if (reference(kept) > DeliverySource.NOT_STORED) {
                noteSoon();
            }
        }
        connection.output().countMessage();
        write(delivery, ProtonByteArrayBufferAllocator.wrapped(encoded));
    }

    private void write(OutgoingDelivery delivery, ProtonBuffer bytes) {
        delivery.writeBytes(bytes);
        boolean whole = !bytes.isReadable();
        unsent = whole ? null : bytes;
        unsentDelivery = whole ? null : delivery;
    }

    /** Short, and different from all others that are not settled. */
    private static byte[] tag(long number) {
        int length = Math.max(1, (Long.SIZE - Long.numberOfLeadingZeros(number) + 7) / Byte.SIZE);
        byte[] tag = new byte[length];
        for (int i = 0; i < length; i++) {
            tag[i] = (byte) (number >>> i * Byte.SIZE);
        }
        return tag;
    }

    /** A transaction has acknowledged a delivery, which is settled on the link now. */
    final void noteInTransaction(OutgoingDelivery delivery, long reference) {
        if (reference > DeliverySource.NOT_STORED && number(delivery) >= noted) {
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
        if (ripe > noted) {
            for (OutgoingDelivery delivery : sender.unsettled()) {
                long number = number(delivery);
                Object kept = delivery.getLinkedResource();
                long reference =
                        kept == null || number < noted || number >= ripe ? DeliverySource.NOT_STORED : reference(kept);
                if (reference > DeliverySource.NOT_STORED) {
                    references.add(reference);
                }
            }
        }
        long[] all = references.build().sorted().toArray();
        if (all.length > 0) {
            noteDelivered(all);
        }
        noted = ripe;
        ripe = deliveries;
        ripeInTransactions = inTransactions;
        inTransactions = new ArrayList<>(0);
        if (noted < ripe || !ripeInTransactions.isEmpty()) {
            noteSoon();
        }
    }

    private static long number(OutgoingDelivery delivery) {
        long number = 0;
        byte[] tag = delivery.getTag().tagBytes();
        for (int i = 0; i < tag.length; i++) {
            number |= (tag[i] & 0xFFL) << i * Byte.SIZE;
        }
        return number;
    }

    /** The client's credit is used up: what is left of it is given back. */
    final void drained() {
        drained += sender.getCredit();
        sender.drained();
    }

    private void onRemoteFlow() {
        if (!ended && unsent == null && sender.isDraining() && sender.getCredit() == 0) {
            connection.drainAnswer().answer(handle, (deliveries + drained) & 0xFFFF_FFFFL);
        }
        onFlow();
    }

    private void onFlow() {
        if (ended) {
            return;
        }
        ProtonBuffer left = unsent;
        if (left != null && unsentDelivery != null && sender.isSendable()) {
            write(unsentDelivery, left);
        }
        onCredit();
    }

    @Override
    public final void onWritable() {
        if (!ended) {
            onFlow();
        }
    }

    private void onState(OutgoingDelivery delivery) {
        if (ended || delivery.isSettled()) {
            return;
        }
        Outcome outcome = SentDelivery.outcome(delivery);
        Object kept = delivery.getLinkedResource();
        if (outcome != null && kept != null) {
            delivery.setLinkedResource(null);
            onSettled(kept, delivery, outcome);
            delivery.settle();
        } else if (delivery.isRemotelySettled()) {
            delivery.settle();
        }
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

    /** The client has come to an outcome. */
    abstract void onSettled(Object kept, OutgoingDelivery delivery, Outcome outcome);

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
