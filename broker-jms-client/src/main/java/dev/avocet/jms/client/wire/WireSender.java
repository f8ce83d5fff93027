package dev.avocet.jms.client.wire;

import dev.avocet.jms.client.wire.route.Node;
import dev.avocet.jms.client.wire.route.WireException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.buffer.impl.ProtonByteArrayBufferAllocator;
import org.apache.qpid.protonj2.engine.OutgoingDelivery;
import org.apache.qpid.protonj2.engine.Sender;
import org.apache.qpid.protonj2.engine.Session;
import org.apache.qpid.protonj2.engine.impl.ProtonDeliveryTagGenerator;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.messaging.Accepted;
import org.apache.qpid.protonj2.types.messaging.DeleteOnClose;
import org.apache.qpid.protonj2.types.messaging.Modified;
import org.apache.qpid.protonj2.types.messaging.Rejected;
import org.apache.qpid.protonj2.types.messaging.Released;
import org.apache.qpid.protonj2.types.messaging.Source;
import org.apache.qpid.protonj2.types.messaging.Target;
import org.apache.qpid.protonj2.types.messaging.TerminusDurability;
import org.apache.qpid.protonj2.types.transactions.TransactionalState;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.apache.qpid.protonj2.types.transport.ReceiverSettleMode;
import org.apache.qpid.protonj2.types.transport.SenderSettleMode;
import org.jspecify.annotations.Nullable;

/**
 * A link that sends. Owned by the connection's turn.
 *
 * <p>When the line is lost: what was not written yet goes out on the next line. What was written and not answered is in
 * doubt; a durable message is reported so, one that is not durable is given up without a word, because it may be
 * delivered at most once.
 */
public final class WireSender implements WireLink {
    private static final Symbol[] OUTCOMES = {
        Accepted.DESCRIPTOR_SYMBOL, Rejected.DESCRIPTOR_SYMBOL, Released.DESCRIPTOR_SYMBOL, Modified.DESCRIPTOR_SYMBOL
    };

    /** What is asked of the server; others than ours pass over it. */
    private static final Map<Symbol, Object> PROPERTIES = properties();

    private final WireSession session;
    private final SenderSpec spec;
    private final Node node;
    private final CompletableFuture<String> opened = new CompletableFuture<>();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private final Deque<Outgoing> waiting = new ArrayDeque<>();
    private final Deque<Outgoing> unanswered = new ArrayDeque<>();

    /** What the server says about the protection of messages; null: nothing. */
    private volatile @Nullable LinkProtection protection;

    private @Nullable Sender sender;
    private @Nullable ProtonBuffer rest;
    private @Nullable String dynamicAddress;
    private @Nullable WireException failure;

    WireSender(final WireSession session, final SenderSpec spec) {
        this.session = session;
        this.spec = spec;
        this.node = new Node(spec.address());
    }

    private static Map<Symbol, Object> properties() {
        final Map<Symbol, Object> properties = new HashMap<>(LinkProtection.ASKED);
        properties.put(Symbol.valueOf("avocet:batchable"), true);
        return Map.copyOf(properties);
    }

    /** Ends with the target's address, which the server chose where the specification is dynamic. */
    public CompletableFuture<String> opened() {
        return opened;
    }

    /** What the server says about the protection of messages; null: nothing. Any thread. */
    public @Nullable LinkProtection protection() {
        return protection;
    }

    @Override
    public void attach(final Session to) {
        final Sender fresh = to.sender(spec.name());
        sender = fresh;
        fresh.setSource(new Source().setAddress(spec.name()).setOutcomes(OUTCOMES));
        fresh.setTarget(target());
        fresh.setProperties(PROPERTIES);
        fresh.setSenderSettleMode(SenderSettleMode.MIXED);
        fresh.setReceiverSettleMode(ReceiverSettleMode.FIRST);
        fresh.setDeliveryTagGenerator(ProtonDeliveryTagGenerator.BUILTIN.POOLED.createGenerator());
        fresh.deliveryStateUpdatedHandler(this::answered);
        fresh.creditStateUpdateHandler(ready -> pump());
        fresh.openHandler(this::remotelyOpened);
        fresh.closeHandler(this::remotelyClosed);
        fresh.detachHandler(this::remotelyClosed);
        fresh.open();
    }

    private Target target() {
        final Target target = new Target();
        if (spec.dynamic() && dynamicAddress == null) {
            final Map<Symbol, Object> properties = new HashMap<>();
            properties.put(Symbol.valueOf("lifetime-policy"), DeleteOnClose.getInstance());
            if (spec.prefix() != null) {
                properties.put(Symbol.valueOf("avocet:prefix"), spec.prefix());
            }
            target.setDynamic(true);
            target.setDynamicNodeProperties(properties);
            target.setDurable(TerminusDurability.NONE);
        } else {
            // A node that the server named once is asked for under that name on the next line: others know it.
            target.setAddress(spec.dynamic() ? dynamicAddress : node.address());
        }
        if (spec.capability() != null) {
            target.setCapabilities(Symbol.valueOf(spec.capability()));
        }
        return target;
    }

    private void remotelyOpened(final Sender which) {
        if (which != sender) {
            return;
        }
        final Target target = which.getRemoteTarget();
        // Without a target the server refuses, and says why in the detach that follows.
        if (target != null) {
            protection = LinkProtection.of(which);
            if (spec.dynamic() && dynamicAddress == null) {
                dynamicAddress = target.getAddress();
            }
            final String address = spec.dynamic() ? dynamicAddress : target.getAddress();
            opened.complete(address == null ? "" : address);
            pump();
        }
    }

    private String refusal() {
        final String address = spec.address();
        if (address != null) {
            return "the server refuses to be sent to " + address;
        }
        return spec.dynamic()
                ? "the server makes no temporary destination"
                        + (spec.prefix() == null ? "" : " whose name begins with " + spec.prefix())
                : "the server takes no messages that name their own destinations";
    }

    private void remotelyClosed(final Sender which) {
        if (which != sender) {
            return;
        }
        if (failure != null) {
            closed.complete(null);
            return;
        }
        which.close();
        final WireException cause = WireException.of(which.getRemoteCondition(), refusal());
        if (!opened.isDone() && node.moves(cause, session.connection().server())) {
            attach(which.getSession());
            return;
        }
        closed.complete(null);
        session.remove(this);
        ended(cause);
    }

    @Override
    public void detached(final WireException cause) {
        sender = null;
        final Outgoing partly = rest == null ? null : waiting.poll();
        rest = null;
        if (partly != null) {
            unanswered.add(partly);
        }
        final WireException doubt = new WireException(
                WireException.IN_DOUBT,
                "the connection was lost before the server answered; whether it has the message is in doubt ("
                        + cause.getMessage() + ")",
                cause);
        for (final Outgoing outgoing : List.copyOf(unanswered)) {
            outgoing.done(outgoing.durable || outgoing.transaction != null ? doubt : null);
        }
        unanswered.clear();
        final WireException rolledBack = WireTransaction.lost(cause);
        waiting.removeIf(outgoing -> {
            if (outgoing.transaction == null) {
                return false;
            }
            outgoing.done(rolledBack);
            return true;
        });
    }

    @Override
    public void ended(final WireException cause) {
        failure = failure == null ? cause : failure;
        sender = null;
        rest = null;
        opened.completeExceptionally(cause);
        closed.complete(null);
        for (final Outgoing outgoing : List.copyOf(unanswered)) {
            outgoing.done(cause);
        }
        unanswered.clear();
        for (final Outgoing outgoing : List.copyOf(waiting)) {
            outgoing.done(cause);
        }
        waiting.clear();
    }

    /** Sends as soon as there is a line, credit and room. */
    public void send(final Outgoing outgoing) {
        outgoing.waits();
        if (failure != null) {
            outgoing.done(failure);
            return;
        }
        waiting.add(outgoing);
        pump();
    }

    @Override
    public void pump() {
        final Sender to = sender;
        if (to == null || !to.isRemotelyOpen()) {
            return;
        }
        while (sender == to && to.isSendable() && session.connection().isWritable()) {
            final Outgoing head = waiting.peek();
            if (head == null || !write(to, head)) {
                return;
            }
        }
    }

    /** False: the head has to wait for its transaction or for room. */
    private boolean write(final Sender to, final Outgoing head) {
        if (rest == null) {
            if (head.transaction != null && !head.transaction.isSettledStart()) {
                return false;
            }
            final WireException lost = head.transaction == null ? null : head.transaction.failure();
            if (lost != null) {
                waiting.poll();
                head.done(lost);
                return true;
            }
            begin(to, head);
            rest = ProtonByteArrayBufferAllocator.wrapped(head.message);
        }
        final ProtonBuffer bytes = rest;
        session.connection().batchable(head.batchable);
        to.current().writeBytes(bytes);
        if (bytes.isReadable()) {
            return false;
        }
        rest = null;
        waiting.poll();
        if (head.settled) {
            head.done(null);
        } else {
            unanswered.add(head);
        }
        head.written();
        return true;
    }

    private static void begin(final Sender to, final Outgoing head) {
        final OutgoingDelivery delivery = to.next();
        delivery.setLinkedResource(head);
        if (head.transaction != null) {
            delivery.disposition(head.transaction.sendState(), false);
        } else if (head.settled) {
            delivery.settle();
        }
    }

    private void answered(final OutgoingDelivery delivery) {
        session.connection().worked();
        final Outgoing outgoing = delivery.getLinkedResource();
        final DeliveryState state = delivery.getRemoteState();
        if (state == null && !delivery.isRemotelySettled()) {
            return;
        }
        if (!delivery.isSettled()) {
            delivery.settle();
        }
        outgoing.done(failureOf(
                state instanceof final TransactionalState inside ? (DeliveryState) inside.getOutcome() : state));
        while (!unanswered.isEmpty() && unanswered.peek().isDone()) {
            unanswered.poll();
        }
    }

    private static @Nullable WireException failureOf(final @Nullable DeliveryState state) {
        if (state == null || state instanceof Accepted) {
            return null;
        }
        if (state instanceof final Rejected rejected) {
            return WireException.of(rejected.getError(), "the server rejects the message");
        }
        return new WireException(
                "amqp:resource-limit-exceeded", "the server did not take the message (" + state.getType() + ")");
    }

    /** Closes the link; what still waits fails. */
    public CompletableFuture<Void> close() {
        session.remove(this);
        final Sender open = sender;
        if (open == null || failure != null || !open.isLocallyOpen()) {
            closed.complete(null);
        } else {
            // Unanswered sends are answered yet: the handlers stay until the server's own detach.
            open.close();
        }
        failure = failure == null ? new WireException(WireException.CLOSED, "the producer is closed") : failure;
        return closed;
    }
}
