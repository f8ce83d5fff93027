package dev.avocet.amqp.connection;

import dev.avocet.amqp.codec.AmqpException;
import dev.avocet.amqp.transfer.IncomingDelivery;
import dev.avocet.core.broker.TransactionCoordinator;
import dev.avocet.core.transaction.BranchId;
import dev.avocet.core.transaction.Transaction;
import dev.avocet.core.transaction.TransactionCompletion;
import dev.avocet.core.transaction.TransactionException;
import dev.avocet.core.transaction.TransactionOutcome;
import dev.avocet.core.transaction.TransactionState;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.qpid.protonj2.engine.Receiver;
import org.apache.qpid.protonj2.types.Binary;
import org.apache.qpid.protonj2.types.DescribedType;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.messaging.Accepted;
import org.apache.qpid.protonj2.types.messaging.Modified;
import org.apache.qpid.protonj2.types.messaging.Rejected;
import org.apache.qpid.protonj2.types.messaging.Released;
import org.apache.qpid.protonj2.types.transactions.Declared;
import org.apache.qpid.protonj2.types.transactions.TransactionErrors;
import org.apache.qpid.protonj2.types.transport.AmqpError;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.apache.qpid.protonj2.types.transport.ErrorCondition;
import org.jspecify.annotations.Nullable;

/**
 * Our extension of AMQP's coordinator for the branches of global transactions, as XA has them; docs/amqp.md has the
 * requests and their answers. A branch that is active belongs to the connection that began it; what is prepared belongs
 * to no connection and may be ended through any.
 *
 * <p>Owned by the connection's loop.
 */
final class BranchRequests {
    /** Offered by the connection and by the coordinator. */
    static final Symbol CAPABILITY = Symbol.valueOf("avocet:xa");

    static final Symbol DUPLICATE_BRANCH = Symbol.valueOf("avocet:duplicate-branch");
    static final Symbol HEURISTIC_COMMIT = Symbol.valueOf("avocet:heuristic-commit");
    static final Symbol HEURISTIC_ROLLBACK = Symbol.valueOf("avocet:heuristic-rollback");

    private static final Symbol BRANCHES = Symbol.valueOf("avocet:branches");
    /** As many identifiers are in one answer, each of 134 bytes at most. */
    private static final int PORTION = 64;

    private static final int IDENTIFIER_BYTES = 140;
    private static final int FRAME_BYTES = 200;

    private final OpenConnection connection;
    private final Receiver receiver;
    private final LocalTransactions transactions;

    BranchRequests(OpenConnection connection, Receiver receiver, LocalTransactions transactions) {
        this.connection = connection;
        this.receiver = receiver;
        this.transactions = transactions;
    }

    void onRequest(IncomingDelivery delivery, DescribedType request) throws AmqpException {
        List<?> fields = request.getDescribed() instanceof List<?> list ? list : List.of();
        switch (String.valueOf(request.getDescriptor())) {
            case "avocet:xa-start:list" -> start(delivery, branch(fields), seconds(fields));
            case "avocet:xa-prepare:list" -> prepare(delivery, branch(fields));
            case "avocet:xa-commit:list" -> commit(delivery, branch(fields), isOnePhase(fields));
            case "avocet:xa-rollback:list" -> rollback(delivery, branch(fields));
            case "avocet:xa-forget:list" -> forget(delivery, branch(fields));
            case "avocet:xa-recover:list" -> recover(delivery, field(fields, 0));
            default -> throw new AmqpException(AmqpError.NOT_IMPLEMENTED, "a coordinator does not know that request");
        }
    }

    private void start(IncomingDelivery delivery, BranchId branch, int timeoutSeconds) throws AmqpException {
        if (coordinator().decisions().of(branch) != null) {
            throw duplicate("the branch " + branch + " was ended by an administrator, and is not forgotten yet");
        }
        try {
            delivery.settle(new Declared().setTxnId(transactions.begin(branch, timeoutSeconds)));
        } catch (TransactionException e) {
            if (e.reason() == TransactionException.Reason.DUPLICATE_BRANCH) {
                throw duplicate(e.getMessage());
            }
            throw new AmqpException(AmqpError.RESOURCE_LIMIT_EXCEEDED, e.getMessage());
        }
    }

    private static AmqpException duplicate(@Nullable String why) {
        return new AmqpException(DUPLICATE_BRANCH, why);
    }

    private void prepare(IncomingDelivery delivery, BranchId branch) throws AmqpException {
        Transaction active = transactions.take(branch);
        if (active == null) {
            throw notActive(branch);
        }
        requireSound(active);
        active.owner(connection.identity().userName());
        coordinator()
                .prepare(
                        active,
                        branch,
                        outcome -> answer(
                                delivery,
                                switch (outcome) {
                                    case PREPARED -> Accepted.getInstance();
                                    case READ_ONLY -> Released.getInstance();
                                    default -> rolledBack(CoordinatorLink.why(outcome));
                                }));
    }

    private void commit(IncomingDelivery delivery, BranchId branch, boolean onePhase) throws AmqpException {
        if (!onePhase) {
            if (transactions.has(branch)) {
                throw new AmqpException(AmqpError.ILLEGAL_STATE, "the branch " + branch + " is not prepared yet");
            }
            requireRight(branch);
            coordinator().commit(branch, connection.loop(), ended(delivery, branch, TransactionOutcome.COMMITTED));
            return;
        }
        Transaction active = transactions.take(branch);
        if (active == null) {
            throw notActive(branch);
        }
        requireSound(active);
        coordinator()
                .commit(
                        active,
                        outcome -> answer(
                                delivery,
                                outcome == TransactionOutcome.COMMITTED
                                        ? Accepted.getInstance()
                                        : rolledBack(CoordinatorLink.why(outcome))));
    }

    private void rollback(IncomingDelivery delivery, BranchId branch) throws AmqpException {
        Transaction active = transactions.take(branch);
        if (active == null) {
            requireRight(branch);
            coordinator().rollback(branch, connection.loop(), ended(delivery, branch, TransactionOutcome.ROLLED_BACK));
            return;
        }
        boolean unused = transactions.takeDoomed(active);
        coordinator().abandon(active); // nothing when its time was over before
        answer(delivery, Accepted.getInstance());
    }

    private void forget(IncomingDelivery delivery, BranchId branch) throws AmqpException {
        if (!coordinator().decisions().forget(branch)) {
            throw new AmqpException(
                    coordinator().stateOf(branch) == null ? TransactionErrors.UNKNOWN_ID : AmqpError.ILLEGAL_STATE,
                    "no administrator has ended the branch " + branch);
        }
        answer(delivery, Accepted.getInstance());
    }

    /** The next portion of those that are in doubt, or that administrators have ended, in the order of their bytes. */
    private void recover(IncomingDelivery delivery, @Nullable Object after) throws AmqpException {
        if (after != null && !(after instanceof Binary)) {
            throw invalid("after what to go on is a binary, or null");
        }
        byte[] last = after instanceof Binary binary ? binary.asByteArray() : new byte[0];
        long frameBytes = connection.protocol().getRemoteMaxFrameSize();
        List<Binary> portion = Stream.concat(
                        coordinator().recover().stream().filter(this::mayEnd),
                        coordinator().decisions().all().keySet().stream())
                .map(BranchId::encoded)
                .filter(encoded -> Arrays.compareUnsigned(encoded, last) > 0)
                .sorted(Arrays::compareUnsigned)
                .limit(Math.max(1, Math.min(PORTION, (frameBytes - FRAME_BYTES) / IDENTIFIER_BYTES)))
                .map(Binary::new)
                .toList();
        answer(delivery, new Modified().setMessageAnnotations(Map.of(BRANCHES, portion)));
    }

    private TransactionCompletion ended(IncomingDelivery delivery, BranchId branch, TransactionOutcome wanted) {
        return outcome -> answer(delivery, outcome == wanted ? Accepted.getInstance() : new Rejected(whyNot(branch)));
    }

    /** Nothing is prepared under that name. */
    private ErrorCondition whyNot(BranchId branch) {
        TransactionState decided = coordinator().decisions().of(branch);
        if (decided != null) {
            boolean committed = decided == TransactionState.COMMITTED;
            return new ErrorCondition(
                    committed ? HEURISTIC_COMMIT : HEURISTIC_ROLLBACK,
                    "an administrator has " + (committed ? "committed" : "rolled back") + " the branch " + branch);
        }
        TransactionState state = coordinator().stateOf(branch);
        if (state == null) {
            return new ErrorCondition(TransactionErrors.UNKNOWN_ID, "no branch " + branch + " is in doubt");
        }
        return state == TransactionState.ACTIVE
                ? new ErrorCondition(AmqpError.ILLEGAL_STATE, "the branch " + branch + " is not prepared yet")
                : new ErrorCondition(
                        AmqpError.RESOURCE_LOCKED,
                        "the branch " + branch + " is just being prepared or ended: ask again");
    }

    /** Its own prepared branches a user may end; those of others with a policy that says so. */
    private boolean mayEnd(BranchId branch) {
        String owner = coordinator().ownerOf(branch);
        return owner == null
                || owner.equals(connection.identity().userName())
                || connection.rights().connection().allowTransactionRecovery();
    }

    private void requireRight(BranchId branch) throws AmqpException {
        if (!mayEnd(branch)) {
            connection.noteRefusal(
                    AmqpError.UNAUTHORIZED_ACCESS.toString(),
                    branch.toString(),
                    "the branch " + branch + " was prepared by another user");
            throw new AmqpException(
                    AmqpError.UNAUTHORIZED_ACCESS,
                    "the branch " + branch
                            + " was prepared by another user, and no connection policy allows this client to end it"
                            + " (AllowTransactionRecovery)");
        }
    }

    private AmqpException notActive(BranchId branch) {
        boolean known = coordinator().stateOf(branch) != null
                || coordinator().decisions().of(branch) != null;
        return new AmqpException(
                known ? AmqpError.ILLEGAL_STATE : TransactionErrors.UNKNOWN_ID,
                "no branch " + branch + " was begun on this connection and is not prepared yet");
    }

    /** What is in it is whole, and its time is not over. */
    private void requireSound(Transaction active) throws AmqpException {
        boolean doomed = transactions.takeDoomed(active);
        if (active.isTimedOut()) {
            throw new AmqpException(
                    TransactionErrors.TRANSACTION_TIMEOUT, "the branch took too long, and was rolled back");
        }
        if (doomed) {
            coordinator().abandon(active);
            throw new AmqpException(TransactionErrors.TRANSACTION_ROLLBACK, "a part of the branch was refused before");
        }
    }

    private static Rejected rolledBack(String why) {
        return new Rejected(new ErrorCondition(TransactionErrors.TRANSACTION_ROLLBACK, why));
    }

    private void answer(IncomingDelivery delivery, DeliveryState state) {
        if (!connection.isClosed() && receiver.isLocallyOpen()) {
            delivery.settle(state);
        }
    }

    private TransactionCoordinator coordinator() {
        return connection.broker().transactions();
    }

    private static BranchId branch(List<?> fields) throws AmqpException {
        if (field(fields, 0) instanceof Binary encoded) {
            try {
                return BranchId.decode(encoded.asByteArray());
            } catch (IllegalArgumentException e) {
                throw invalid("the branch identifier: " + e.getMessage());
            }
        }
        throw invalid("the first field is the branch identifier, a binary");
    }

    private static int seconds(List<?> fields) throws AmqpException {
        Object given = field(fields, 1);
        if (given == null) {
            return 0;
        }
        if (given instanceof Number seconds && seconds.longValue() >= 0 && seconds.longValue() <= Integer.MAX_VALUE) {
            return seconds.intValue();
        }
        throw invalid("the time-out is a uint of seconds, or null");
    }

    private static boolean isOnePhase(List<?> fields) throws AmqpException {
        Object given = field(fields, 1);
        if (given == null || given instanceof Boolean) {
            return Boolean.TRUE.equals(given);
        }
        throw invalid("one-phase is a boolean, or null");
    }

    private static @Nullable Object field(List<?> fields, int index) {
        return index < fields.size() ? fields.get(index) : null;
    }

    private static AmqpException invalid(String why) {
        return new AmqpException(AmqpError.INVALID_FIELD, why);
    }
}
