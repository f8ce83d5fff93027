package dev.avocet.amqp.connection;

import dev.avocet.amqp.codec.AmqpException;
import dev.avocet.core.transaction.BranchId;
import dev.avocet.core.transaction.Transaction;
import dev.avocet.core.transaction.TransactionException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.qpid.protonj2.types.Binary;
import org.apache.qpid.protonj2.types.transactions.TransactionErrors;
import org.apache.qpid.protonj2.types.transactions.TransactionalState;
import org.apache.qpid.protonj2.types.transport.AmqpError;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.jspecify.annotations.Nullable;

/** The transactions that a client has begun, and neither ended nor prepared. Owned by the connection's loop. */
final class LocalTransactions {
    /** Those whose time is over count until the client has ended them. */
    private static final int MOST = 10_000;

    private final OpenConnection connection;
    private final Map<Long, Transaction> open = new HashMap<>();
    /** Those of them that are branches of global transactions. */
    private final Map<BranchId, Transaction> branches = new HashMap<>();
    /** Those that have lost a part and can only be rolled back. */
    private final Set<Long> doomed = new HashSet<>();
    /** The client commits without waiting for the answers to what belongs to the transaction. */
    private boolean allOrNothing;
    /** What was asked for last, which is mostly asked for again. */
    private @Nullable Binary lastName;

    private @Nullable Transaction lastFound;

    LocalTransactions(OpenConnection connection) {
        this.connection = connection;
    }

    Binary begin() throws AmqpException {
        requireRoom();
        try {
            Transaction begun = connection.broker().transactions().begin(connection.loop());
            open.put(begun.id(), begun);
            return nameOf(begun);
        } catch (TransactionException e) {
            throw new AmqpException(AmqpError.RESOURCE_LIMIT_EXCEEDED, e.getMessage());
        }
    }

    /**
     * Begins a branch of a global transaction.
     *
     * @throws TransactionException when there are enough, or another one has the name
     */
    Binary begin(BranchId branch, int timeoutSeconds) throws AmqpException {
        requireRoom();
        Transaction begun = connection.broker().transactions().begin(branch, timeoutSeconds, connection.loop());
        open.put(begun.id(), begun);
        branches.put(branch, begun);
        return nameOf(begun);
    }

    private void requireRoom() throws AmqpException {
        if (open.size() >= MOST) {
            throw new AmqpException(
                    AmqpError.RESOURCE_LIMIT_EXCEEDED,
                    "a connection has at most " + MOST + " transactions: end some first");
        }
    }

    /** The client ends or prepares a branch that it has begun on this connection; null: it has not. */
    @Nullable Transaction take(BranchId branch) {
        Transaction found = branches.remove(branch);
        if (found != null) {
            remove(found);
        }
        return found;
    }

    boolean has(BranchId branch) {
        return branches.containsKey(branch);
    }

    /** The open transaction that a client names so. */
    Transaction find(@Nullable Binary name) throws AmqpException {
        Transaction last = lastFound;
        if (last != null && name != null && name.equals(lastName)) {
            return last;
        }
        Transaction found = name == null || name.getLength() != Long.BYTES ? null : open.get(idOf(name));
        if (found == null) {
            throw new AmqpException(TransactionErrors.UNKNOWN_ID, "there is no such transaction on this connection");
        }
        lastName = name;
        lastFound = found;
        return found;
    }

    private void remove(Transaction over) {
        open.remove(over.id());
        lastFound = null;
    }

    /** The client ends it, with success or not. */
    Transaction take(@Nullable Binary name) throws AmqpException {
        Transaction found = find(name);
        BranchId branch = found.branch();
        if (branch != null) {
            throw new AmqpException(
                    AmqpError.ILLEGAL_STATE, "a branch of a global transaction is ended under its own name");
        }
        remove(found);
        return found;
    }

    /** Something that belongs into it could not be put there. */
    void doom(Transaction transaction) {
        doomed.add(transaction.id());
    }

    /** From now on a transaction of which a message was refused, for whatever reason, can only be rolled back. */
    void requireAllOrNothing() {
        allOrNothing = true;
    }

    /** A message was refused that has this state. */
    void refused(@Nullable DeliveryState state) {
        if (allOrNothing && state instanceof TransactionalState inside) {
            try {
                doom(find(inside.getTxnId()));
            } catch (AmqpException e) {
                return; // no client can commit it
            }
        }
    }

    boolean takeDoomed(Transaction transaction) {
        return doomed.remove(transaction.id());
    }

    /** The connection is gone: all are rolled back. */
    void close() {
        open.values().forEach(connection.broker().transactions()::abandon);
        open.clear();
        lastFound = null;
        branches.clear();
        doomed.clear();
    }

    private static Binary nameOf(Transaction transaction) {
        return new Binary(
                ByteBuffer.allocate(Long.BYTES).putLong(transaction.id()).array());
    }

    private static long idOf(Binary name) {
        return ByteBuffer.wrap(name.asByteArray()).getLong();
    }
}
