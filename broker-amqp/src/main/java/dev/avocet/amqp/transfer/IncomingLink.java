package dev.avocet.amqp.transfer;

import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.apache.qpid.protonj2.types.transport.Flow;
import org.apache.qpid.protonj2.types.transport.Transfer;
import org.jspecify.annotations.Nullable;

/**
 * A link on which the client sends: its credit, and the delivery that is coming, of which there is one at a time [AMQP
 * 1.0 part 2, 2.6.14]. What is answered is settled on our side: nothing is kept of it.
 *
 * <p>Owned by the connection's loop.
 */
public final class IncomingLink extends LinkFlow {
    /** Hears of each transfer. */
    public interface Handler {
        /**
         * A part of the delivery that is coming, or all of it.
         *
         * @param bytes that hold it until this returns
         */
        void onTransfer(byte[] bytes, int from, int to);
    }

    private @Nullable Handler handler;
    private int deliveryCount;
    private int credit;

    private boolean begun;
    private int deliveryId;
    private int messageFormat;
    private boolean settled;
    private boolean more;
    private boolean aborted;
    private boolean resumed;
    private boolean batchable;
    private @Nullable DeliveryState state;

    IncomingLink(SessionFlow session, int initialDeliveryCount) {
        super(session);
        this.deliveryCount = initialDeliveryCount;
    }

    /** Transfers are ignored while there is none. */
    public void handler(Handler listener) {
        handler = listener;
    }

    /** Deliveries that the client may still send. */
    public int credit() {
        return credit;
    }

    /** Grants so many more. */
    public void addCredit(int more) {
        credit += more;
        writeFlow();
    }

    /** Whether other transfers of the delivery will follow. */
    public boolean isPartial() {
        return more;
    }

    /** Whether the client has given the delivery up. */
    public boolean isAborted() {
        return aborted;
    }

    /** Whether it goes on with a delivery of an earlier link. */
    public boolean isResumed() {
        return resumed;
    }

    /** Whether the client does not want to know what becomes of it. */
    public boolean isSettled() {
        return settled;
    }

    /** Whether the client is in no hurry to hear what becomes of it [AMQP 1.0 part 2, 2.7.5]. */
    public boolean isBatchable() {
        return batchable;
    }

    public int messageFormat() {
        return messageFormat;
    }

    /** What the client says of it; the same object for deliveries of one transaction that follow each other. */
    public @Nullable DeliveryState state() {
        return state;
    }

    /** Settles the delivery that has come. */
    public void settle(DeliveryState outcome) {
        settle(outcome, true);
    }

    /** @param urgent false: the client may hear of it with what it is sent next, or some time later */
    public void settle(DeliveryState outcome, boolean urgent) {
        if (!settled) {
            session.settle(deliveryId, deliveryId, outcome, urgent);
        }
    }

    /** Settles deliveries that have come one after the other, none of which the client has settled. */
    public void settle(int first, int last, DeliveryState outcome, boolean urgent) {
        session.settle(first, last, outcome, urgent);
    }

    /** The delivery that has come, to be settled later. */
    public IncomingDelivery delivery() {
        return new IncomingDelivery(session, deliveryId, settled, state);
    }

    /** One that has come before, that the client has not settled and said nothing of. */
    public IncomingDelivery delivery(int id) {
        return new IncomingDelivery(session, id, false, null);
    }

    /** Of the delivery that has come. Those that follow each other on a session count up by one. */
    public int deliveryId() {
        return deliveryId;
    }

    void onTransfer(Transfer transfer, byte[] bytes, int from, int to) {
        if (begun && transfer.hasDeliveryId() && (int) transfer.getDeliveryId() != deliveryId) {
            session.flows().violated("a delivery begins on a link before another one has ended");
            return;
        }
        if (!begun && !begin(transfer)) {
            return;
        }
        settled |= transfer.getSettled();
        resumed |= transfer.getResume();
        aborted = transfer.getAborted();
        more = transfer.getMore() && !aborted;
        batchable = transfer.getBatchable();
        if (transfer.hasState()) {
            state = transfer.getState();
        }
        if (!more) {
            begun = false;
            deliveryCount++;
            credit = Math.max(0, credit - 1);
        }
        if (handler != null) {
            handler.onTransfer(bytes, from, to);
        }
    }

    private boolean begin(Transfer transfer) {
        if (!transfer.hasDeliveryId()) {
            session.flows().violated("the first transfer of a delivery has no delivery-id");
            return false;
        }
        if (!session.isNextDelivery((int) transfer.getDeliveryId())) {
            session.flows().violated("delivery-id " + transfer.getDeliveryId() + " is not the next one of the session");
            return false;
        }
        begun = true;
        deliveryId = (int) transfer.getDeliveryId();
        messageFormat = (int) transfer.getMessageFormat();
        settled = false;
        resumed = false;
        if (state != null) {
            state = null;
        }
        return true;
    }

    @Override
    void onFlow(Flow flow) {
        if (flow.getEcho() && !session.isEnded()) {
            writeFlow();
        }
    }

    @Override
    void writeFlow() {
        session.writeFlow(handle, deliveryCount, credit, false);
    }
}
