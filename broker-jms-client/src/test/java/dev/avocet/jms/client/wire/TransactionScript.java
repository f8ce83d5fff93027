package dev.avocet.jms.client.wire;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.ObjIntConsumer;
import org.apache.qpid.protonj2.engine.Connection;
import org.apache.qpid.protonj2.engine.IncomingDelivery;
import org.apache.qpid.protonj2.engine.Receiver;
import org.apache.qpid.protonj2.engine.Session;
import org.apache.qpid.protonj2.engine.Transaction;
import org.apache.qpid.protonj2.engine.TransactionManager;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.messaging.Accepted;
import org.apache.qpid.protonj2.types.messaging.Rejected;
import org.apache.qpid.protonj2.types.messaging.Target;
import org.apache.qpid.protonj2.types.transactions.Coordinator;
import org.apache.qpid.protonj2.types.transactions.TransactionErrors;
import org.apache.qpid.protonj2.types.transactions.TransactionalState;
import org.apache.qpid.protonj2.types.transport.ErrorCondition;

/**
 * A server's part in the transactions of one client: writes down what comes, and does about it what the test says. On
 * the server's thread.
 */
final class TransactionScript implements ObjIntConsumer<Connection> {
    private static final Symbol ALL_OR_NOTHING = Symbol.valueOf("avocet:all-or-nothing");

    /** What has come, in order. */
    final List<String> asked = new CopyOnWriteArrayList<>();

    private final boolean offers;
    private final boolean grants;
    private final List<IncomingDelivery> held = new ArrayList<>();
    private Consumer<IncomingDelivery> onMessage = held::add;
    private IntConsumer onDeclared = number -> {};
    private Consumer<Transaction<TransactionManager>> onDischarge = this::answer;
    private Receiver link;
    private volatile int credit = 100;
    private int declared;

    /**
     * @param offers says in its open that it commits all or nothing
     * @param grants says so where it is asked for transactions, asked for it or not
     */
    TransactionScript(final boolean offers, final boolean grants) {
        this.offers = offers;
        this.grants = grants;
    }

    /** So many messages may be sent on a link at first. */
    TransactionScript credit(final int messages) {
        credit = messages;
        return this;
    }

    int credit() {
        return credit;
    }

    /** How many have come. */
    long messages() {
        return asked.stream().filter("message"::equals).count();
    }

    /** Otherwise they are held. */
    TransactionScript onMessage(final Consumer<IncomingDelivery> then) {
        onMessage = then;
        return this;
    }

    /** The transaction of that number, from 1, is declared. */
    TransactionScript onDeclared(final IntConsumer then) {
        onDeclared = then;
        return this;
    }

    /** Otherwise all that is held is accepted, and then the discharge. */
    TransactionScript onDischarge(final Consumer<Transaction<TransactionManager>> then) {
        onDischarge = then;
        return this;
    }

    @Override
    public void accept(final Connection open, final int before) {
        if (offers) {
            open.setOfferedCapabilities(ALL_OR_NOTHING);
        }
        held.clear();
        link = null;
        open.sessionOpenHandler(Session::open);
        open.transactionManagerOpenHandler(this::coordinate);
        open.receiverOpenHandler(this::receive);
        open.open();
    }

    private void coordinate(final TransactionManager manager) {
        asked.add(
                "coordinator " + Arrays.toString(manager.getRemoteCoordinator().getCapabilities()));
        final Coordinator granted = new Coordinator();
        if (grants) {
            granted.setCapabilities(ALL_OR_NOTHING);
        }
        manager.setCoordinator(granted);
        manager.setSource(manager.getRemoteSource());
        manager.declareHandler(transaction -> {
            asked.add("declare");
            declared++;
            manager.declared(transaction, new byte[] {(byte) declared});
            onDeclared.accept(declared);
        });
        manager.dischargeHandler(transaction -> {
            asked.add(transaction.getDischargeState().name());
            onDischarge.accept(transaction);
        });
        manager.open();
        manager.addCredit(100);
    }

    private void receive(final Receiver receiver) {
        if (!(receiver.getRemoteTarget() instanceof final Target target)) {
            return; // a coordinator, of which the other handler hears
        }
        link = link == null ? receiver : link;
        receiver.setTarget(target);
        receiver.setSource(receiver.getRemoteSource());
        receiver.deliveryReadHandler(delivery -> {
            asked.add("message");
            delivery.readAll();
            onMessage.accept(delivery);
        });
        receiver.open();
        receiver.addCredit(credit);
    }

    /** The link by which messages come, the first one. */
    Receiver link() {
        return link;
    }

    /** Those that are held, in the order in which they came. */
    List<IncomingDelivery> takeHeld() {
        final List<IncomingDelivery> all = List.copyOf(held);
        held.clear();
        return all;
    }

    static void accept(final IncomingDelivery delivery) {
        final TransactionalState state = (TransactionalState) delivery.getRemoteState();
        delivery.disposition(
                new TransactionalState().setTxnId(state.getTxnId()).setOutcome(Accepted.getInstance()), true);
    }

    static void reject(final IncomingDelivery delivery, final String condition, final String why) {
        delivery.disposition(new Rejected(new ErrorCondition(Symbol.valueOf(condition), why)), true);
    }

    void acceptHeld() {
        takeHeld().forEach(TransactionScript::accept);
    }

    /** Accepts what is held, and the discharge. */
    void answer(final Transaction<TransactionManager> transaction) {
        acceptHeld();
        transaction.parent().discharged(transaction);
    }

    static void fail(final Transaction<TransactionManager> transaction) {
        transaction
                .parent()
                .dischargeFailed(transaction, new ErrorCondition(TransactionErrors.TRANSACTION_ROLLBACK, "all of it"));
    }
}
