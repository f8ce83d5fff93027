package dev.avocet.jms.client.wire;

import dev.avocet.jms.client.wire.route.Node;
import dev.avocet.jms.client.wire.route.WireException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.qpid.protonj2.engine.IncomingDelivery;
import org.apache.qpid.protonj2.engine.Receiver;
import org.apache.qpid.protonj2.engine.Session;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.UnknownDescribedType;
import org.apache.qpid.protonj2.types.UnsignedLong;
import org.apache.qpid.protonj2.types.messaging.Accepted;
import org.apache.qpid.protonj2.types.messaging.Modified;
import org.apache.qpid.protonj2.types.messaging.Rejected;
import org.apache.qpid.protonj2.types.messaging.Released;
import org.apache.qpid.protonj2.types.messaging.Source;
import org.apache.qpid.protonj2.types.messaging.Target;
import org.apache.qpid.protonj2.types.messaging.TerminusDurability;
import org.apache.qpid.protonj2.types.messaging.TerminusExpiryPolicy;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.apache.qpid.protonj2.types.transport.ErrorCondition;
import org.apache.qpid.protonj2.types.transport.ReceiverSettleMode;
import org.apache.qpid.protonj2.types.transport.SenderSettleMode;
import org.jspecify.annotations.Nullable;

/** A link that receives. Owned by the connection's turn. */
public final class WireReceiver implements WireLink {
    /** Taken for good. */
    public static final DeliveryState ACCEPTED = Accepted.getInstance();
    /** Never given to the application. */
    public static final DeliveryState RELEASED = Released.getInstance();
    /** Given to the application, and to come again. */
    public static final Modified FAILED = new Modified().setDeliveryFailed(true);
    /** No message at all. */
    public static final DeliveryState REJECTED = new Rejected();

    private static final Symbol[] OUTCOMES = {
        Accepted.DESCRIPTOR_SYMBOL, Rejected.DESCRIPTOR_SYMBOL, Released.DESCRIPTOR_SYMBOL, Modified.DESCRIPTOR_SYMBOL
    };
    private static final UnsignedLong SELECTOR_FILTER = UnsignedLong.valueOf(0x0000468C00000004L);
    private static final UnsignedLong NO_LOCAL_FILTER = UnsignedLong.valueOf(0x0000468C00000003L);

    private final WireSession session;
    private final ReceiverSpec spec;
    private final Node node;
    private final ReceiverEvents events;
    private final CompletableFuture<Void> opened = new CompletableFuture<>();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private final List<Runnable> drained = new ArrayList<>();

    /** What the server says about the protection of messages; null: nothing. */
    private volatile @Nullable LinkProtection protection;

    private @Nullable Receiver receiver;
    private @Nullable WireException failure;
    private boolean touched;
    private int creditAfterAttach;

    WireReceiver(final WireSession session, final ReceiverSpec spec, final ReceiverEvents events) {
        this.session = session;
        this.spec = spec;
        this.node = new Node(spec.address());
        this.events = events;
    }

    public CompletableFuture<Void> opened() {
        return opened;
    }

    /** What the server says about the protection of messages; null: nothing. Any thread. */
    public @Nullable LinkProtection protection() {
        return protection;
    }

    /** No message that its receiver may take, as its protection does not hold. */
    public static DeliveryState violated(final String why) {
        return new Rejected(new ErrorCondition(Symbol.valueOf("avocet:protection-violated"), why));
    }

    @Override
    public void attach(final Session to) {
        final Receiver fresh = to.receiver(spec.name());
        receiver = fresh;
        fresh.setSource(source());
        fresh.setTarget(new Target());
        fresh.setProperties(LinkProtection.ASKED);
        fresh.setSenderSettleMode(spec.settled() ? SenderSettleMode.SETTLED : SenderSettleMode.UNSETTLED);
        fresh.setReceiverSettleMode(ReceiverSettleMode.FIRST);
        fresh.setMaxMessageSize(UnsignedLong.valueOf(session.connection().messageMaxBytes()));
        if (spec.address() == null && spec.capabilities().contains("global")) {
            fresh.setDesiredCapabilities(Symbol.valueOf("shared"), Symbol.valueOf("global"));
        }
        fresh.deliveryReadHandler(this::read);
        fresh.creditStateUpdateHandler(this::creditChanged);
        fresh.openHandler(this::remotelyOpened);
        fresh.closeHandler(this::remotelyClosed);
        fresh.detachHandler(this::remotelyClosed);
        fresh.open();
        if (opened.isDone()) {
            events.restored();
        }
        if (creditAfterAttach > 0) {
            final int credit = creditAfterAttach;
            creditAfterAttach = 0;
            fresh.addCredit(credit);
        }
    }

    private @Nullable Source source() {
        if (spec.address() == null) {
            return null;
        }
        final Source source =
                new Source().setAddress(node.address()).setOutcomes(OUTCOMES).setDefaultOutcome(FAILED);
        source.setDurable(spec.durable() ? TerminusDurability.UNSETTLED_STATE : TerminusDurability.NONE);
        source.setExpiryPolicy(spec.durable() ? TerminusExpiryPolicy.NEVER : TerminusExpiryPolicy.LINK_DETACH);
        source.setCapabilities(spec.capabilities().stream().map(Symbol::valueOf).toArray(Symbol[]::new));
        if (spec.browser()) {
            source.setDistributionMode(Symbol.valueOf("copy"));
        }
        final Map<Symbol, Object> filters = new HashMap<>();
        if (spec.noLocal()) {
            filters.put(Symbol.valueOf("no-local"), new UnknownDescribedType(NO_LOCAL_FILTER, List.of()));
        }
        if (spec.selector() != null) {
            filters.put(Symbol.valueOf("jms-selector"), new UnknownDescribedType(SELECTOR_FILTER, spec.selector()));
        }
        if (!filters.isEmpty()) {
            source.setFilter(filters);
        }
        return source;
    }

    private void remotelyOpened(final Receiver which) {
        if (which != receiver) {
            return;
        }
        // Without a source the server refuses, and says why in the detach that follows.
        if (which.getRemoteSource() != null) {
            protection = LinkProtection.of(which);
            opened.complete(null);
        } else if (spec.address() == null) {
            failLater();
        }
    }

    /** Looking for a subscription: no source, no subscription, and perhaps no detach. */
    private void failLater() {
        opened.completeExceptionally(
                new WireException("amqp:not-found", "there is no subscription of the name " + spec.name()));
    }

    private void remotelyClosed(final Receiver which) {
        if (which != receiver || failure != null) {
            closed.complete(null);
            return;
        }
        which.close();
        final WireException cause = WireException.of(
                which.getRemoteCondition(),
                "the server ends the consumer" + (spec.address() == null ? "" : " of " + spec.address()));
        if (!opened.isDone() && node.moves(cause, session.connection().server())) {
            creditAfterAttach = which.getCredit();
            attach(which.getSession());
            return;
        }
        closed.complete(null);
        session.remove(this);
        ended(cause);
    }

    private void read(final IncomingDelivery delivery) {
        session.connection().worked();
        if (delivery.isAborted()) {
            delivery.settle();
            return;
        }
        if (delivery.isPartial()) {
            // The session's window is to stay open for the rest.
            delivery.claimAvailableBytes();
            checkSize(delivery);
            return;
        }
        final byte[] message = message(delivery, session.connection().takeMessage());
        if (delivery.isRemotelySettled()) {
            delivery.settle();
        }
        events.arrived(message, delivery);
        if (!touched) {
            touched = true;
            session.connection().touch(this);
        }
    }

    /** The parts of one message are kept until the last has come, which a server may never send. */
    private void checkSize(final IncomingDelivery delivery) {
        final long maxBytes = session.connection().messageMaxBytes();
        if (delivery.available() > maxBytes) {
            session.connection()
                    .fail(new WireException(
                            "amqp:link:message-size-exceeded",
                            "the server sends a message of more than " + maxBytes
                                    + " bytes, which the option maxMessageSize allows"
                                    + (spec.address() == null ? "" : ", to a consumer of " + spec.address())));
        }
    }

    /** @param last what the line has read of it and the delivery does not hold */
    private static byte[] message(final IncomingDelivery delivery, final byte @Nullable [] last) {
        final int held = delivery.available();
        if (held == 0 && last != null) {
            return last;
        }
        final byte[] message = new byte[held + (last == null ? 0 : last.length)];
        if (held > 0) {
            delivery.readBytes(message, 0, held);
        }
        if (last != null) {
            System.arraycopy(last, 0, message, held, last.length);
        }
        return message;
    }

    void readComplete() {
        touched = false;
        events.readComplete();
    }

    private void creditChanged(final Receiver which) {
        if (which == receiver && !which.isDraining()) {
            runDrained();
        }
    }

    private void runDrained() {
        final List<Runnable> now = List.copyOf(drained);
        drained.clear();
        now.forEach(Runnable::run);
    }

    /** Lets the server send so many more. */
    public void addCredit(final int credit) {
        if (failure != null || credit <= 0) {
            return;
        }
        if (receiver == null) {
            creditAfterAttach += credit;
        } else {
            receiver.addCredit(credit);
        }
    }

    /** Takes all credit back; {@code then} runs when nothing more can come, which may be at once. */
    public void drain(final Runnable then) {
        final Receiver open = receiver;
        creditAfterAttach = 0;
        if (open == null || failure != null || open.getCredit() == 0) {
            then.run();
            return;
        }
        drained.add(then);
        if (!open.isDraining()) {
            open.drain();
        }
    }

    /**
     * Lets the server send so many and no more, in one frame; {@code then} runs when nothing more can come, which may
     * be at once.
     */
    public void drain(final int credit, final Runnable then) {
        final Receiver open = receiver;
        creditAfterAttach = 0;
        if (open == null || failure != null) {
            then.run();
            return;
        }
        drained.add(then);
        if (!open.isDraining()) {
            open.drain(credit);
        }
    }

    /** Settles a delivery; one of an earlier line is over already. */
    public void settle(final IncomingDelivery delivery, final DeliveryState state) {
        if (delivery.getLink() == receiver && !delivery.isSettled()) {
            delivery.disposition(state, true);
        }
    }

    /** The delivery came on the line there is now. */
    public boolean isCurrent(final IncomingDelivery delivery) {
        return delivery.getLink() == receiver;
    }

    @Override
    public void detached(final WireException cause) {
        receiver = null;
        touched = false;
        creditAfterAttach = 0;
        events.interrupted();
        runDrained();
        if (failure != null) {
            closed.complete(null);
        }
    }

    @Override
    public void ended(final WireException cause) {
        final boolean first = failure == null;
        failure = first ? cause : failure;
        opened.completeExceptionally(cause);
        closed.complete(null);
        runDrained();
        if (first) {
            events.ended(cause);
        }
        receiver = null;
    }

    /**
     * @param forGood ends a durable subscription with its messages; otherwise the link is only detached
     */
    public CompletableFuture<Void> close(final boolean forGood) {
        session.remove(this);
        final Receiver open = receiver;
        if (open == null || failure != null || !open.isLocallyOpen()) {
            closed.complete(null);
        } else if (forGood) {
            open.close();
        } else {
            open.detach();
        }
        failure = failure == null ? new WireException(WireException.CLOSED, "the consumer is closed") : failure;
        runDrained();
        return closed;
    }
}
