package dev.avocet.jms.client.wire;

import dev.avocet.jms.client.wire.route.WireException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.buffer.impl.ProtonByteArrayBufferAllocator;
import org.apache.qpid.protonj2.codec.CodecFactory;
import org.apache.qpid.protonj2.codec.Encoder;
import org.apache.qpid.protonj2.engine.OutgoingDelivery;
import org.apache.qpid.protonj2.engine.Sender;
import org.apache.qpid.protonj2.engine.Session;
import org.apache.qpid.protonj2.engine.impl.ProtonDeliveryTagGenerator;
import org.apache.qpid.protonj2.types.Binary;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.UnknownDescribedType;
import org.apache.qpid.protonj2.types.UnsignedInteger;
import org.apache.qpid.protonj2.types.messaging.Accepted;
import org.apache.qpid.protonj2.types.messaging.AmqpValue;
import org.apache.qpid.protonj2.types.messaging.Modified;
import org.apache.qpid.protonj2.types.messaging.Rejected;
import org.apache.qpid.protonj2.types.messaging.Released;
import org.apache.qpid.protonj2.types.messaging.Source;
import org.apache.qpid.protonj2.types.transactions.Coordinator;
import org.apache.qpid.protonj2.types.transactions.Declared;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.jspecify.annotations.Nullable;

/**
 * The link by which branches of global transactions are begun and ended, with the broker's extension for XA
 * (docs/amqp.md). A request that finds no line fails at once, and so does one whose answer is lost with the line: who
 * asks is a transaction manager, which tries again. Owned by the connection's turn.
 */
public final class BranchLink implements WireLink {
    /** What a server offers that knows the extension. */
    public static final String CAPABILITY = "avocet:xa";

    private static final Symbol XA = Symbol.valueOf(CAPABILITY);
    private static final Symbol BRANCHES = Symbol.valueOf("avocet:branches");
    private static final Symbol[] OUTCOMES = {
        Accepted.DESCRIPTOR_SYMBOL, Rejected.DESCRIPTOR_SYMBOL, Released.DESCRIPTOR_SYMBOL, Modified.DESCRIPTOR_SYMBOL
    };

    /** A request and its answer. */
    private record Request(byte[] message, CompletableFuture<DeliveryState> answer) {}

    private final WireSession session;
    private final Encoder encoder = CodecFactory.getEncoder();
    private final Deque<Request> waiting = new ArrayDeque<>();
    private final List<Request> unanswered = new ArrayList<>();
    private final List<WireTransaction> live = new ArrayList<>();

    private @Nullable Sender sender;
    private @Nullable WireException failure;

    BranchLink(final WireSession session) {
        this.session = session;
    }

    /** Begins a branch under the name of those bytes. */
    public CompletableFuture<WireTransaction> start(final byte[] branch, final int timeoutS) {
        final Object timeout = timeoutS == 0 ? null : UnsignedInteger.valueOf(timeoutS);
        return request("start", new Binary(branch), timeout).thenCompose(answer -> {
            if (!(answer instanceof final Declared declared)) {
                return refused(answer);
            }
            final WireTransaction begun = new WireTransaction();
            begun.named(declared.getTxnId());
            live.add(begun);
            return CompletableFuture.completedFuture(begun);
        });
    }

    /** Prepares it; the value says whether there was anything to prepare, otherwise it is over. */
    public CompletableFuture<Boolean> prepare(final byte[] branch, final WireTransaction transaction) {
        return whole(transaction, "prepare", branch, null)
                .thenCompose(answer -> answer instanceof Released
                        ? CompletableFuture.completedFuture(false)
                        : accepted(answer).thenApply(done -> true));
    }

    /** Commits one that is not prepared. */
    public CompletableFuture<Void> commitOnePhase(final byte[] branch, final WireTransaction transaction) {
        return whole(transaction, "commit", branch, true).thenCompose(BranchLink::accepted);
    }

    /** A request about a branch that goes with its line. */
    private CompletableFuture<DeliveryState> whole(
            final WireTransaction transaction, final String what, final byte[] branch, final @Nullable Object second) {
        live.remove(transaction);
        final WireException lost = transaction.failure();
        return lost == null ? request(what, new Binary(branch), second) : CompletableFuture.failedFuture(lost);
    }

    /** Rolls one back that is not prepared; when it went with its line, that is done. */
    public CompletableFuture<Void> rollback(final byte[] branch, final WireTransaction transaction) {
        live.remove(transaction);
        return transaction.failure() == null
                ? request("rollback", new Binary(branch), null).thenCompose(BranchLink::accepted)
                : CompletableFuture.completedFuture(null);
    }

    /** Commits, or rolls back, what is prepared. */
    public CompletableFuture<Void> end(final byte[] branch, final boolean commit) {
        return request(commit ? "commit" : "rollback", new Binary(branch), null).thenCompose(BranchLink::accepted);
    }

    /** Has a decision of an administrator forgotten. */
    public CompletableFuture<Void> forget(final byte[] branch) {
        return request("forget", new Binary(branch), null).thenCompose(BranchLink::accepted);
    }

    /** The names of all that are in doubt, portion by portion. */
    public CompletableFuture<List<byte[]>> recover() {
        return recover(new ArrayList<>());
    }

    private CompletableFuture<List<byte[]>> recover(final List<byte[]> known) {
        final Binary after = known.isEmpty() ? null : new Binary(known.get(known.size() - 1));
        return request("recover", after, null).thenCompose(answer -> {
            if (!(answer instanceof final Modified portion)) {
                return refused(answer);
            }
            final Map<Symbol, Object> content = portion.getMessageAnnotations();
            final int before = known.size();
            if (content != null && content.get(BRANCHES) instanceof final List<?> names) {
                for (final Object name : names) {
                    known.add(((Binary) name).asByteArray());
                }
            }
            return known.size() == before ? CompletableFuture.completedFuture(known) : recover(known);
        });
    }

    private static CompletableFuture<Void> accepted(final DeliveryState answer) {
        return answer instanceof Accepted ? CompletableFuture.completedFuture(null) : refused(answer);
    }

    private static <T> CompletableFuture<T> refused(final DeliveryState answer) {
        return CompletableFuture.failedFuture(
                answer instanceof final Rejected rejected
                        ? WireException.of(rejected.getError(), "the server refuses")
                        : new WireException("amqp:internal-error", "the server answers with " + answer.getType()));
    }

    private CompletableFuture<DeliveryState> request(
            final String what, final @Nullable Object first, final @Nullable Object second) {
        final CompletableFuture<DeliveryState> answer = new CompletableFuture<>();
        if (failure != null || sender == null) {
            answer.completeExceptionally(
                    failure != null ? failure : new WireException(WireException.CONNECTION_LOST, "no connection"));
            return answer;
        }
        final List<Object> fields = new ArrayList<>();
        fields.add(first);
        if (second != null) {
            fields.add(second);
        }
        waiting.add(new Request(encoded(Symbol.valueOf("avocet:xa-" + what + ":list"), fields), answer));
        pump();
        return answer;
    }

    private byte[] encoded(final Symbol descriptor, final List<Object> fields) {
        final ProtonBuffer buffer = ProtonByteArrayBufferAllocator.allocator().allocate(256);
        encoder.writeObject(
                buffer, encoder.newEncoderState(), new AmqpValue<>(new UnknownDescribedType(descriptor, fields)));
        final byte[] bytes = new byte[buffer.getReadableBytes()];
        buffer.readBytes(bytes, 0, bytes.length);
        buffer.close();
        return bytes;
    }

    @Override
    public void attach(final Session to) {
        final Sender fresh = to.sender("branches");
        sender = fresh;
        fresh.setSource(new Source().setOutcomes(OUTCOMES));
        fresh.setTarget(new Coordinator().setCapabilities(XA));
        fresh.setDeliveryTagGenerator(ProtonDeliveryTagGenerator.BUILTIN.POOLED.createGenerator());
        fresh.deliveryStateUpdatedHandler(this::answered);
        fresh.creditStateUpdateHandler(ready -> pump());
        fresh.closeHandler(this::closed);
        fresh.detachHandler(this::closed);
        fresh.open();
    }

    private void closed(final Sender which) {
        if (which == sender) {
            which.close();
            session.remove(this);
            ended(WireException.of(which.getRemoteCondition(), "the server ended the link for XA"));
        }
    }

    @Override
    public void pump() {
        final Sender to = sender;
        while (to != null && to == sender && !waiting.isEmpty() && to.isSendable()) {
            final Request next = waiting.poll();
            unanswered.add(next);
            final OutgoingDelivery delivery = to.next();
            delivery.setLinkedResource(next);
            delivery.writeBytes(ProtonByteArrayBufferAllocator.wrapped(next.message));
        }
    }

    private void answered(final OutgoingDelivery delivery) {
        final DeliveryState state = delivery.getRemoteState();
        if (state == null) {
            return;
        }
        if (!delivery.isSettled()) {
            delivery.settle();
        }
        final Request request = delivery.getLinkedResource();
        unanswered.remove(request);
        request.answer.complete(state);
    }

    @Override
    public void detached(final WireException cause) {
        sender = null;
        failAll(cause);
    }

    @Override
    public void ended(final WireException cause) {
        failure = failure == null ? cause : failure;
        sender = null;
        failAll(cause);
    }

    private void failAll(final WireException cause) {
        final WireException lost = WireTransaction.lost(cause);
        for (final WireTransaction transaction : List.copyOf(live)) {
            transaction.failed(lost);
        }
        live.clear();
        final WireException unavailable =
                new WireException(WireException.CONNECTION_LOST, String.valueOf(cause.getMessage()), cause);
        final List<Request> all = new ArrayList<>(unanswered);
        all.addAll(waiting);
        unanswered.clear();
        waiting.clear();
        all.forEach(request -> request.answer.completeExceptionally(unavailable));
    }
}
