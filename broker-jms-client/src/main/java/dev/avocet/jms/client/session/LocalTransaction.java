package dev.avocet.jms.client.session;

import dev.avocet.jms.client.call.Await;
import dev.avocet.jms.client.call.Failures;
import dev.avocet.jms.client.message.Acknowledger;
import dev.avocet.jms.client.wire.WireReceiver;
import dev.avocet.jms.client.wire.WireTransaction;
import dev.avocet.jms.client.wire.route.WireException;
import jakarta.jms.JMSException;
import jakarta.jms.TransactionRolledBackException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.apache.qpid.protonj2.engine.IncomingDelivery;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** SESSION_TRANSACTED: the session is always in a transaction, and acknowledges by committing it. */
final class LocalTransaction extends Acknowledgement {
    private static final Logger LOG = LoggerFactory.getLogger(LocalTransaction.class);

    private volatile @Nullable WireTransaction current;
    private boolean used;

    LocalTransaction(final JmsSession session) {
        super(session);
    }

    @Override
    void received(final Delivered now) {
        handed(now);
    }

    @Override
    void handed(final Delivered now) {
        final WireTransaction unused = transaction();
        add(now);
    }

    @Override
    Acknowledger acknowledger(final JmsConsumer consumer, final IncomingDelivery delivery) {
        return session::checkOpen;
    }

    @Override
    boolean isTransacted() {
        return true;
    }

    @Override
    WireTransaction transaction() {
        WireTransaction now = current;
        if (now == null || !used && now.failure() != null) {
            now = begin();
        }
        used = true;
        return now;
    }

    private WireTransaction begin() {
        final WireTransaction fresh = new WireTransaction();
        current = fresh;
        session.connection().wire().run(() -> session.wire().transactions().begin(fresh));
        return fresh;
    }

    /** The commit will tell. */
    @Override
    void sendFailed(final @Nullable WireTransaction in, final WireException cause) {
        if (in != null) {
            in.refused(cause);
        }
    }

    void commit() throws JMSException {
        session.awaitCompletions();
        final WireTransaction done = current;
        if (done == null || !used) {
            return;
        }
        if (done.refusal() != null) {
            rollback();
            throw refused(done);
        }
        final List<Delivered> acknowledged = takeDelivered();
        used = false;
        final CompletableFuture<Void> committed =
                session.connection().later(() -> done.started().thenCompose(started -> discharge(done, acknowledged)));
        // The next one is declared in the same flush as this one is discharged.
        begin();
        try {
            Await.of(committed, session.connection().requestTimeoutMs(), "committing");
        } catch (final TransactionRolledBackException e) {
            // What went with the line is not the session's to give back, and nothing was refused.
            if (done.failure() != null) {
                throw e;
            }
            session.giveBack();
            throw done.refusal() == null ? e : refused(done);
        }
        session.consumers().closeRetired();
    }

    private static JMSException refused(final WireTransaction done) {
        final JMSException failed = Failures.of(Objects.requireNonNull(done.refusal()));
        final JMSException rolledBack = new TransactionRolledBackException(
                "a message of the transaction was not taken: " + failed.getMessage());
        rolledBack.initCause(failed);
        return rolledBack;
    }

    /** On the event loop. */
    private CompletableFuture<Void> discharge(final WireTransaction done, final List<Delivered> acknowledged) {
        // What came on an earlier line is the server's again and comes once more: no transaction of this line has it.
        if (acknowledged.stream().anyMatch(one -> !one.isCurrent())) {
            acknowledged.forEach(one -> one.settle(WireReceiver.FAILED));
            return session.wire()
                    .transactions()
                    .discharge(done, true)
                    .thenCompose(rolledBack -> CompletableFuture.failedFuture(new WireException(
                            WireException.TRANSACTION_LOST,
                            "the connection was lost after a message of the transaction had come")));
        }
        final DeliveryState state = done.acceptState();
        if (state != null) {
            acknowledged.forEach(one -> one.settle(state));
        }
        return session.wire().transactions().discharge(done, false);
    }

    void rollback() throws JMSException {
        session.awaitSends();
        final WireTransaction done = current;
        if (done == null || !used) {
            return;
        }
        used = false;
        current = null;
        try {
            if (done.failure() == null) {
                session.connection()
                        .onLoop(
                                () -> done.started()
                                        .thenCompose(started ->
                                                session.wire().transactions().discharge(done, true)),
                                "rolling back");
            }
        } catch (final TransactionRolledBackException e) {
            LOG.debug("it was rolled back already", e);
        } finally {
            session.giveBack();
        }
    }
}
