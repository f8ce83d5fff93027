package dev.avocet.amqp.connection;

import dev.avocet.amqp.codec.AmqpException;
import dev.avocet.amqp.codec.TypeScan;
import dev.avocet.amqp.link.OpenLink;
import dev.avocet.amqp.transfer.IncomingDelivery;
import dev.avocet.amqp.transfer.IncomingLink;
import dev.avocet.core.broker.TransactionCoordinator;
import dev.avocet.core.transaction.Transaction;
import dev.avocet.core.transaction.TransactionCompletion;
import dev.avocet.core.transaction.TransactionOutcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.qpid.protonj2.buffer.impl.ProtonByteArrayBufferAllocator;
import org.apache.qpid.protonj2.codec.CodecFactory;
import org.apache.qpid.protonj2.codec.Decoder;
import org.apache.qpid.protonj2.engine.Receiver;
import org.apache.qpid.protonj2.engine.Session;
import org.apache.qpid.protonj2.types.DescribedType;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.messaging.Accepted;
import org.apache.qpid.protonj2.types.messaging.AmqpValue;
import org.apache.qpid.protonj2.types.messaging.Rejected;
import org.apache.qpid.protonj2.types.transactions.Coordinator;
import org.apache.qpid.protonj2.types.transactions.Declare;
import org.apache.qpid.protonj2.types.transactions.Declared;
import org.apache.qpid.protonj2.types.transactions.Discharge;
import org.apache.qpid.protonj2.types.transactions.TransactionErrors;
import org.apache.qpid.protonj2.types.transactions.TxnCapability;
import org.apache.qpid.protonj2.types.transport.AmqpError;
import org.apache.qpid.protonj2.types.transport.ErrorCondition;
import org.jspecify.annotations.Nullable;

/**
 * The link by which a client begins transactions and ends them [AMQP 1.0 part 4], branches of global ones as
 * {@link BranchRequests} has it. Owned by the connection's loop.
 */
final class CoordinatorLink implements OpenLink {
    /** Offered by the connection, and granted by the coordinator to who asks for it. */
    static final Symbol ALL_OR_NOTHING = Symbol.valueOf("avocet:all-or-nothing");

    private static final byte[] NOTHING = {};
    private static final int CREDIT = 64;
    /** A declare or a discharge is a few dozen bytes. */
    private static final int MAX_BYTES = 1_024;

    private final OpenConnection connection;
    private final Receiver receiver;
    private final IncomingLink link;
    private final LocalTransactions transactions;
    private final BranchRequests branches;
    private final Decoder decoder = CodecFactory.getDecoder();
    private Runnable onEnd = () -> {};
    /** A request in several frames, as far as it has come. */
    private byte[] begun = NOTHING;

    private boolean ended;

    CoordinatorLink(OpenConnection connection, Receiver receiver, Coordinator wanted, LocalTransactions transactions) {
        this.connection = connection;
        this.receiver = receiver;
        this.link = receiver.getLinkedResource(IncomingLink.class);
        this.transactions = transactions;
        this.branches = new BranchRequests(connection, receiver, transactions);
        Coordinator granted = wanted.copy();
        List<Symbol> can = new ArrayList<>(List.of(
                TxnCapability.LOCAL_TXN,
                TxnCapability.MULTI_TXNS_PER_SSN,
                TxnCapability.MULTI_SSNS_PER_TXN,
                BranchRequests.CAPABILITY));
        if (wanted.getCapabilities() != null
                && List.of(wanted.getCapabilities()).contains(ALL_OR_NOTHING)) {
            transactions.requireAllOrNothing();
            can.add(ALL_OR_NOTHING);
        }
        granted.setCapabilities(can.toArray(Symbol[]::new));
        receiver.setTarget(granted);
        receiver.setSource(receiver.getRemoteSource());
    }

    @Override
    public void begin(Runnable ended) {
        onEnd = ended;
        link.handler(this::onTransfer);
        receiver.closeHandler(unused -> {
            onEnd.run();
            this.ended = true;
            receiver.close();
        });
        receiver.detachHandler(unused -> {
            onEnd.run();
            this.ended = true;
            receiver.detach();
        });
        receiver.open();
        link.attached();
        link.addCredit(CREDIT);
    }

    @Override
    public boolean isOf(Session session) {
        return receiver.getSession().equals(session);
    }

    @Override
    public void end(boolean lost) {
        // transactions belong to the connection
    }

    private void onTransfer(byte[] bytes, int from, int to) {
        connection.resources().run().end(); // what was sent before comes before
        if (ended) {
            return;
        }
        if (link.isAborted()) {
            begun = NOTHING;
            refill();
            return;
        }
        if (link.isPartial() && begun.length + to - from > MAX_BYTES) {
            connection.fail(new ErrorCondition(AmqpError.DECODE_ERROR, "that is not a request to a coordinator"));
            return;
        }
        byte[] request = Arrays.copyOf(begun, begun.length + to - from);
        System.arraycopy(bytes, from, request, begun.length, to - from);
        if (link.isPartial()) {
            begun = request;
            return;
        }
        begun = NOTHING;
        refill();
        IncomingDelivery delivery = link.delivery();
        try {
            onRequest(delivery, decode(request));
        } catch (AmqpException e) {
            delivery.settle(new Rejected(e.condition()));
        }
    }

    private void refill() {
        if (link.credit() <= CREDIT / 2) {
            link.addCredit(CREDIT - link.credit());
        }
    }

    private Object decode(byte[] bytes) throws AmqpException {
        int from = 0;
        while (from < bytes.length) {
            int end = TypeScan.performativeEnd(
                    bytes, from, bytes.length, connection.context().symbols());
            if (section(bytes, from, end) instanceof AmqpValue<?> body && body.getValue() != null) {
                return body.getValue();
            }
            from = end; // clients may send a header and properties, too
        }
        throw new AmqpException(AmqpError.DECODE_ERROR, "a coordinator takes declare and discharge only");
    }

    private @Nullable Object section(byte[] bytes, int from, int end) throws AmqpException {
        try {
            return decoder.readObject(
                    ProtonByteArrayBufferAllocator.wrapped(bytes, from, end - from), decoder.newDecoderState());
        } catch (ClassCastException | IllegalArgumentException e) {
            throw new AmqpException(AmqpError.DECODE_ERROR, "a coordinator cannot read that: " + e.getMessage());
        }
    }

    private void onRequest(IncomingDelivery delivery, Object request) throws AmqpException {
        if (request instanceof Declare declare) {
            if (declare.getGlobalId() != null) {
                throw new AmqpException(
                        AmqpError.NOT_IMPLEMENTED,
                        "only local transactions are declared; for XA there is avocet:xa-start");
            }
            delivery.settle(new Declared().setTxnId(transactions.begin()));
        } else if (request instanceof Discharge discharge) {
            discharge(delivery, discharge);
        } else if (request instanceof DescribedType described) {
            branches.onRequest(delivery, described);
        } else {
            throw new AmqpException(AmqpError.DECODE_ERROR, "a coordinator takes declare and discharge only");
        }
    }

    private void discharge(IncomingDelivery delivery, Discharge discharge) throws AmqpException {
        TransactionCoordinator coordinator = connection.broker().transactions();
        Transaction transaction = transactions.take(discharge.getTxnId());
        boolean doomed = transactions.takeDoomed(transaction);
        boolean wanted = !discharge.getFail();
        if (transaction.isTimedOut()) {
            delivery.settle(wanted ? timedOut() : Accepted.getInstance());
            return;
        }
        TransactionCompletion answer = outcome -> {
            if (!connection.isClosed() && receiver.isLocallyOpen()) {
                answer(delivery, wanted, outcome);
            }
        };
        if (wanted && !doomed) {
            coordinator.commit(transaction, answer);
        } else {
            coordinator.rollback(transaction, answer);
        }
    }

    private static void answer(IncomingDelivery delivery, boolean commitWanted, TransactionOutcome outcome) {
        if (!commitWanted || outcome == TransactionOutcome.COMMITTED) {
            delivery.settle(Accepted.getInstance());
        } else {
            delivery.settle(new Rejected(new ErrorCondition(TransactionErrors.TRANSACTION_ROLLBACK, why(outcome))));
        }
    }

    private static Rejected timedOut() {
        return new Rejected(new ErrorCondition(
                TransactionErrors.TRANSACTION_TIMEOUT, "the transaction took too long, and was rolled back"));
    }

    static String why(TransactionOutcome outcome) {
        return switch (outcome) {
            case QUOTA_EXCEEDED -> "a queue or subscription is full and refuses new messages";
            case STORE_FULL -> "the broker's disk is too full for messages that have to survive";
            case STANDBY_AWAY -> Destinations.STANDBY_AWAY;
            case NO_SUCH_QUEUE -> "a queue is not there any more, or takes no messages";
            default -> "a part of the transaction was refused before";
        };
    }
}
